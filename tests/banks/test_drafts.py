"""Drafts of a bank: a question with the sentence that answers it, and a neighbour that nothing in the library answers."""

from core.banks.drafts import drafts_of
from core.case import Passage
from core.text.words import contains_fact


def passage(number, *sentences, document="life.pdf", **about):
    about |= {"pages": (1,) * len(sentences), "document": document}
    return Passage(id=f"{document}:{number}", sentences=sentences, **about)


LICHEN = "A lichen is a partnership of a fungus and an alga."
BOOK = [
    passage(1, LICHEN, "This partnership is called symbiosis.", "Is a fungus a plant?", subject="Science"),
    passage(2, "A cell is the smallest unit of life.", "The cell was seen first by Robert Hooke in 1665."),
    passage(3, "A spore is a body that grows alone.", kind="exercise"),
    passage(1, "A prism is a piece of glass.", document="light.pdf"),
]


def test_each_sentence_that_says_what_something_is_gives_a_question_and_what_is_missing_another():
    rows = drafts_of("life.pdf", BOOK)
    assert [(row["query"], row["expected"]) for row in rows] == [
        ("What is a lichen?", "answered"), ("Who was the first to describe a lichen?", "refused"),
        ("What is a cell?", "answered"),  # the book says who saw it first, and when
    ]  # fmt: skip
    assert rows[0]["reference"] == LICHEN and rows[0]["document"] == "life.pdf" and rows[0]["subject"] == "Science"
    assert contains_fact(LICHEN, rows[0]["facts"][0]) and not contains_fact(rows[0]["query"], rows[0]["facts"][0])
    assert len({row["id"] for row in rows}) == len(rows) and "lichen" in rows[1]["note"]


def test_what_is_named_elsewhere_in_the_library_is_not_called_unanswerable():
    elsewhere = passage(2, "The lichen was first described by Simon Schwendener.", document="light.pdf")
    assert [row["query"] for row in drafts_of("life.pdf", [*BOOK, elsewhere])] == [
        "What is a lichen?",
        "What is a cell?",
    ]
