"""What models and rules say of one case, each asked once, whichever check asks first."""
