"""Lines become parts, and parts running text, with no sentence broken and every word in its place."""

import pytest

from core.library.passages import sentences_of
from core.pdf.line_types import typed_lines
from core.pdf.paragraphs import Part, ends_block, parts
from core.pdf.text_blocks import block
from core.pdf.text_cleaning import whole_words
from tests.support.page_lines import EM, HEIGHT, LEADING, SIZE, WIDTH, line, page, page_with

SMALL = {"size": 8.0, "italic": True}
FILLED = "The vocal cords of a person are stretched across the larynx in such a way that"


def found(*pages):
    return [(part.kind, " / ".join(n.text for n in part.lines)) for part in parts(typed_lines(pages))]


def test_a_caption_inside_a_sentence_waits_for_its_end():
    lines = (
        FILLED,
        line("Fig. 10.8 : Voice box", 2, **SMALL),
        line("they leave a narrow slit.", 4),
        line("It opens.", 5),
    )
    assert found(page(*lines)) == [
        ("prose", f"{FILLED} / they leave a narrow slit. / It opens."), ("caption", "Fig. 10.8 : Voice box"),
    ]  # fmt: skip


def test_a_box_inside_a_sentence_waits_also_over_a_page_break():
    box = (70.0, 95.0, 300.0, 130.0)
    first = page(FILLED, line("When we speak, do we", 2, box=0), line("feel anything?", 3, box=0), boxes=(box,))
    second = page("they leave a narrow slit.", number=2)
    assert found(first, second) == [
        ("prose", f"{FILLED} / they leave a narrow slit."), ("box", "When we speak, do we / feel anything?"),
    ]  # fmt: skip


def test_a_caption_after_a_sentence_stays_where_it_is():
    lines = ("The cords vibrate.", line("Fig. 10.8 : Voice box", 2, **SMALL), line("The lungs force air through.", 4))
    assert [kind for kind, _ in found(page(*lines))] == ["prose", "caption", "prose"]


def test_words_in_italics_inside_a_sentence_are_no_part_of_it():
    """A quotation at the edge of a page: its author does not go on as the text."""
    lines = (FILLED, line("— Tansen", 4, italic=True), line("they leave a narrow slit.", 8))
    assert found(page(*lines)) == [("prose", f"{FILLED} / they leave a narrow slit."), ("prose", "— Tansen")]


def test_a_caption_under_another_one_is_a_part_of_its_own():
    lines = ("The cords vibrate.", line("Fig. 3.1: Maize", 2, **SMALL), line("Fig. 3.2: A field", 3, **SMALL))
    assert [text for kind, text in found(page(*lines)) if kind == "caption"] == ["Fig. 3.1: Maize", "Fig. 3.2: A field"]


def test_a_new_sentence_does_not_go_on_an_open_one():
    title = FILLED.removesuffix(" in such a way that")
    lines = (title, line("Fig. 10.8 : Voice box", 2, **SMALL), line("Air passes through the slit.", 4))
    assert found(page(*lines))[0] == ("prose", title)


def test_a_box_goes_on_in_the_first_box_of_the_next_page():
    box = (70.0, 60.0, 400.0, 130.0)
    first = page(line("Put your mouth on the", box=0), line("glass, and on the", 1, box=0), boxes=(box,))
    second = page(line("opening between your hands.", box=0), line("Is it loud?", 1, box=0), number=2, boxes=(box,))
    (text,) = (text for kind, text in found(first, second) if kind == "box")
    assert text.startswith("Put your mouth on the / glass, and on the / opening between your hands.")


def test_a_box_over_three_pages_keeps_all_of_its_text():
    box, texts = (70.0, 60.0, 400.0, 130.0), ("Put your mouth on the", "glass, and on the", "opening of your hands.")
    pages = [page(line(text, box=0), number=n, boxes=(box,)) for n, text in enumerate(texts, 1)]
    assert found(*pages) == [("box", " / ".join(texts))]


def test_items_of_a_list_are_parts_of_their_own():
    lines = (
        "Changes can be of these kinds:",
        "• change in state",
        "• change in colour",
        "(a) a wave",
        "2. What is sound?",
    )
    assert [text for _, text in found(page(*lines))] == list(lines)


def test_the_number_of_an_item_is_read_with_it_however_far_it_stands():
    item = (line("(d)", 1, left=50.0), line("Iron salt and water are produced.", 1, left=85.0))
    after = (line("4.", 2, left=40.0), line("What is a balanced equation?", 2))
    assert [text for _, text in found(page("No reaction takes place", *item, *after))] == [
        "No reaction takes place", "(d) / Iron salt and water are produced.", "4. / What is a balanced equation?",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line_", "after", "ends"),
    [
        ("The Title", "It begins here.", True),
        ("a line that is nearly as long as a full one goes", "On it runs", False),
        ("a short one", "and on it goes", False),
        ("C + O2 → CO2 (1.2)", "Count the atoms on both sides.", True),
        ("C + O2 → CO2 (1.2)", "where C is carbon.", False),
        ("short, but not ended,", "The line", False),
    ],
)
def test_blocks_end_where_a_line_stops_short_or_a_formula_ends(line_, after, ends):
    assert ends_block(line_, after, 60) is ends


def test_a_letter_or_number_that_ends_a_sentence_begins_no_item():
    lines = ("The scooter of Farida speeds up from six to fourteen metres a second in 4", "s. She then brakes.")
    assert [text for _, text in found(page(*lines))] == [" / ".join(lines)]


def test_a_formula_or_a_label_after_a_sentence_is_a_part_of_its_own():
    lines = ("The total time is 50 minutes.", "average speed = 12 ÷ 50")
    assert [text for _, text in found(page(*lines))] == list(lines)
    far = (line("The eardrum is delicate."), line("outer ear", 4))
    assert len(found(page(*far))) == 2


def read(*lines):
    found = typed_lines([page(*lines)])
    return block(Part(kind="prose", lines=tuple(found)), whole_words(line.text for line in found))


def test_a_word_that_a_line_end_breaks_is_one_and_has_two_places():
    text = read("a chemi-", "cal change")
    assert text.text == "a chemical change"
    start = text.text.index("chemical")
    places = text.rects_of(start, start + len("chemical"))
    assert len(places) == 2 and places[0][2] < places[1][2]


def test_the_places_of_a_sentence_are_its_lines():
    text = read("Light is fast. Sound", "is slow.")
    start = text.text.index("Sound")
    first, second = text.rects_of(start, len(text.text))
    left = 72 + EM * len("Light is fast. ")
    assert first[0] == 1
    assert first[1:] == pytest.approx((left / WIDTH, 72 / HEIGHT, (left + 25) / WIDTH, (72 + SIZE) / HEIGHT), abs=1e-3)
    assert second[2] == pytest.approx((72 + LEADING) / HEIGHT, abs=1e-3)


def test_a_sentence_over_a_page_break_stands_on_both_pages():
    (spoken,) = sentences_of(page_with("The speed of light is much", "greater than that of sound."))
    assert [place[0] for place in spoken.rects] == [1, 2] and spoken.page == 1


def test_places_never_leave_the_page():
    spoken = [*sentences_of([page("word " * 300)])]
    assert len(spoken) == 2 and all(0 <= share <= 1 for s in spoken for place in s.rects for share in place[1:])
