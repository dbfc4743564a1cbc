"""What every room stands on: who may do what, whose turn it is, how much a visitor may ask, files that are whole."""
