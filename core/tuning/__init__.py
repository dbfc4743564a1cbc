"""Thresholds set on evidence: a whole bank decided at many settings, what they trade off, and which are proposed."""
