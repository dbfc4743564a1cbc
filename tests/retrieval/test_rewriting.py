"""Wider and mended queries, better questions."""

from core.case import Passage, Scope
from core.retrieval.rewriting import expansion, mended, questions_of
from core.retrieval.scoring import Lexical
from tests.conftest import evidence, passage

BOOK = "Photosynthesis is the process by which plants make food. The green substance is called chlorophyll"


def test_a_word_that_the_library_spells_otherwise_is_mended():
    lexical = Lexical([BOOK])
    assert mended("What is photosynthsis?", lexical) == "What is photosynthesis?"
    assert mended("What is quantum entanglement?", lexical) == "What is quantum entanglement?"


def test_a_polite_frame_is_taken_off():
    lexical = Lexical([BOOK])
    assert mended("Hello, can you please explain to me photosynthesis", lexical) == "photosynthesis"
    assert mended("please", lexical) == "please"


def test_an_expansion_brings_rare_words_of_the_best_passages_that_were_not_asked():
    lexical = Lexical([BOOK, "Plants are green. Food is good", "Sound travels"])
    words = expansion("What is photosynthesis?", (evidence(BOOK, 0.9),), lexical).split()
    assert "chlorophyl" in words and not any(w.startswith("photosynth") for w in words)
    assert expansion("What is photosynthesis?", (), lexical) == ""


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
