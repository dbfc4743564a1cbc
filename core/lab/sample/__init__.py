"""The typesetter of the sample chapters in data/sample: it makes the PDF of a chapter from a source, a plain text in a
simple markup."""
