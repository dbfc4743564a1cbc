"""What stands where on the pages of a PDF, and its lines in reading order: the only part that opens one, always in a
process of its own."""
