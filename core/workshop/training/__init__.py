"""How the models and calibrations that ship with the project were made."""
