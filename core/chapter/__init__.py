"""Try the chapter, for educators: the exercises that a chapter prints are asked in one go."""
