"""Thresholds chosen on evidence: what they trade off on a bank, and which ones are proposed."""
