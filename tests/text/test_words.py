"""Sentences, words and answers are read as people read them, in whichever spelling."""

import pytest

from core.text.answer_sentences import MAX_CHARACTERS, read_answer
from core.text.words import contains_fact, content, length, one_spelling, overlap, stem, words


def test_stems_meet():
    for one, other in [
        ("plants", "plant"),
        ("reflected", "reflect"),
        ("bodies", "body"),
        ("moving", "moved"),
    ]:
        assert stem(one) == stem(other)


def test_overlap_counts_content_words_only():
    assert overlap("The plant is green", "A green plant") == 1
    assert overlap("The plant is red", "A green plant") == 0.5
    assert overlap("the of and", "the of and") == 0
    assert content("It is a list of 3 numbers") == ("list", "3", "number")


def test_marks_are_read_and_taken_out():
    draft = read_answer("Sound travels. [1] It needs air [2, 3][4]. Silence.", writer="given")
    assert [(s.text, s.citations) for s in draft.sentences] == [
        ("Sound travels.", (1,)), ("It needs air.", (2, 3, 4)), ("Silence.", ()),
    ]  # fmt: skip


@pytest.mark.parametrize("answer", [
    "Plants make food.Oxygen is not given out.", "- Plants make food\n- Oxygen is not given out",
    "1. Plants make food\n2. Oxygen is not given out", "Plants make food; oxygen is not given out.",
    "It has vitamin C. Lack of it harms.", "The answer is no. Plants breathe.",
    "Scurvy is caused by a lack of vitamin C. It is cured by nothing.", "The beam starts at point P. Hence, it is seen.",
    "The wire runs from A to B. The current flows back.",
])  # fmt: skip
def test_no_sentence_hides_behind_another(answer):
    assert len(read_answer(answer, writer="given").sentences) == 2


def test_an_answer_full_of_white_space_is_read_at_once():
    """A pattern that goes back over white space would take hours for the longest answer that is allowed."""
    for blank in ("\n", " ", " \n", "\t\r\n"):
        space = (blank * MAX_CHARACTERS)[: MAX_CHARACTERS - 20]
        (sentence,) = read_answer(f"Sound is a wave.{space}[1]", writer="given").sentences
        assert (sentence.text, sentence.citations) == ("Sound is a wave.", (1,))


def test_a_mark_on_a_line_of_its_own_belongs_to_the_sentence_before():
    draft = read_answer("Plants make food.\n[1]\nThey need light.\n  [2]", writer="given")
    assert [(s.text, s.citations) for s in draft.sentences] == [("Plants make food.", (1,)), ("They need light.", (2,))]


def test_a_number_in_brackets_inside_a_clause_is_part_of_what_is_said():
    sentence = read_answer("There are [2] chambers in the heart [1], and it beats [3].", writer="given").sentences[0]
    assert (sentence.text, sentence.citations) == ("There are [2] chambers in the heart, and it beats.", (1, 3))


def test_text_that_looks_like_code_stays_text():
    hostile = "<script>alert(1)</script> {0} %s ${x} __import__('os')."
    assert read_answer(hostile, writer="given").sentences[0].text == hostile


def test_a_hindi_word_keeps_its_vowel_signs_and_a_mark_stands_before_the_danda():
    assert words("पौधे में हरी पत्ती है।") == ("पौधे", "में", "हरी", "पत्ती", "है")
    said = read_answer("पौधे भोजन बनाते हैं [1]। वे हरे हैं [2]।", writer="given").sentences
    assert [s.citations for s in said] == [(1,), (2,)]
    assert said[0].text == "पौधे भोजन बनाते हैं।"


@pytest.mark.parametrize(("text", "fact"), [
    ("The COLOUR is  white.", "color is white"), ("It organises the fibres.", "organizes the fibers"),
    ("Twenty-five metres", "25 meters"), ("about two thousand five hundred", "2,500"), ("a hundred times", "100 times"),
    ("blue-green water", "blue green"), ("one fiftieth of 1,376 kilometres", "1376 kilometres"),
    ("an area of 5 percent", "5 per cent"), ("46 % of it", "46 per cent"), ("CO₂ and H₂O", "CO~2~"),
    ("g is 1.6 m/s².", "1.6 m/s^2^"), ("s = ½at²", "½at^2^"), ("S = n(a+l)/2", "n(a + l)/2"),
    ("It loses −2.8.", "-2.8"), ("It is red. [1]", "red"), ("ten magnets [2, 3].", "magnet"),
    ("The alga's food", "alga's food"), ("It is crimson.", "red | crimson"), ("It is red.", "red | crimson"),
    ("Vapour, sulphur and water", "vapor sulfur and water"), ("In 1992, it began.", "1992"),
])  # fmt: skip
def test_a_fact_is_found_in_another_spelling(text, fact):
    assert contains_fact(text, fact)


@pytest.mark.parametrize(("text", "fact"), [
    ("It is 15 m long.", "5 m"), ("It weighs 2.5 kg.", "5 kg"), ("a pinkish leaf", "pink"), ("It is 5.5.", "5"),
    ("It lasts 50 days.", "5 days"), ("It takes 5 ms.", "5 m"), ("between twenty and thirty", "50"),
    ("It lies 20 metres down.", "2 metres"), ("Ask your neighbour.", "for"), ("Nothing is there.", ""),
    ("x - 16 is it", "x - 1"),
])  # fmt: skip
def test_another_fact_is_not(text, fact):
    assert not contains_fact(text, fact)


def test_what_is_no_ending_stays():
    assert one_spelling("four hours of sour rise") == "4 hours of sour rise"


def test_length_leaves_citation_marks_out():
    assert length("It is red. [1] It is hot. [2, 3]") == (2, 6)


def test_a_letter_with_an_accent_is_the_letter():
    assert words("The Moḍī script, a café; क़लम") == ("the", "modi", "script", "a", "cafe", *words("क़लम"))
    assert content("Chhatrapatī") == content("chhatrapati") and words("क़लम") != words("कलम")
