"""Labelled cases measured once, decided as often as one likes, and counted."""
