"""Training and calibration of the project's models, and the data sets for them."""
