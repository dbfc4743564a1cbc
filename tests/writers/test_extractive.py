"""The extractive writer picks sentences that a reader understands by themselves, in the order of the book."""

from dataclasses import replace

import pytest

from core.text.answer_sentences import has_back_reference
from core.text.claims import stating
from core.writers.extractive_writer import MAX_SENTENCES, ExtractiveWriter
from tests.support.cases import evidence

IRON = "Iron pushes copper out of copper sulphate. This reaction is known as displacement. The nail turns brown within an hour"


@pytest.fixture
def write(models):
    def written(query, *texts):
        found = tuple(evidence(text, 0.8, n) for n, text in enumerate(texts))
        return ExtractiveWriter(models).write(query, found)

    return written


def told(draft):
    return [s.text for s in draft.sentences]


def test_a_sentence_that_points_back_brings_what_it_points_to(write):
    draft = write("Which reaction is known as displacement?", IRON)
    assert told(draft) == [
        "Iron pushes copper out of copper sulphate.",
        "This reaction is known as displacement.",
    ]
    assert [s.citations for s in draft.sentences] == [(1,), (1,)]


@pytest.mark.parametrize("before", ["Figure 3 shows a nail of iron in the flask", "Suppose the nail lies in the flask"])
def test_a_caption_or_an_instruction_is_not_brought_along(write, before):
    draft = write("Which reaction is displacement?", f"{before}. This reaction is known as displacement")
    assert told(draft) == ["This reaction is known as displacement."]


def test_a_sentence_that_only_follows_from_another_stands_alone(write):
    draft = write(
        "What is osmosis?", "Thus, osmosis is water on its way through a membrane. A kettle boils slowly in there"
    )
    assert told(draft) == ["Thus, osmosis is water on its way through a membrane."]


@pytest.mark.parametrize(("far", "sentences"), [(1, 2), (2, 3), (3, 1)])
def test_a_chain_is_followed_back_so_far_and_no_further(write, far, sentences):
    links = [f"It then has a colour of kind {n} all over" for n in ("one", "two", "three")][:far]
    draft = write(
        f"What has a colour of kind {links[-1].split()[7]}?", ". ".join(["The old kettle boils slowly", *links])
    )
    assert told(draft)[-1] == f"{links[-1]}." and len(draft.sentences) == sentences


def test_no_more_sentences_than_an_answer_may_have(write):
    passages = [
        f"Salt number {n} tastes bitter to most people. It dissolves in warm water with bubbles of kind {n}"
        for n in "ABCDEF"
    ]
    draft = write("Which salt tastes bitter and dissolves in warm water with bubbles?", *passages)
    assert 1 < len(draft.sentences) <= MAX_SENTENCES
    assert not has_back_reference(draft.sentences[0].text)
    places = [(s.citations[0], s.text.startswith("It")) for s in draft.sentences]
    assert places == sorted(places)
    assert all((c, False) in places for c, points in places if points)


def test_a_formula_is_a_statement_and_a_gap_is_none(write):
    formula = "For a wire of length l and area A the resistance is R = k × l / A (4.2)"
    passage = evidence(formula, 0.8, 0)
    lines = ("Wires are drawn from copper.", formula, "R = ____")
    passage = replace(passage, passage=replace(passage.passage, sentences=lines, pages=(1, 1, 1)), kept=(0, 1, 2))
    assert [lines[i] for i in sorted(stating(passage.passage))] == list(lines[:2])


@pytest.mark.parametrize(("line", "states"), [
    ("Example 2 Drift of boats : What carries a boat off its line is called drift.", True),
    ("Example 2 Find how far the boat drifts in an hour of rowing.", False),
    ("Figure 2 shows a boat that the river carries off its line.", False),
    ("Burn the strip at arm's length and keep it away from your eyes.", False),
    ("Heat a spoonful of the salt until it stops crackling.", False),
    ("Heat makes the salt crackle in the spoon.", True),
    ("Light from the strip is white and hurts the eyes.", True),
    ("- The light of the strip is white and hurts the eyes.", True),
    ("•The light of the strip is white and hurts the eyes.", True),
    ("Another example of drift is given in Activity 1.6.", False),
    ("This path is shown in Figure 4.", False),
    ("You will learn more about currents in Chapter 3.", False),
    ("In this chapter, we shall study how boats move.", False),
    ("The name of this path is drift, which you will study later.", True),
    ("The boat is shown in the museum of the town, where it has stood for years.", True),
    ("You will see that the boat turns grey in the sun.", True),
    ("UPI works at every hour of every day.", True),
    ("LIGHT AND SHADOW of things that stand in its way.", False),
])  # fmt: skip
def test_a_task_states_something_only_where_it_says_what_a_word_means(line, states):
    assert bool(stating(evidence(line, 0.8, 0).passage)) is states


def test_each_sentence_goes_out_once(write):
    text = "Copper sulphate is a blue salt of copper. It loses its water when heated. It turns white when the water is lost"
    draft = write("What happens to copper sulphate when heated, and when its water is lost?", text)
    assert len(set(told(draft))) == len(told(draft)) > 1


def test_an_exercise_is_no_evidence_however_near_it_is_to_the_question(write, models):
    query = "Why does a kite on a long string fall when the wind stops?"
    asked = "6. A kite flies on a long string. The wind stops. Why does the kite on the long string fall?"
    tells = "Moving air lifts a kite, so a kite falls when the wind stops"
    assert told(write(query, asked, tells)) == [f"{tells}."]


def test_two_books_that_give_two_figures_are_both_quoted(models):
    def quoted(*texts):
        apart = tuple(evidence(text, 0.8, 10 * n) for n, text in enumerate(texts))
        return told(ExtractiveWriter(models).write("How many people has the town of Karu?", apart))

    one, other = "The town of Karu has 4200 people", "The town of Karu has 5300 people"
    assert quoted(one, other) == [f"{one}.", f"{other}."]
    assert quoted(one, one) == [f"{one}."]


PEAT = ("Peat is formed from moss.", "The dead moss sinks and is formed into layers of peat.")


@pytest.mark.parametrize(("query", "count"), [
    ("How is peat formed?", 2), ("Explain how peat is formed.", 2), ("What is peat formed from?", 1),
])  # fmt: skip
def test_an_account_of_how_something_happens_is_not_cut_to_a_sentence_that_names_it(write, query, count):
    draft = write(query, f"{' '.join(PEAT)[:-1]}. Walkers like the heather")
    assert told(draft) == list(PEAT[:count])


def test_the_shortest_part_of_a_difference_names_both_sides(write):
    sides = ("The difference is that the old red stone mill of Karu has a wheel.", "The new one has an engine.")
    query = "What is the difference between the old red stone mill of Karu and the new red stone mill of Karu?"
    assert told(write(query, f"{' '.join(sides)} Painters like the hills")) == list(sides)


def test_a_length_is_no_answer_to_how_wide(write):
    book = "The Beel bridge is 340 metres long. The Beel bridge is 8 metres wide"
    assert "The Beel bridge is 8 metres wide." in told(write("How wide is the Beel bridge?", book))
    assert "The Beel bridge is 340 metres long." not in told(write("How wide is the Beel bridge?", book))
