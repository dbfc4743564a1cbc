"""Rows of JSON, stored traces, and the records of the source documents."""
