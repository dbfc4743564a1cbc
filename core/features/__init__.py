"""The results of models and rules for one case, each computed once and shared by the checks."""
