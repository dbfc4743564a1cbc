"""What happens to a question before and after a search: rewriting, and better questions to ask."""
