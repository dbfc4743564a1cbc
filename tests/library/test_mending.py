"""Small repairs: each does one thing, and leaves what is right alone."""

import pytest

from core.library.text_repair import mended, readable, seam, whole_words, without_echo
from tests.library.laid import page


def met(before, after, *document):
    text, between = seam(before, after, whole_words([before, after, *document]))
    return text + between + after


@pytest.mark.parametrize(
    ("before", "after", "whole"),
    [
        ("the chemi-", "cal change", "the chemical change"),
        ("the atmo-", "sphere", "the atmosphere"),
        ("an in-", "crease of heat", "an increase of heat"),
        ("a soft\u00ad", "ened edge", "a softened edge"),
        ("a well-", "known fact", "a well-known fact"),
        ("the X-", "Ray tube", "the X-Ray tube"),
        ("CFC-", "11 is a gas", "CFC-11 is a gas"),
        ("sound –", "a vibration", "sound – a vibration"),
        ("plain", "lines", "plain lines"),
    ],
)
def test_words_broken_at_a_line_end_are_joined_and_hyphens_kept(before, after, whole):
    assert met(before, after) == whole


def test_the_document_itself_decides_about_a_hyphen():
    assert met("called near-", "sightedness.", "In near-sightedness the eye") == "called near-sightedness."
    assert met("heard light-", "ning", "We saw lightning and light") == "heard lightning"
    assert met("a light-", "sensitive cell", "The light falls") == "a light-sensitive cell"


@pytest.mark.parametrize(
    ("line", "once"),
    [
        ("Activity 1.7" * 5, "Activity 1.7"),
        ("KEYWORDS " * 5, "KEYWORDS"),
        ("1.2 PLANTS1.2 PLA NTS1.2 PLANTS", "1.2 PLANTS"),
        ("Figure 2 Figure 2 Figure 2 Figure 2 Figure 2 (a) A leaf", "Figure 2 (a) A leaf"),
        ("ALPHABE ALPHABE ALPHABE ALPHABE TSTSTSTS", "ALPHABE TSTSTSTS"),
    ],
)
def test_headings_printed_over_themselves_are_read_once(line, once):
    assert without_echo(line.strip()) == once


@pytest.mark.parametrize(
    "line",
    [
        "a + a + a + a + a",
        "1 1 1 1 1 1 1 1",
        "2000 + 2000 + 2000 + 2000",
        "Hear, hear, hear, hear",
        "12341234",
    ],
)
def test_what_repeats_with_reason_stays(line):
    assert without_echo(line) == line


def test_lines_hold_only_what_can_be_stored():
    assert readable("\ufb01nd\x00 the\tﬂow\ud835 . . . on") == "find the flow ... on"
    assert readable("soft\u00adened") == "softened"
    assert readable("किसान खेत में") == "किसान खेत में"


def test_a_mended_page_keeps_the_places_of_its_words():
    before = page("\ufb01nd the ﬂow", "\x00", "plain words")
    after = mended(before)
    assert [line.text for line in after.lines] == ["find the flow", "plain words"]
    assert after.lines[1] == before.lines[2]
    assert after.lines[0].left == before.lines[0].left and after.lines[0].right == before.lines[0].right
