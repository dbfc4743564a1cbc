"""Blocks of a chapter set to the width of a column: pieces, not yet parted into pages. All in points."""

import re
from dataclasses import replace

from data.sample.figures import picture
from data.sample.lettering import Sheet, words
from data.sample.look import EDGES, TINTS, Look
from data.sample.pieces import Box, Piece, Setting, text_pieces
from data.sample.source import Block, fail
from data.sample.tables import row_pieces

_MARKED = re.compile(r"(\d+(?:\.\d+)+|\d+\.)\s+(.*)")
_FORMULA = re.compile(r"(.*?)(?:\s{2,}(\(\w[\w.]*\)))?")
_LABELLED = re.compile(r"((?:Fig\.|Figure|Table) [\w.]+:?)\s*(.*)")


class Galley:
    """Sets blocks to one width, with one look."""

    def __init__(self, sheet: Sheet, look: Look, width: float) -> None:
        self.sheet, self.look, self.width = sheet, look, width

    def set(self, block: Block) -> list[Piece]:
        """The pieces of one block, of any kind."""
        if block.kind in TINTS:
            return self._boxed(block, Box(tint=TINTS[block.kind], edge=EDGES[block.kind]))
        if block.kind == "example":
            return self._boxed(block, Box(tint=None, edge=self.look.accent))
        if block.kind == "exercises":
            return self._text(replace(block, kind="heading")) + self._body(block, self.width)
        if block.kind == "table":
            rows = row_pieces(self.sheet, self.look, block, self.width)
            return self._caption(block.text, above=1.2, below=0.3, keeps=True) + rows
        if block.kind == "figure":
            drawing = picture(self.sheet, self.look, block, self.width)
            return [drawing, *self._caption(block.text, above=0.8, below=1.6)]
        return self._text(block)

    def _boxed(self, block: Block, box: Box) -> list[Piece]:
        style, inner = self.look.box_title._replace(colour=box.edge), self.width - 2 * box.pad
        title = Setting(style=style, width=inner, above=style.size, keeps=True, box=box)
        pieces = text_pieces(self.sheet, block.text, title) + self._body(block, inner, box)
        return [*pieces[:-1], replace(pieces[-1], below=style.size)]

    def _body(self, block: Block, width: float, box: Box | None = None) -> list[Piece]:
        """The lines of a box; a question stays with the options under it."""
        after = [part.kind for part in block.body[1:]] + [""]
        parts = zip(block.body, after, strict=True)
        return [p for part, kind in parts for p in self._text(part, width, box, keeps=kind == "option")]

    def _text(self, block: Block, width: float = 0, box: Box | None = None, *, keeps: bool = False) -> list[Piece]:
        text, setting = getattr(self, f"_{block.kind}")(block.text, width or self.width)
        longest, room = self.sheet.longest_word(text, setting.style), setting.width - setting.indent
        if longest > room:
            fail(block.line, f"a word needs {longest:.0f} points and there are {room:.0f}; part it with a space")
        return text_pieces(self.sheet, text, replace(setting, box=box, keeps=keeps or setting.keeps))

    def _paragraph(self, text: str, width: float) -> tuple[str, Setting]:
        style = self.look.body
        return text, Setting(style=style, width=width, above=0.5 * style.size, justified=True)

    def _bullet(self, text: str, width: float) -> tuple[str, Setting]:
        return text, self._hanging("•", 1.1, width)

    def _question(self, text: str, width: float) -> tuple[str, Setting]:
        number, text = _parted(text)
        return text, self._hanging(number, 1.9, width)

    def _option(self, text: str, width: float) -> tuple[str, Setting]:
        return text, self._hanging("", 1.9, width)

    def _hanging(self, mark: str, indent: float, width: float) -> Setting:
        """Text in an indent, measured in sizes of its type, with a mark before its first line."""
        style = self.look.body
        above = 0.35 * style.size
        return Setting(style=style, width=width, indent=indent * style.size, mark=mark, above=above, justified=True)

    def _heading(self, text: str, width: float) -> tuple[str, Setting]:
        style = self.look.heading
        number, text = _parted(text)
        indent = self.sheet.length(f"{number}  i", style) if number else 0.0
        return text, Setting(
            style=style,
            width=width,
            indent=indent,
            mark=number,
            above=1.4 * style.size,
            below=0.2 * style.size,
            keeps=True,
        )

    def _subheading(self, text: str, width: float) -> tuple[str, Setting]:
        style = self.look.subheading
        return text, Setting(style=style, width=width, above=style.size, below=0.1 * style.size, keeps=True)

    def _formula(self, text: str, width: float) -> tuple[str, Setting]:
        """In the middle where there is room for it beside its number, else from the left."""
        style = self.look.body
        text, number = _FORMULA.fullmatch(text).groups()
        room = self.sheet.length(number, style) + style.size if number else 0.0
        left = (width - self.sheet.length(text, style)) / 2
        indent = left if left >= room else max(0.0, min(style.size, 2 * left - room))
        above = 0.6 * style.size
        return text, Setting(style=style, width=width, indent=indent, tail=number or "", above=above, below=above)

    def _caption(self, text: str, *, above: float = 0, below: float = 0, keeps: bool = False) -> list[Piece]:
        """In the middle, its label bold; the spaces are measured in sizes of its type."""
        style, strong = self.look.caption, self.look.caption_label
        label, rest = _LABELLED.fullmatch(text).groups() if _LABELLED.fullmatch(text) else ("", text)
        setting = Setting(
            style=style, width=self.width, above=above * style.size, below=below * style.size, align=0.5, keeps=keeps
        )
        return text_pieces(self.sheet, words(label, strong) + words(rest, style), setting)


def _parted(text: str) -> tuple[str, str]:
    """The number that a heading or a question begins with, and the rest."""
    found = _MARKED.fullmatch(text)
    return (found[1], found[2]) if found else ("", text)
