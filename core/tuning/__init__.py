"""Tuning of thresholds on a bank: what they trade off, and which ones are proposed."""
