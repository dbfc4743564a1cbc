"""What is judged of an answer is what a person reads: nothing hidden, and no fragment by itself."""

import pytest

from core.decide import verdict
from core.presets import preset
from core.text.answer_sentences import has_back_reference, read_answer
from core.text.claims import without_questions
from core.text.words import visible
from tests.support.traces import trace_of

FALSE = "Sound can travel through a vacuum"
LIE = FALSE.split()


def texts(answer):
    return [s.text for s in read_answer(answer, writer="given").sentences]


@pytest.mark.parametrize("answer", [
    "\n".join(LIE), "\r\n".join(LIE), "\n".join(word.title() for word in LIE), "- " + "\n- ".join(LIE),
    "; ".join(LIE), ". ".join(word.title() for word in LIE) + ".", "Sound can\nTravel through\nA vacuum",
])  # fmt: skip
def test_words_that_stand_alone_are_judged_together(answer):
    (one,) = texts(answer)
    assert one.lower().replace(".", "").split() == [word.lower() for word in LIE]


def test_a_line_that_goes_on_is_one_sentence_and_a_new_statement_is_another():
    assert texts("Sound needs a medium\nto travel in.\nA drum vibrates") == [
        "Sound needs a medium to travel in.", "A drum vibrates",
    ]  # fmt: skip
    assert texts("Yes. Sound needs a medium [1].\nHeat flows to cold [2].") == [
        "Yes. Sound needs a medium.", "Heat flows to cold.",
    ]  # fmt: skip
    assert texts("Chlorophyll") == ["Chlorophyll"]


@pytest.mark.parametrize(("written", "seen"), [
    ("Sound\0 can\u200bnot tra\u00advel", "Sound cannot travel"), ("\ufeffSound\u2060 is\u202e fast", "Sound is fast"),
    ("Sound n\u0336o\u0336t\u0336 fast", "Sound not fast"), ("9\u20d2 m", "9 m"), ("a\u0085b\tc\x1bd", "a b cd"),
    ("tag\U000e0041\U000e007f \u3164end\ufe0f", "tag end"), ("half \ud800 of it", "half  of it"),
])  # fmt: skip
def test_what_does_not_show_is_no_part_of_an_answer(written, seen):
    draft = read_answer(written, writer="given")
    assert visible(written) == draft.text == seen and texts(written) == [" ".join(seen.split())]


@pytest.mark.parametrize("text", [
    "क्‍ष और ज्ञ में प्रकाश", "E = mc² and H₂O at 10⁻³ °C", "café naïve", "one\ntwo", "می‌خواهم",
])  # fmt: skip
def test_what_shows_stays(text):
    assert visible(text) == text


def test_a_statement_in_pieces_never_goes_out_in_part(make_case, models):
    answer = "\n".join(("An", "arithmetic", "progression", "is", "not", "a", "list", "of", "numbers"))
    found = verdict(trace_of(models, make_case(answer)), preset("default"))
    assert found.route != "deliver_part" and found.delivery is None


@pytest.mark.parametrize(("passage", "silent"), [
    (("Kites rise in moving air.", "Why does a kite fall when the wind stops?"), {1}),
    (("Why does a kite fall?", "It falls because the wind has stopped."), set()),
    (("2. Why does a kite fall?", "Look at the wind."), {0}),
    (("A kite is light.", "Do you know that a kite needs no motor?"), set()),
    (("Why does it rise?", "What carries it?"), {0, 1}),
    (("4. Explain why a kite needs a tail.", "A tail keeps the kite upright."), {0}),
    (("7.A kite of 200 g hangs in the wind.", "Its string is tied to a post.", "Find the pull of the string."), {0, 1, 2}),
    (("1. The frame is cut from bamboo.", "2. Paper is glued to the frame."), set()),
    (("4.2 Kites", "A kite needs wind.", "Have you flown one?"), {2}),
    (("A kite hangs still.", "Mark 'T' if the statement is true and 'F' if it is false."), {1}),
    (("12. For the following statements, write T for true and F for false.", "A kite has a tail."), {0}),
    (("Convert the following speeds to km/h.", "A kite rises."), {0}),
    (("3. A kite rises on a string.", "Its height will be (a) 30 m (b) 40 m"), {0, 1}),
    (("State laws forbid strings with glass on them.", "Show kites are larger.", "Find spots without trees."), set()),
    (("1. A kite is light.", *["It sails."] * 9, "Name the parts of a kite."), {10}),
])  # fmt: skip
def test_what_a_pupil_is_asked_tells_nothing(passage, silent):
    assert without_questions(passage) == tuple("" if n in silent else s for n, s in enumerate(passage))


@pytest.mark.parametrize(("sentence", "points"), [
    ("Most famously, she rebuilt the old stepwell.", True), ("In 1920 he came back to his village.", True),
    ("Later that year, they left the fort.", True), ("After the long war, he wrote a book.", True),
    ("Queen Devika rebuilt the stepwell.", False), ("When people save water, they help the village.", False),
    ("In 1920 the poet came back.", False), ("Farmers say that they need rain.", False),
])  # fmt: skip
def test_a_person_who_is_not_named_points_back(sentence, points):
    assert has_back_reference(sentence) is points
