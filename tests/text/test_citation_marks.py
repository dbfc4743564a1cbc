"""Citation marks are read in every form and place, and what is no mark stays part of what is said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.answer_sentences import MAX_CHARACTERS, read_answer
from core.text.citation_marks import marks_in, without_marks
from core.writers.language_model import Completion, draft_of
from tests.support.citation_forms import FORMS, PLACES

SAID = ("A kite needs wind to rise", "It falls when the wind stops", "A tail keeps the kite upright")


def read(answer):
    return [(s.text, s.citations) for s in read_answer(answer, writer="given").sentences]


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("form", FORMS)
def test_a_mark_of_any_form_in_any_place_is_no_part_of_the_sentence_and_cites(form, place):
    answer = place.format(*SAID, m=form.format(2))
    assert read(answer) == [(f"{s}.", (2,)) for s in SAID]
    assert not any(s.unreadable for s in read_answer(answer, writer="given").sentences)


@given(st.lists(st.sampled_from(FORMS), min_size=3, max_size=3), st.lists(st.integers(1, 9), min_size=3, max_size=3))
def test_forms_that_are_mixed_are_all_read(forms, numbers):
    marks = [form.format(n) for form, n in zip(forms, numbers, strict=True)]
    answer = " ".join(f"{said} {mark}." for said, mark in zip(SAID, marks, strict=True))
    assert read(answer) == [(f"{said}.", (n,)) for said, n in zip(SAID, numbers, strict=True)]


@pytest.mark.parametrize(("mark", "numbers"), [
    ("[1, 2]", (1, 2)), ("[1;3]", (1, 3)), ("[1-3]", (1, 2, 3)), ("[1–3]", (1, 2, 3)), ("[1]-[3]", (1, 2, 3)),
    ("[1] – [2]", (1, 2)), ("[1][2]", (1, 2)), ("[1] [2]", (1, 2)), ("[1], [2] and [3]", (1, 2, 3)), ("[2 and 4]", (2, 4)),
    ("[Sources 1 and 2]", (1, 2)), ("[Source 1, Source 2]", (1, 2)), ("[1, p. 3; 2, p. 5]", (1, 2)), ("【1】【2】", (1, 2)),
    ("(1, 2)", (1, 2)), ("[1 to 3]", (1, 2, 3)), ("[^1][^2]", (1, 2)), ("[1,2,3]", (1, 2, 3)), ("[2 p. 3]", (2,)),
    ("[3, 1-2, 3]", (3, 1, 2)), ("¹", (1,)), ("¹,²", (1, 2)), ("[Doc 1; Doc 2, page 4]", (1, 2)), ("[0]", (0,)),
])  # fmt: skip
def test_lists_and_ranges_name_each_passage_once(mark, numbers):
    blank = "" if mark[0] in "¹" else " "
    assert read(f"A kite needs wind{blank}{mark}.") == [("A kite needs wind.", numbers)]


@pytest.mark.parametrize("text", [
    "The years [1947] were hard.", "There are [2] chambers in the heart.", "The ion [Fe(CN)6] is yellow.",
    "The value f(1) is 3.", "The item x[1] is 3.", "See Fig. (2) here.", "This is shown in part (1).",
    "The light year is 10¹⁶ m long.", "Its area is 5 m² and not 5 m³.", "Na⁺ and Ca²⁺ are ions.", "The unit is m s⁻¹.",
    "The area of a square is side².", "The number x lies in [0, 1] here.", "The point (1, 2) is on it.",
    "A hand has five (5) fingers.", "This follows from equation (1).", "The valency is (3).", "He was [sic] there.",
    "The charge is 2 (two).", "The kite rose to (62).", "He sang (i) and danced (ii).", "The value of sin(1) is known.",
    "The force is [5 N] here.", "In [July 2020] it rained.", "Water is m<sup>2</sup> here.", "It is 2^3 here.",
])  # fmt: skip
def test_other_brackets_and_powers_stay(text):
    assert read(text) == [(text, ())] and without_marks(text) == text


@pytest.mark.parametrize("mark", [
    "[citation needed]", "[source]", "[1, xyz]",
    "[Source A]", "[ref]", "[A Book of Kites, page 3]", "(page 3)", "(see p. 3)", "[kites.pdf]", "[1-900]", "[3-1]",
    "(source: a book)", "【4:0†source】", "[https://example.org]",
])  # fmt: skip
def test_a_citation_without_a_number_is_counted_as_one_that_cannot_be_read(mark):
    (one,) = read_answer(f"A kite needs wind to rise {mark}.", writer="given").sentences
    assert (one.text, one.citations, one.unreadable) == ("A kite needs wind to rise.", (), 1)


@pytest.mark.parametrize(("answer", "expected"), [
    ("A kite needs wind [1] to rise.", [("A kite needs wind to rise.", (1,))]),
    ("A kite needs wind (1). It falls without it (2).", [("A kite needs wind.", (1,)), ("It falls without it.", (2,))]),
    ("According to [2], a kite needs wind.", [("A kite needs wind.", (2,))]),
    ("According to passage 2, a kite needs wind.", [("A kite needs wind.", (2,))]),
    ("A kite needs wind, as stated in [2].", [("A kite needs wind.", (2,))]),
    ("They say “a kite needs wind” [1].", [("They say “a kite needs wind”.", (1,))]),
    ("A kite (of paper) [1] needs wind.", [("A kite (of paper) needs wind.", (1,))]),
    ("[2] A kite needs wind. [1] It falls without it.", [("A kite needs wind.", (2,)), ("It falls without it.", (1,))]),
    ("A kite needs wind [2]. [1] It falls without it.", [("A kite needs wind.", (2, 1)), ("It falls without it.", ())]),
    ("A kite needs wind [1]; it falls without it [2].", [("A kite needs wind", (1,)), ("it falls without it.", (2,))]),
])  # fmt: skip
def test_a_mark_goes_to_the_sentence_where_it_stands(answer, expected):
    assert read(answer) == expected


def test_numbers_of_items_are_no_marks():
    assert not marks_in("Do two things: (1) fold the paper and (2) tie the string.")
    assert not marks_in("(1) Fold the paper. (2) Tie the string.")
    assert not marks_in("(1) Fold the paper\n(2) Tie the string")
    assert read("(1) Fold the paper") == [("Fold the paper", ())]


@pytest.mark.parametrize("answer", ["Sound needs ( ) a medium.", "[ ] Sound needs a medium.", "The sum is ( )."])
def test_a_blank_to_fill_in_is_no_mark(answer):
    assert not marks_in(answer)
    assert read(answer) == [(answer, ())]


@pytest.mark.parametrize(("answer", "cited"), [
    ("A kite rises. It needs wind. A tail helps it [1].", [(1,), (1,), (1,)]),
    ("A kite rises [1]. It needs wind. A tail helps it.", [(1,), (1,), (1,)]),
    ("A kite rises. It needs wind [1]. A tail helps it.", [(), (1,), ()]),
    ("A kite rises [1]. It needs wind. A tail helps it [2].", [(1,), (), (2,)]),
    ("A kite rises. It needs wind [1].\n\nA tail helps it. It is light [2].", [(1,), (1,), (2,), (2,)]),
    ("A kite rises. It needs wind [1].\n\nA tail helps it.", [(1,), (1,), ()]),
    ("- A kite rises\n- It needs wind\n- A tail helps it [1]", [(1,), (1,), (1,)]),
])  # fmt: skip
def test_one_mark_for_a_paragraph_cites_all_of_it(answer, cited):
    assert [c for _, c in read(answer)] == cited


@pytest.mark.parametrize("sources", [
    "Sources:\n[1] A Book of Kites, page 3", "References:\n1. A Book of Kites, page 3\n2. Wind and Weather, Class 9",
    "**Sources**\n- A Book of Kites", "## References\n\n[1] https://example.org/kites", "Citations: [1]", "Sources: 1, 2",
    "[^1]: A Book of Kites, page 3", "[1] A Book of Kites, p. 3", "Source: A Book of Kites", "Sources:\n[1]\n[2]",
    "---\n**References:**\n1. kites.pdf, page 3", "Passages used: Passage 1, Passage 2",
])  # fmt: skip
def test_a_list_of_sources_is_no_claim(sources):
    assert read(f"A kite needs wind to rise [1].\n\n{sources}") == [("A kite needs wind to rise.", (1,))]


@pytest.mark.parametrize(("sources", "cited"), [
    ("\n\nSources: [1]", (1,)), (" Sources: [1], [2]", (1, 2)), ("\nReferences:\n[1]\n[2]", (1, 2)), ("\n\nSources: 1, 2", (1, 2)),
    ("\n\nSource: Passage 2", (2,)), (" (Sources: [1, 2])", (1, 2)),
])  # fmt: skip
def test_a_list_of_numbers_cites_the_whole_answer(sources, cited):
    assert read(f"A kite needs wind. It falls without it.{sources}") == [
        ("A kite needs wind.", cited), ("It falls without it.", cited),
    ]  # fmt: skip


@pytest.mark.parametrize("claim", [
    "[1] Sound can travel through a vacuum", "Sound travels in a vacuum", "- kites fly without wind https://example.org",
])  # fmt: skip
def test_a_claim_under_the_heading_of_the_sources_is_judged(claim):
    said = " ".join(text for text, _ in read(f"A kite needs wind to rise [1].\n\nSources:\n{claim}"))
    assert claim.split()[-3] in said and claim.split()[-2] in said


@pytest.mark.parametrize(("answer", "texts"), [
    ("Kites need two things:\n1. **Wind** from the sea\n2. *Paper* of one sheet",
     ["Kites need: Wind from the sea", "Kites need: Paper of one sheet"]),
    ("Kites need three things:\n\n- `Wind`\n\n- Paper\n", ["Kites need three things: Wind", "Kites need three things: Paper"]),
    ("Kites are light. They need:\n* wind\n* paper", ["Kites are light.", "They need: wind", "They need: paper"]),
    ("1) Kites need wind.\n2) They need paper.", ["Kites need wind.", "They need paper."]),
    ("> **Kites** need __wind__ and ***paper***.", ["Kites need wind and paper."]),
    ("These are known:\n- A kite needs wind to rise.\n- It falls without wind.",
     ["These are known:", "A kite needs wind to rise.", "It falls without wind."]),
    ("**Kites**(of paper) fly, f_(x)_(y) and __f__(x) do not.", ["Kites(of paper) fly, f_(x)_(y) and __f__(x) do not."]),
    ("2 * 3 * 4 is 24.", ["2 * 3 * 4 is 24."]), ("A snake_case_name is one.", ["A snake_case_name is one."]),
])  # fmt: skip
def test_signs_of_markdown_are_presentation_and_items_are_read_with_their_opening(answer, texts):
    assert [text for text, _ in read(answer)] == texts


def test_a_mark_of_the_opening_is_that_of_each_item():
    assert read("Kites need [1]:\n- wind\n- paper [2]") == [("Kites need: wind", (1,)), ("Kites need: paper", (1, 2))]


def test_a_model_that_is_cut_off_keeps_marks_that_stand_in_front():
    cut = draft_of(Completion(text="[2] A kite needs wind. [1] It falls", whole=False), "w")
    assert [(s.text, s.citations) for s in cut.sentences] == [("A kite needs wind.", (2,))]


@pytest.mark.parametrize("unit", [
    "[1]", "[", "(", "*", "_", "`", "<sup>", "¹", "^1", "Source ", "- ", "a [1] ", "[Smith ", "[1, ", "**[", "\n[1]",
    "A b. [1] ", "Sources: [1]. ", "[Aa Bb ", "according to [1], a. ", "a: \n- b\n",
])  # fmt: skip
def test_the_longest_answer_of_one_sign_is_read_at_once(unit):
    from time import perf_counter

    text, began = (unit * MAX_CHARACTERS)[:MAX_CHARACTERS], perf_counter()
    read_answer(text, writer="given")
    assert perf_counter() - began < 5
