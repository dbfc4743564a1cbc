"""Language rules: how the project reads English. It knows no subject."""
