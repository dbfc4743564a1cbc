"""Training, benchmark, figures and generated docs: nothing of the product imports it."""
