"""Shares of words are absolute, and a scope says whether a person named it."""

from core.case import Scope
from core.retrieval.word_index import index_of

BOOK = "Photosynthesis is the process by which plants make food. The green substance is called chlorophyll"


def test_a_share_is_absolute_so_foreign_words_keep_it_low():
    lexical = index_of([BOOK, "Sound travels in air"])
    known, foreign = lexical.shares("green substance"), lexical.shares("green chocolate cookies")
    assert 0 < foreign[0] < known[0] <= 1 and known[1] == 0
    assert lexical.shares("zebra").tolist() == [0, 0]
    assert index_of([]).shares("anything").tolist() == []


def test_scope_says_when_documents_or_pages_were_named():
    assert not Scope(class_number=10).named
    assert Scope(documents=("a.pdf",)).named and Scope(pages=((1, 2),)).named
