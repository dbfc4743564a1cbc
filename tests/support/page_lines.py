"""Pages laid out in plain lines, without a PDF: what the rules of reading are tried on."""

from core.pdf.page import Line, Page, Word

WIDTH, HEIGHT, SIZE, LEADING, EM = 595, 842, 10.0, 12.0, 5.0


def line(text, row=0, *, left=72.0, size=SIZE, top=None, **style):
    """A line of equal letters. row: how many lines it stands below the first."""
    top = 72 + LEADING * row if top is None else top
    words, at = [], left
    for word in text.split():
        words.append(Word(text=word, left=at, right=at + EM * len(word)))
        at += EM * (len(word) + 1)
    return Line(words=tuple(words), top=top, bottom=top + size, size=size, **style)


def page(*lines, number=1, boxes=()):
    """A page of lines, each a text or a line made by `line`."""
    lines_ = (line(text, row) if isinstance(text, str) else text for row, text in enumerate(lines))
    return Page(number=number, width=WIDTH, height=HEIGHT, lines=tuple(n for n in lines_ if n.words), boxes=boxes)


def page_with(*texts):
    """One page a text, one line a line of it."""
    return tuple(page(*text.splitlines(), number=number) for number, text in enumerate(texts, 1))


def read_text(pages):
    """The texts of the lines of each page."""
    return tuple(tuple(n.text for n in page.lines) for page in pages)
