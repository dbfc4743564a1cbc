"""The cells of Markdown tables, so that tests compare figures and not the layout of a line."""

import re


def table_rows(text):
    """The cells of each row of the tables in `text`, as lists of strings without surrounding blanks.

    Heads are rows too; the line below a head is left out. A bar after a backslash is part of its cell.
    """
    lines = [line.strip() for line in text.splitlines()]
    cells = [re.split(r"(?<!\\)\|", line[1:-1]) for line in lines if line.startswith("|") and line.endswith("|")]
    return [[cell.strip() for cell in row] for row in cells if not all(re.fullmatch(r"\s*:?-+:?\s*", c) for c in row)]


def table_row(text, name):
    """The cells after the first of the one row whose first cell is `name`."""
    (cells,) = [cells for cells in table_rows(text) if cells[0] == name]
    return cells[1:]
