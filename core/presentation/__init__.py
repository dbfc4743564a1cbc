"""Turns verdicts and stored results into words, rows and numbers. No Streamlit."""
