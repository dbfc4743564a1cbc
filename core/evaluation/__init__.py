"""Labelled cases: measured once, decided any number of times, and counted."""
