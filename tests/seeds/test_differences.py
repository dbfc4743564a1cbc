"""How many examples of the source documents end otherwise here, and which; each of them says why."""

from core.lab.printed_examples.example import MODEL
from core.lab.printed_examples.outcomes import DOCUMENTS

EXAMPLES = {letter: document.examples for letter, document in DOCUMENTS.items()}
DIFFERENT = {
    "A": [], "B": [], "C": [],
    "D": ["blocked 2 a documented advantage, with the measured score"],
    "E": ["2.1 the words of the fallback"],
}  # fmt: skip
"""What differs on purpose, or by what was measured."""
DIFFERENT_BY_MODEL = {
    "A": [], "B": [],
    "C": ["2 a contradiction by another word"],
    "D": ["blocked 2 a documented advantage, found well"],
    "E": [],
}  # fmt: skip
"""What a better language model would end; to be judged again, with every row marked nli, when another one is trained."""


def named(where):
    return {seed: [name for name, row in table.items() if where(row)] for seed, table in EXAMPLES.items()}


def test_how_many_examples_differ_from_their_document_and_which():
    assert named(lambda row: row.difference and not row.difference.startswith(MODEL)) == DIFFERENT
    assert named(lambda row: row.difference.startswith(MODEL)) == DIFFERENT_BY_MODEL
    assert {seed: len(table) for seed, table in EXAMPLES.items()} == {"A": 16, "B": 17, "C": 33, "D": 22, "E": 14}
    assert sum(len(names) for table in (DIFFERENT, DIFFERENT_BY_MODEL) for names in table.values()) == 4


def test_a_row_says_why_it_differs_and_only_then():
    for table in EXAMPLES.values():
        for name, row in table.items():
            assert bool(row.ours) == bool(row.difference) and row.ours != row.printed, name
            assert row.nli or not row.difference.startswith(MODEL), name


def test_every_outcome_that_a_document_prints_is_there():
    printed = {seed: {row.printed for row in table.values()} for seed, table in EXAMPLES.items()}
    assert printed["A"] == {
        "accepted", "low_confidence", "insufficient_context", "off_topic", "missing_citations", "invalid_citations",
        "low_grounding", "hallucination_detected",
    }  # fmt: skip
    assert printed["B"] == {"synthesizer", "refine_retrieve"}
    assert printed["C"] == {"proceed", "low_retrieval_score", "no_score_gap", "not_grounded", "hedging_detected"}
