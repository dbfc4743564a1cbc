"""Hedging and filler: caught, counted, and not held against a book that hedges itself."""

import pytest

from core.text.hedges import PATTERNS, PatternError, find_hedges


@pytest.mark.parametrize(("sentence", "pattern"), [
    ("I'm not sure about this.", "not sure"), ("I don’t know.", "not sure"), ("I think so.", "I think, maybe"),
    ("Perhaps it floats.", "I think, maybe"), ("I cannot find it.", "cannot find"), ("There is no information on it.", "no information"),
    ("It is not stated there.", "not mentioned"), ("As an AI I can help.", "as an AI"), ("Great question!", "great question"),
])  # fmt: skip
def test_each_pattern_catches_its_phrase(sentence, pattern):
    assert find_hedges(sentence, "", out=tuple(PATTERNS.keys() - {pattern}))


def test_words_that_the_cited_passage_holds_do_not_count():
    book = "Perhaps the best known bird of India is the peacock."
    assert find_hedges("Perhaps the best known bird is the peacock.", book) == []
    assert find_hedges("Maybe the best known bird is the peacock.", book) == ["Maybe"]


def test_a_hedge_in_the_question_or_inside_a_word_excuses_none(make_case, models):
    from dataclasses import replace

    from core.features.case_features import CaseFeatures

    case = make_case("Maybe an arithmetic progression is a list of numbers.")
    asked = replace(case, question=replace(case.question, query="Maybe you know what a progression is?"))
    assert CaseFeatures(asked, models).hedges == [["Maybe"]]
    assert find_hedges("It is possibly so.", "That is impossibly so.") == ["possibly"]


def test_a_plain_statement_is_not_caught():
    assert find_hedges("Thinking needs a brain, and mayflies live a day.", "") == []


def test_a_persons_own_pattern_is_used_beside_the_built_in_ones():
    assert find_hedges("It could be green.", "", (r"\bcould be\b",)) == ["could be"]
    assert find_hedges("It could be green. Maybe.", "", (r"\bcould be\b",)) == ["Maybe", "could be"]


@pytest.mark.parametrize(("pattern", "said"), [("(", "cannot be read"), ("a" * 201, "201")])
def test_a_pattern_that_cannot_be_used_is_named(pattern, said):
    with pytest.raises(PatternError, match=said):
        find_hedges("text", "", (pattern,))


def test_a_pattern_that_never_ends_is_stopped():
    with pytest.raises(PatternError, match="simplify"):
        find_hedges("a" * 40 + "!", "", (r"^(a|aa|a)*$(?<=b)|^(a+)+\1*$b",))


def test_a_built_in_pattern_can_be_taken_out_alone():
    assert find_hedges("Maybe it is green, I think.", "", out=("I think, maybe",)) == []
    assert find_hedges("I don't know. Maybe.", "", out=("I think, maybe",)) == ["I don't know"]
