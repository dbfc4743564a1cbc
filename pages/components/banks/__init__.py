"""The Banks page."""
