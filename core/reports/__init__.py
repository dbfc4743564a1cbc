"""Reports on a single question or on the evaluation of a bank, as one HTML file."""
