"""The builder of the sample: real PDFs made on the spot and read back."""

import io
import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pypdfium2
import pytest
from pypdf import PdfReader

import core.lab.sample.build as builder
from core.lab.sample.build import build, build_folder
from core.lab.sample.figures import ticks_of
from core.lab.sample.source import SIGNS, SourceError
from core.lab.sample.typography import TINTS
from tests.lab.sample.sources import EVERYTHING, FOX, LONG, chapter


def texts(pdf):
    return [page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages]


def letters(pdf):
    """Every printed character of every page with its left, bottom, right and top, in points."""
    for page in pypdfium2.PdfDocument(pdf):
        text = page.get_textpage()
        count = text.count_chars()
        yield [
            (text.get_text_range(i, 1), *text.get_charbox(i)) for i in range(count) if text.get_text_range(i, 1).strip()
        ]


def all_words(source):
    """The words of a source as they are read in the PDF, wherever they stand."""
    source = re.sub(r"\[\w*\]|^(?:#+ |- |flow:)|\||->", " ", source, flags=re.MULTILINE)
    return Counter(re.sub(r"[~^]", "", source).split())


@pytest.mark.parametrize("columns", [1, 2])
def test_every_word_is_read_back(columns):
    prose = [line for line in EVERYTHING if not line.startswith(("bars:", "plot:"))]
    read_back = Counter(word for text in texts(build(chapter(*EVERYTHING, columns=columns))) for word in text.split())
    missing = all_words("\n".join(prose)) - read_back
    assert not missing
    assert read_back["•"] == 3 and {"fog", "brine", "steel", "5000.5", "1990", "−5"} <= set(read_back)


def clashes(page):
    """Characters that stand on one another."""
    boxes = sorted(page, key=lambda box: box[1])
    for place, (a, _, a_low, a_right, a_high) in enumerate(boxes):
        for b, b_left, b_low, _, b_high in boxes[place + 1 :]:
            if b_left > a_right - 1.5:
                break
            if min(a_high, b_high) - max(a_low, b_low) > 1.5:
                yield a + b


@pytest.mark.parametrize("columns", [1, 2])
def test_nothing_leaves_its_column_or_stands_on_other_letters(columns):
    formulas = [f"[formula] y = {'x + ' * n}x    (12.{n})" for n in range(8, 30)]
    for page in letters(build(chapter(*EVERYTHING, *formulas, columns=columns))):
        assert list(clashes(page)) == []
        for _, left, bottom, right, top in page:
            assert left > 55 and right < 595 - 55 and bottom > 55 and top < 842 - 35
            assert columns == 1 or top > 650 or not left < 297 < right


@pytest.mark.parametrize("reader", ["pypdf", "pdfium"])
def test_every_sign_is_read_back_as_itself(reader):
    signs = [*SIGNS, *"–—‘’“”•×÷°±²³½µéÿ"]
    pdf = build(chapter(" ".join(f"a {sign} b" for sign in signs)))
    text = texts(pdf)[0] if reader == "pypdf" else pypdfium2.PdfDocument(pdf)[0].get_textpage().get_text_range()
    assert [sign for sign in signs if f"a {sign} b" not in " ".join(text.split())] == []


def test_subscripts_are_smaller_and_stay_with_their_word_in_a_justified_line():
    pdf = build(chapter(f"Water is H~2~O and its area 5 m^2^ or a~n~ of them. {FOX} {FOX}"))
    assert "Water is H2O and its area 5 m2 or an of them." in " ".join(texts(pdf)[0].split())
    assert " 5 m2 or an of them." in pypdfium2.PdfDocument(pdf)[0].get_textpage().get_text_range()
    page = next(letters(pdf))
    water = "".join(box[0] for box in page).index("H2O")
    (_, _, low, _, high), (_, _, sub_low, _, sub_high) = page[water : water + 2]
    assert sub_low < low and sub_high - sub_low < 0.8 * (high - low)


def test_left_and_right_pages_have_their_own_heads_and_the_first_has_none():
    heads = [text.splitlines()[0] for text in texts(build(chapter(*[LONG] * 8)))]
    assert heads == ["CHAPTER 12", "2 PHYSICS", "SMALL WORLDS 3"]


def test_two_columns_are_read_one_after_the_other():
    pdf = build(chapter(*[f"Paragraph {n} begins. {LONG}" for n in range(9)], columns=2))
    numbers = [int(n) for n in re.findall(r"Paragraph\s(\d+)", " ".join(texts(pdf)))]
    assert numbers == list(range(9))
    first = next(letters(pdf))
    assert {round(left) for _, left, _, _, _ in first} & set(range(300, 320))


def test_a_flow_stands_in_the_middle_with_its_steps_in_order():
    page = next(letters(build(chapter("[figure] Fig. 12.1: Three steps", "flow: U -> V -> W", "[end]"))))
    middles = {letter: (left + right) / 2 for letter, left, _, right, _ in page if letter in "UVW"}
    assert middles["V"] == pytest.approx(595.28 / 2, abs=1)
    assert middles["U"] < middles["V"] - 30 < middles["W"] - 60


def test_a_box_goes_on_over_a_page_break_with_its_tint():
    pdf = build(chapter(LONG, "[activity] Activity 12.1 Long", *[LONG] * 3, "[end]", FOX))
    tint = " ".join(f"{part / 255:.4f}"[:5] for part in TINTS["activity"])
    pages = [page.get_contents().get_data().decode("latin-1") for page in PdfReader(io.BytesIO(pdf)).pages]
    filled = [re.sub(r"(0\.\d{3})\d*", r"\1", page).count(f"{tint} rg") for page in pages]
    assert filled == [1, 1]
    assert [text.count("Activity 12.1") for text in texts(pdf)] == [1, 0]


@pytest.mark.parametrize("columns", [1, 2])
def test_no_heading_and_no_single_line_is_left_alone(columns):
    lines = [f"Line of section {n}. {FOX * (n % 7 + 1)} End of it." for n in range(60)]
    sections = [line for n, text in enumerate(lines) for line in (f"## 12.{n + 1} Heading {n}", text)]
    for text in texts(build(chapter(*sections, columns=columns))):
        last = text.splitlines()[-1]
        assert not re.match(r"12\.\d+", last)
        assert not last.startswith("Line of section") or last.endswith("End of it.")


def test_a_figure_without_room_waits_and_what_fits_whole_goes_before_it():
    figure = ["[figure] Fig. 12.1: Three", "bars: fog=1, brine=2, steel=3 | kilograms", "[end]"]
    first, second = texts(build(chapter(*[LONG] * 2, *[FOX] * 5, *figure, "Short and sweet.", LONG)))
    assert "Short and sweet." in first and "fog" not in first
    assert second.index("fog") < second.index("Fig. 12.1: Three") < second.index("sentence number 0")


@pytest.mark.parametrize("lines_above", range(1, 8))
def test_a_table_stays_whole_below_its_heading_and_caption(lines_above):
    table = ["[table] Table 12.1: Speeds", "Name | Speed", *[f"row {n} | {n}" for n in range(12)], "[end]"]
    pages = texts(build(chapter(*[LONG] * 2, *["Short."] * lines_above, "## 12.1 Speeds", *table)))
    page = next(text for text in pages if "12.1 Speeds" in text)
    lines = page[page.index("12.1 Speeds") :].splitlines()
    assert lines == ["12.1 Speeds", "Table 12.1: Speeds", "Name Speed", *[f"row {n} {n}" for n in range(12)]]


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ((0, 10, 15, 20), [0, 5, 10, 15, 20]),
        ((1, 10), [0, 2, 4, 6, 8, 10]),
        ((1990, 2020), [1990, 1995, 2000, 2005, 2010, 2015, 2020]),
        ((-5, 15), [-5, 0, 5, 10, 15]),
        ((0, 3), [0, 1, 2, 3]),
        ((0.5, 3), [0, 0.5, 1, 1.5, 2, 2.5, 3]),
        ((7, 7), [6, 8]),
    ],
)
def test_axes_have_round_ticks_around_their_values(values, ticks):
    assert ticks_of(tuple(map(float, values))) == pytest.approx(ticks)


def test_the_same_source_gives_the_same_bytes():
    assert build(chapter(*EVERYTHING)) == build(chapter(*EVERYTHING))


def test_a_folder_gets_its_pdfs_and_its_list(tmp_path):
    (tmp_path / "worlds.txt").write_text(chapter(FOX), "utf-8")
    (tmp_path / "maps.txt").write_text("# Maps\n= class 6 | Social Science | chapter A1 | columns 2\n\nNorth.", "utf-8")
    build_folder(tmp_path)
    assert json.loads((tmp_path / "library.json").read_text("utf-8")) == [
        {"file": "maps.pdf", "class_number": 6, "subject": "Social Science", "chapter": "A1"},
        {"file": "worlds.pdf", "class_number": 9, "subject": "Physics", "chapter": "12"},
    ]
    assert (tmp_path / "worlds.pdf").read_bytes() == build(chapter(FOX))


def test_nothing_is_written_when_a_source_is_wrong(tmp_path):
    (tmp_path / "good.txt").write_text(chapter(FOX), "utf-8")
    (tmp_path / "poor.txt").write_text(chapter("[nte] Title"), "utf-8")
    with pytest.raises(SourceError, match=r"^poor\.txt: Line 3: "):
        build_folder(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["good.txt", "poor.txt"]


def test_the_command_builds_the_sample_of_its_own_project(tmp_path):
    folder = tmp_path / "data" / "sample"
    folder.mkdir(parents=True)
    shutil.copytree(Path(builder.__file__).parent, tmp_path / "core" / "lab" / "sample")
    shutil.copy(builder.SAMPLE / "signs.ttf", folder)
    (folder / "worlds.txt").write_text(chapter(FOX), "utf-8")
    run = [sys.executable, "-m", "core.lab.sample.build"]
    assert subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=True).stdout == ""
    assert (folder / "worlds.pdf").read_bytes() == build(chapter(FOX))
    (folder / "worlds.txt").write_text(chapter("[end]"), "utf-8")
    failed = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert failed.returncode == 1
    assert failed.stderr == "worlds.txt: Line 3: [end] closes nothing; take it out, or open a block above it.\n"
