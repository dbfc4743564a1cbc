"""The typesetter of the sample chapters in data/sample: it makes a PDF from the source of a chapter."""
