"""The table of checks: each passes, fails, does not run for each cause that it can have, and passes at its limit."""

from dataclasses import dataclass, field, replace

import pytest

from core.case import Judgement, Scope
from core.checks import all_checks
from core.decide.check_results import result
from core.graph.rounds import failed_round, measure
from core.text.answer_sentences import read_answer
from core.thresholds import Preset
from tests.support.cases import ELSEWHERE, REWORDED, SUPPORTED

NO_ANSWER = {"answer": ""}
NO_PASSAGE = {"scores": ()}
EMPTY = (NO_ANSWER, NO_PASSAGE)


@dataclass(frozen=True, kw_only=True)
class Row:
    """What `make_case` is given for each state. at: a case, and the threshold that is put at what it measured."""

    passes: dict
    fails: dict
    at: tuple[dict, str] | None = None
    not_applicable: tuple[dict, ...] = field(default=())


def drafted(*texts):
    """What the writer says when it is asked again."""
    return {"drafts": tuple(read_answer(text, writer="given") for text in texts)}


def judged(*yes):
    return {"judgement": Judgement(by="a model", yes=yes)}


FINE, WEAK = {"scores": (0.9, 0.7)}, {"scores": (0.2, 0.1)}
MIDDLING = {"scores": (0.45, 0.3)}
TABLE = {
    "context_sufficiency": Row(passes=FINE, fails=WEAK, at=({"scores": (0.9, 0.8, 0.7)}, "min_chunks_required")),
    "retrieval_confidence": Row(passes=FINE, fails=WEAK, at=(MIDDLING, "min_retrieval_confidence")),
    "topic_relevance": Row(
        passes=FINE, fails={"scope": Scope(class_number=8)}, at=(MIDDLING, "max_topic_mismatch_score")
    ),
    "confidence": Row(passes=FINE, fails=WEAK, at=({"scores": (0.29,)}, "min_confidence")),
    "retrieval_score": Row(passes=FINE, fails=WEAK, at=(MIDDLING, "min_retrieval_score")),
    "score_gap": Row(
        passes=MIDDLING, fails={"scores": (0.45, 0.44)}, at=(MIDDLING, "min_score_gap"),
        not_applicable=({"scores": (0.45,)}, FINE, NO_PASSAGE),
    ),
    "clarity": Row(
        passes={}, fails={"asks": "what about the other one?"}, at=({"asks": "How is it measured?"}, "min_clarity"),
        not_applicable=({"kind": "small_talk"},),
    ),
    "context_quality": Row(passes=FINE, fails=WEAK, at=(MIDDLING, "min_context_quality")),
    "citations": Row(
        passes={"answer": f"{SUPPORTED[:-1]} [1]."}, fails={"answer": f"{SUPPORTED} [9]"},
        at=({"answer": f"{SUPPORTED} {ELSEWHERE}"}, "min_citation_coverage"), not_applicable=(NO_ANSWER,),
    ),
    "grounding": Row(
        passes={}, fails={"answer": ELSEWHERE}, at=({"answer": f"{SUPPORTED} {ELSEWHERE}"}, "min_grounding_score")
    ),
    "entailment": Row(
        passes={}, fails={"answer": "An arithmetic progression is not a list of numbers."},
        at=({"answer": "An arithmetic progression is a tall purple place."}, "nli_threshold"), not_applicable=EMPTY,
    ),
    "hedging": Row(passes={}, fails={"answer": f"Perhaps {SUPPORTED}"}, at=({}, ""), not_applicable=(NO_ANSWER,)),
    "interest": Row(
        passes={}, fails={"answer": "Figure 99.4 shows the weather forecast."},
        at=({"answer": "Then came the weather forecast, today."}, "max_drift"), not_applicable=(NO_ANSWER,),
    ),
    "fact_grounding": Row(
        passes={}, fails={"answer": ELSEWHERE}, at=({}, "medium"),
        not_applicable=(NO_ANSWER, {"answer": "Hello! How can I help you today?"}),
    ),
    "fact_check": Row(passes={}, fails={"answer": ELSEWHERE}, at=({"answer": REWORDED}, "min_fact_check_score"), not_applicable=EMPTY),
    "answer_relevance": Row(
        passes={}, fails={"answer": ELSEWHERE}, at=({"asks": "How tall is a list?"}, "min_answer_relevance"),
        not_applicable=(NO_ANSWER, {"kind": "small_talk"}),
    ),
    "support": Row(passes={}, fails={"answer": ELSEWHERE}, at=({"answer": REWORDED}, "min_support"), not_applicable=EMPTY),
    "consensus": Row(
        passes=drafted(SUPPORTED, SUPPORTED), fails=drafted(SUPPORTED, ELSEWHERE),
        at=({"answer": f"{SUPPORTED} {ELSEWHERE}"} | drafted(SUPPORTED), "min_consensus"),
        not_applicable=(NO_ANSWER, {}),
    ),
    "llm_judge": Row(
        passes=judged(0.9), fails=judged(0.1), at=(judged(0.6), "min_yes"), not_applicable=(NO_ANSWER, {}),
    ),
    "numbers": Row(passes={}, fails={"answer": "It has 7 terms."}, at=({}, ""), not_applicable=(NO_ANSWER,)),
}  # fmt: skip


@pytest.fixture(params=all_checks(), ids=lambda c: c.name)
def check(request):
    return request.param


@pytest.fixture
def said(check, make_case, models):
    """What the check says of a case: `said(changes, preset)`."""

    def says(changes, preset=Preset()):
        changes = dict(changes)
        asks = changes.pop("asks", None)
        case = make_case(**changes)
        if asks:
            case = replace(case, question=replace(case.question, query=asks), query=asks)
        return result(check, measure("first", case, models), preset)

    return says


def test_every_check_has_its_row():
    assert set(TABLE) == {c.name for c in all_checks()}, "a check needs a row in TABLE of this file"


def test_it_passes(check, said):
    found = said(TABLE[check.name].passes)
    assert (found.state, found.cause) == ("passed", None) and found.margin >= 0 and not found.blocks


def test_it_fails_and_blocks_unless_it_only_watches(check, said):
    found = said(TABLE[check.name].fails, Preset(modes={check.name: "blocks"}))
    assert (found.state, found.cause) == ("failed", None) and found.margin < 0 and found.blocks and found.reason
    watching = said(TABLE[check.name].fails, Preset(modes={check.name: "watches"}))
    assert watching.state == "failed" and not watching.blocks


def test_at_its_limit_it_passes_and_beyond_it_fails(check, said):
    case, name = TABLE[check.name].at
    if not name:  # no threshold: nothing may be found, and nothing was
        found = said(case)
        assert (found.value, found.limit, found.margin, found.state) == (0, 0, 0, "passed")
        return
    threshold = check.thresholds()[name]
    value = said(case).value
    assert value is not None, f"the case in `at` must be one to which {check.name} applies"
    beyond = value + (threshold.step if threshold.stricter == "higher" else -threshold.step)
    assert all(threshold.low <= limit <= threshold.high for limit in (value, beyond)), (
        f"`at` measures {value:g}, which must be a step inside {name}: {threshold.low:g} to {threshold.high:g}"
    )
    at = said(case, Preset(thresholds={threshold.key: value}))
    assert at.state == "passed" and at.margin == 0 and at.by == name
    assert said(case, Preset(thresholds={threshold.key: beyond})).state == "failed"


def test_it_does_not_run_where_there_is_nothing_to_judge(check, said):
    for case in TABLE[check.name].not_applicable:
        found = said(case)
        assert (found.state, found.cause, found.value) == ("not_run", "not applicable", None) and found.why
        assert not found.blocks


def test_a_check_that_always_applies_fails_without_anything_to_judge(check, said):
    if not TABLE[check.name].not_applicable:
        assert said(NO_PASSAGE | NO_ANSWER).state == "failed"


def test_switched_off_it_does_not_run_and_does_not_block(check, said):
    found = said(TABLE[check.name].fails, Preset(modes={check.name: "off"}))
    assert (found.state, found.cause) == ("not_run", "off") and not found.blocks


def test_when_something_broke_it_does_not_run_and_blocks(check, make_case):
    case, blocking = make_case(), Preset(modes={check.name: "blocks"})
    found = result(check, failed_round("first", case, RuntimeError("out of memory")), blocking)
    assert (found.state, found.cause) == ("not_run", "error") and found.blocks and "out of memory" in found.why
