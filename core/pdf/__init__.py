"""Reads the layout of PDF pages. Only this package opens a PDF, and each PDF is read in a process of its own."""
