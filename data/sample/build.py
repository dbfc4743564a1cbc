"""Builds the PDFs of the sample library from the texts beside it: python data/sample/build.py."""

from datetime import UTC, datetime
from pathlib import Path

from fpdf import FPDF

HERE = Path(__file__).parent
_LINE = 5.6  # millimetres


class Chapter(FPDF):
    """One chapter laid out as a textbook page: running head, numbered pages, sections, one boxed activity.

    The same text gives the same bytes: the date is fixed, and nothing is compressed.
    """

    def __init__(self, title: str) -> None:
        super().__init__(format="A4")
        self.title_line = title
        self.set_compression(False)
        self.set_creation_date(datetime(2026, 1, 1, tzinfo=UTC))
        self.set_producer("Guardrail Explorer")
        self.set_title(title)
        self.set_margins(25, 22, 25)
        self.set_auto_page_break(auto=True, margin=22)

    def header(self) -> None:
        self.set_font("Helvetica", "I", 9)
        self.cell(0, 8, self.title_line.upper(), align="R", new_x="LMARGIN", new_y="NEXT")

    def footer(self) -> None:
        self.set_y(-16)
        self.set_font("Helvetica", "", 9)
        self.cell(0, 8, str(self.page_no()), align="C")

    def title_block(self, text: str) -> None:
        self.set_font("Helvetica", "B", 20)
        self.multi_cell(0, 12, text, new_x="LMARGIN", new_y="NEXT")

    def heading(self, text: str) -> None:
        self.ln(2)
        self.set_font("Helvetica", "B", 13)
        self.multi_cell(0, 8, text, new_x="LMARGIN", new_y="NEXT")

    def paragraph(self, text: str) -> None:
        self.set_font("Times", "", 11.5)
        self.multi_cell(0, _LINE, text, align="L", new_x="LMARGIN", new_y="NEXT")
        self.ln(1.6)

    def box_title(self, text: str) -> None:
        self.ln(1)
        self.set_font("Helvetica", "B", 11)
        self.set_fill_color(232, 238, 245)
        self.multi_cell(0, 8, text, border="LTR", fill=True, new_x="LMARGIN", new_y="NEXT")

    def box(self, text: str) -> None:
        self.set_font("Times", "", 11.5)
        self.multi_cell(0, _LINE, text, border="LRB", fill=True, align="L", new_x="LMARGIN", new_y="NEXT")
        self.ln(3)


def build(source: str) -> bytes:
    """The PDF of one text: "# " title, "## " heading, "!! " and "! " an activity, else a paragraph a line."""
    lines = [line for line in source.splitlines() if line.strip()]
    chapter = Chapter(lines[0].removeprefix("# "))
    chapter.add_page()
    draw = {
        "#": chapter.title_block, "##": chapter.heading, "!!": chapter.box_title, "!": chapter.box,
    }  # fmt: skip
    for line in lines:
        mark, _, text = line.partition(" ")
        if mark in draw:
            draw[mark](text)
        else:
            chapter.paragraph(line)
    return bytes(chapter.output())


def main() -> None:
    for source in sorted(HERE.glob("*.txt")):
        source.with_suffix(".pdf").write_bytes(build(source.read_text("utf-8")))


if __name__ == "__main__":
    main()
