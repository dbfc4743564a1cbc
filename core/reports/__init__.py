"""Reports to take away, as one HTML file: a single question, or the evaluation of a bank."""
