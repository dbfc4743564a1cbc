"""The outputs of models and rules for one case; each is computed once, for whichever check needs it first."""
