"""Runs the chain's decisions on arrays of settings and cases: a whole bank, and the effect of moving a slider."""
