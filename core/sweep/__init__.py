"""Labelled sets: every row decided at many points, and what became of it."""
