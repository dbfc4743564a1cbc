"""What stands where on the pages of a PDF: the only part that opens one, always in a process of its own."""
