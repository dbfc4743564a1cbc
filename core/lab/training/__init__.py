"""Training and calibration of the models that ship, and the data sets that they learn from."""
