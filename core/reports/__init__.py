"""What people take away: one question, or the evaluation of a bank, as one HTML file."""
