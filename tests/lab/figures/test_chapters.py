"""Chapters laid out as PDFs can be read back, and what is measured on them is numbers only."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from core.decide import verdict
from core.lab.figure_files import without_date
from core.lab.figures.chapter_pdfs import build, laid_out, printable
from core.lab.figures.chapters import numbers_only, says_more
from core.library.pdf_reader import read_pages
from core.presets import preset
from tests.support.traces import deep

MEASURED = Path(__file__).parents[3] / "data" / "measured"
TEXT = "Sound\nSound needs a medium – it can’t cross empty space.\nIt moves at 343 m/s at 20 °C.\n"


def test_signs_outside_the_core_fonts_are_spelled_out():
    assert printable("“α → β”, H₂O at 5 Ω ≥ 4") == '"alpha -> beta", H2O at 5 ohm >= 4'


def test_letters_that_no_core_font_has_are_left_out():
    assert printable("ध sound\x0c") == " sound"


def test_the_same_text_makes_the_same_bytes():
    assert laid_out(TEXT) == laid_out(TEXT)


def test_what_was_laid_out_is_read_back_line_by_line():
    (page,) = read_pages(laid_out(TEXT), "sound.pdf")
    assert [line.text for line in page.lines][:2] == ["Sound", "Sound needs a medium - it can't cross empty space."]


def test_every_chapter_becomes_a_file_under_its_name(tmp_path):
    (tmp_path / "ncert_qa").mkdir()
    with gzip.open(tmp_path / "ncert_qa" / "chapters.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps({"document": d, "text": TEXT}) + "\n" for d in ("iesc111.pdf", "../hesc110.pdf"))
    paths = build(tmp_path, tmp_path / "out")
    assert sorted(p.relative_to(tmp_path / "out").name for p in paths) == ["hesc110.pdf", "iesc111.pdf"]
    assert all(p.parent == tmp_path / "out" and p.read_bytes().startswith(b"%PDF") for p in paths)


@pytest.mark.parametrize(
    ("altered", "goes_out"),
    [("Bananas rarely wander through purple corridors.", False), ("It is a list of numbers.", True)],
)
def test_an_altered_answer_goes_out_only_when_what_was_altered_does(make_case, models, altered, goes_out):
    kept = "An arithmetic progression is a list of numbers."
    found = verdict(deep(models, make_case(f"{kept} {altered}")), preset("as_printed"))
    assert found.answered and kept in found.answer
    assert says_more(found, f"{kept} It is a list of terms.") == goes_out
    assert not says_more(found, f"{kept} {altered}")


@pytest.mark.parametrize("name", ["ncert_qa", "chapter_pairs", "reading"])
def test_measured_figures_hold_no_text(name):
    numbers_only(without_date(json.loads((MEASURED / f"{name}.json").read_text(encoding="utf-8"))))


def test_a_text_among_the_figures_is_refused():
    with pytest.raises(ValueError, match="only numbers"):
        numbers_only({"presets": {"default": ["a sentence"]}})
    numbers_only({"share": 0.5, "interval": [np.nan, None], "count": 3})
