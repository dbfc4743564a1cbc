"""Parts of a question, and better questions."""

import pytest

from core.case import Passage, Scope
from core.retrieval.rewriting import clarified, split
from core.retrieval.scoring import Lexical
from core.retrieval.suggestions import questions_of
from tests.conftest import passage

BOOK = "Photosynthesis is the process by which plants make food. The green substance is called chlorophyll"


@pytest.mark.parametrize(("query", "parts"), [
    ("What is a compression and what is a rarefaction?", ("What is a compression?", "What is a rarefaction?")),
    ("What is sound? How fast is it?", ("What is sound?", "How fast is it (sound)?")),
    ("When was the Bhakra Dam completed and how high is it?", ("When was the Bhakra Dam completed?", "How high is it (the Bhakra Dam)?")),
    ("Where does blood flow, and in what unit is loudness told?", ("Where does blood flow?", "In what unit is loudness told?")),
    ("Name the largest lagoon in India, and also tell which one comes second.", ("Name the largest lagoon in India.", "Tell which one comes second (the largest lagoon in India).")),
    ("What is the SI unit of speed? How is it written?", ("What is the SI unit of speed?", "How is it written (the SI unit of speed)?")),
    ("explain osmosis and define diffusion", ("Explain osmosis.", "Define diffusion.")),
])  # fmt: skip
def test_a_question_that_asks_several_things_becomes_several(query, parts):
    assert split(query) == parts


@pytest.mark.parametrize("query", [
    "What is sound?", "What are acids and bases?", "When and where was Aryabhata born?", "How and why do plants make food?",
    "Which salt gives an acidic solution, and what is it a salt of?", "salts and acids", "", "What is the use of salt and water?",
    "What is a? What is b? What is c? What is d? What is e?", "He asked what sound is and went away.",
    "What is osmosis? Explain with an example.", "What is photosynthesis? Explain.", "Can you help me? What is osmosis?",
    "Define osmosis and give two examples.", "State Ohm's law and give reasons.",
])  # fmt: skip
def test_in_doubt_a_question_stays_whole(query):
    assert split(query) == ()


def test_a_meaning_becomes_a_question_without_its_number():
    assert clarified("the speed?", "8.2 Speed and velocity") == "the speed (Speed and velocity)?"


def test_definitions_become_questions():
    assert questions_of(passage(BOOK)) == ["What is photosynthesis?", "What is chlorophyll?"]
    text = "An echo is a sound heard again. Plants that make food are called autotrophs. It is a list. What is the sum?"
    found = Passage(id="x:0", sentences=tuple(t + "." for t in text[:-1].split(". ")), pages=(1,) * 4)
    assert questions_of(found) == ["What is an echo?", "What are autotrophs?"]


def test_a_share_is_absolute_so_foreign_words_keep_it_low():
    lexical = Lexical([BOOK, "Sound travels in air"])
    known, foreign = lexical.shares("green substance"), lexical.shares("green chocolate cookies")
    assert 0 < foreign[0] < known[0] <= 1 and known[1] == 0
    assert lexical.shares("zebra").tolist() == [0, 0]
    assert Lexical([]).shares("anything").tolist() == []


def test_scope_says_when_documents_or_pages_were_named():
    assert not Scope(class_number=10).named
    assert Scope(documents=("a.pdf",)).named and Scope(pages=((1, 2),)).named
