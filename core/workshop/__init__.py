"""The laboratory: training, benchmark, measured figures and generated docs. Nothing of the product imports it."""
