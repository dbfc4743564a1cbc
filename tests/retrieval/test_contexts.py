"""Contexts that a question brings: read from whatever holds them, and judged in place of a library by the same chain."""

from types import SimpleNamespace

import pytest
from langchain_core.documents import Document

from core.banks.open_bank import ROUTE_NAMES, OpenBank
from core.banks.row import question_digest
from core.case import CaseError, Context, Question
from core.checks import all_checks
from core.decide import verdict
from core.evaluation.cases import LabelledCase
from core.graph import Explorer
from core.journal.entry import entry_of
from core.presets import preset
from core.reply.reply import reply_of
from core.reply.serialization import dumps, loads, question_of, question_row
from core.retrieval.contexts import LONGEST, MOST, contexts_of
from core.safety import SafetyMechanism

LIGHT = "Photosynthesis is the process by which green plants make their own food."
OXYGEN = "Oxygen is given out during photosynthesis."
ROW = {
    "query": "What is given out during photosynthesis?", "contexts": [LIGHT, {"text": OXYGEN, "document": "b.pdf", "page": 4}],
    "answer": "Oxygen is given out during photosynthesis [2].",
}  # fmt: skip


@pytest.fixture
def explorer(models):
    """No library at all: whoever looks into one breaks."""
    return Explorer(None, models)


@pytest.mark.parametrize(
    ("chunk", "context"),
    [
        (OXYGEN, Context(text=OXYGEN)),
        ({"text": OXYGEN, "document": "b.pdf", "page": 4, "score": 0.5}, Context(text=OXYGEN, document="b.pdf", page=4, score=0.5)),
        (Document(OXYGEN, metadata={"source": "/books/b.pdf", "page": 3, "score": 17.5}), Context(text=OXYGEN, document="b.pdf", page=4)),
        ({"page_content": OXYGEN, "metadata": {"source": 7, "page_number": 4}}, Context(text=OXYGEN, page=4)),
        (SimpleNamespace(text=OXYGEN, metadata={"file_name": "b.pdf", "page_label": "4"}, score=3.0), Context(text=OXYGEN, document="b.pdf", page=4)),
        ("Oxy\u200bgen\0 is out.", Context(text="Oxygen is out.")),
    ],
)  # fmt: skip
def test_a_context_is_read_from_whatever_holds_it(chunk, context):
    assert contexts_of([chunk]) == (context,)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (OXYGEN, "a list"), ({"text": OXYGEN}, "a list"), ([7], "Context 1 must be a text"), ([OXYGEN, ""], "Context 2 has no visible text"),
        ([OXYGEN] * (MOST + 1), f"may have {MOST} contexts"), (["x" * (LONGEST + 1)], "the 1. one has 20,001; shorten it"),
        (["x" * LONGEST] * 5, "together|All contexts"), ([{"text": OXYGEN, "page": "4"}], "page of context 1"),
        ([{"text": OXYGEN, "score": 17.5}], "from -1 to 1, got 17.5"), ([{"text": OXYGEN, "document": 7}], "document of context 1"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_or_is_too_much_is_one_sentence(given, said):
    with pytest.raises(CaseError, match=said) as refused:
        question_of({"query": "What?", "contexts": given})
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 250


def test_a_row_keeps_its_contexts_and_one_without_keeps_its_name():
    question = question_of(ROW)
    assert question_of(question_row(question)) == question and question_row(question)["contexts"] == ROW["contexts"]
    none = question_of({"query": "What?", "contexts": []})
    assert question_of(question_row(none)) == none and none != Question(query="What?")
    assert question_digest(Question(query="What?"))[:12] == "3ada76aaabef"
    assert len({question_digest(q) for q in (question, none, Question(query="What?"))}) == 3


def test_no_library_is_looked_into_and_the_order_stays(explorer):
    trace, found = explorer.ask(question_of(ROW), preset("lenient"))
    passages = reply_of(trace, found, preset("lenient")).row()["passages"]
    assert [(p["document"], p["page"], p["text"]) for p in passages] == [
        ("context 1", None, LIGHT),
        ("b.pdf", 4, OXYGEN),
    ]
    assert found.route == "deliver" and found.sentences[0].supported and found.sentences[0].citations == (2,)
    deep = explorer.deepen(trace)
    assert {r.name for r in deep.rounds} == {"first", "corrected", "rechecked"} and dumps(loads(dumps(deep))) == dumps(
        deep
    )


def test_the_python_door_measures_the_same(explorer, models):
    _, found = explorer.ask(question_of(ROW), preset("seed_a"))
    door = SafetyMechanism(models=models).should_reject_query(ROW["query"], ROW["contexts"], ROW["answer"])
    told = {name: (c["state"], c["value"], c["margin"]) for name, c in door.diagnostic_info.items()}
    assert told == {name: (c.state, c.value, c.margin) for name, c in found.checks.items()}
    assert set(told) == {c.name for c in all_checks()} and door.should_reject == (found.route != "deliver")


def test_without_an_answer_the_writer_reads_the_best_of_them(explorer):
    many = [f"Rivers carry sand number {n} to the sea." for n in range(9)]
    _, found = explorer.ask(question_of({"query": ROW["query"], "contexts": [*many, OXYGEN]}), preset("lenient"))
    assert found.route == "deliver" and found.answer == f"{OXYGEN} [10]"


def test_of_a_long_context_the_best_run_counts(explorer):
    padding = " ".join(f"Rivers carry sand number {n} down to the wide sea." for n in range(60))
    row = {"query": ROW["query"], "contexts": [f"{padding} {OXYGEN}", padding]}
    first, second = explorer.ask(question_of(row), preset("lenient"))[0].rounds[0].case.evidence
    assert first.cosine > 2 * second.cosine and OXYGEN in [first.passage.sentences[i] for i in first.kept]


def test_a_bank_of_contexts_decides_as_each_row_does(explorer):
    rows = [
        ROW,
        {**ROW, "contexts": [LIGHT]},
        {**ROW, "contexts": []},
        {"query": "Who wrote Hamlet?", "contexts": [OXYGEN]},
    ]
    cases = [
        LabelledCase(row=row, trace=explorer.deepen(explorer.ask(question_of(row), preset("default"))[0]))
        for row in rows
    ]
    bank = OpenBank.of(cases)
    for name in ("default", "as_printed", "strict", "lenient", "seed_b"):
        routes = bank.decided_at(preset(name)).routes[0]
        assert [ROUTE_NAMES[r] for r in routes] == [verdict(case.trace, preset(name)).route for case in cases]


def test_a_refusal_for_its_contexts_is_no_gap_of_the_books(explorer):
    trace, found = explorer.ask(question_of({**ROW, "contexts": []}), preset("default"))
    assert (found.route, found.primary_reason) == ("refuse", "insufficient_context")
    about = {"profile": "bundled", "settings": explorer.settings, "source": "command line", "at": None}
    assert entry_of(trace, found, preset("default"), **about).lacking == ()
