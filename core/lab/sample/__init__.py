"""The typesetter of the sample chapters in data/sample: from the source of a chapter to its PDF."""
