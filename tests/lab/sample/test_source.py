"""Whatever the source format does not know is refused, with its line."""

import re

import pytest

from core.lab.sample.build import build
from core.lab.sample.source import SourceError, parse_chapter
from tests.lab.sample.sources import chapter


@pytest.mark.parametrize(
    ("lines", "line", "words"),
    [
        (["[activty] Title", "text", "[end]"], 3, "[activty] is unknown"),
        (["text", "[note] Title", "text"], 4, "[note] is never closed"),
        (["[note] Title", "[table] Table 1: a", "a | b", "[end]", "[end]"], 4, "inside [note] of line 3"),
        (["[note] Title", "## 12.1 Heading", "[end]"], 4, "a heading stands inside [note] of line 3"),
        (["text", "[end]"], 4, "[end] closes nothing"),
        (["[note] Title", "[end]"], 3, "[note] is empty"),
        (["[table] Table 1: a", "a | b", "1 | 2", "1 | 2 | 3", "[end]"], 6, "3 cells and the header row has 2"),
        (["[table]", "a | b", "[end]"], 3, "[table] has no caption"),
        (["[formula]"], 3, "[formula] is empty"),
        (["[figure] Fig. 1: a", "pie: a=1", "[end]"], 4, "the drawing 'pie' is unknown"),
        (["[figure] Fig. 1: a", "flow: a -> b", "flow: a -> b", "[end]"], 5, "a figure holds one line"),
        (["[figure] Fig. 1: a", "flow: a", "[end]"], 4, "cannot be drawn; write two steps"),
        (["[figure] Fig. 1: a", "bars: a=1, b | m", "[end]"], 4, "cannot be drawn; write values"),
        (["[figure] Fig. 1: a", "bars: a=-1 | m", "[end]"], 4, "cannot be drawn; write values"),
        (["[figure] Fig. 1: a", "bars: a=1", "[end]"], 4, "cannot be drawn; write values"),
        (["[figure] Fig. 1: a", "plot: 0,0; 1 | s | m", "[end]"], 4, "cannot be drawn; write two points"),
        (["#### Heading"], 3, "is no heading"),
        (["", "one ~ alone"], 4, "has no partner"),
        (["Καλημέρα"], 3, "U+039A cannot be set"),
    ],
)
def test_what_the_format_does_not_know_is_named_with_its_line(lines, line, words):
    with pytest.raises(SourceError, match=re.escape(words)) as error:
        parse_chapter(chapter(*lines))
    assert str(error.value).startswith(f"Line {line}: ") and str(error.value).endswith(".")


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("", 1),
        ("Title\n= class 9 | Physics | chapter 12 | columns 1", 1),
        ("# Title", 2),
        ("# Title\n= class nine | Physics | chapter 12 | columns 1", 2),
        ("# Title\n= class 9 | Physics | chapter 12 | columns 3", 2),
        ("# Title\n= class 9 | Physics | 12 | columns 1", 2),
    ],
)
def test_a_bad_title_or_header_is_named(source, line):
    with pytest.raises(SourceError, match=f"^Line {line}: "):
        parse_chapter(source)


@pytest.mark.parametrize(
    "lines",
    [
        ["x" * 120],
        ["[table] Table 1: a", "|".join("abcdefghij" * 2 for _ in range(5)), "[end]"],
        ["[figure] Fig. 1: a", "flow: " + "w" * 80 + " -> b", "[end]"],
        ["[figure] Fig. 1: a", f"bars: {', '.join(f'elephant{n}={n}' for n in range(12))} | kg", "[end]"],
    ],
)
def test_what_has_no_room_in_its_column_is_named_with_its_line(lines):
    with pytest.raises(SourceError, match=r"^Line 3: .*points"):
        build(chapter(*lines, columns=2))
