"""Which check decides: each of them alone in some case, and those that never do by themselves."""

import pytest
from hypothesis import given

from core.check import mode_of
from core.checks import all_checks
from core.decide import verdict
from core.decide.check_results import blocking
from core.presets import preset, with_settings
from tests.support.cases import BOOK, ELSEWHERE, SUPPORTED, evidence
from tests.support.deciding_cases import TWO, cases, objectionable, passages
from tests.support.plans import OFTEN, PLANS, world
from tests.support.traces import deep

PRINTED = preset("as_printed")


def of_its_seed(check):
    """The preset in which only the check's seed blocks, and it does too; as printed for our own."""
    base = PRINTED if check.source_document == "ours" else preset(f"seed_{check.source_document.lower()}")
    return with_settings(base, [f"{check.name}.mode=blocks"])


@pytest.fixture
def trace_of(make_case, models):
    """The trace in which the check of this name alone decides."""

    def trace(name):
        case = cases(make_case)[name]
        if name == "interest":
            return objectionable(models, case, {"products": 1.0})
        return deep(models, case, case, case)

    return trace


def forbidding(trace, under):
    """The names of the checks that forbid the judged answer, of all parts of a question."""
    found = verdict(trace, under)
    return {r.name for v in found.parts or (found,) for r in blocking(v.checks)}


def decides_alone(trace, under):
    """The name of the check that alone forbids the answer; "" where none or more than one does."""
    names = forbidding(trace, under)
    return next(iter(names)) if len(names) == 1 else ""


@pytest.mark.parametrize("check", all_checks(), ids=lambda c: c.name)
def test_each_check_decides_alone_in_some_case_under_the_preset_of_its_seed(check, trace_of):
    under, trace = of_its_seed(check), trace_of(check.name)
    assert decides_alone(trace, under) == check.name
    assert verdict(trace, under).route != "deliver"
    for mode in ("watches", "off"):
        assert verdict(trace, with_settings(under, [f"{check.name}.mode={mode}"])).route == "deliver"


def test_the_cases_are_those_of_the_checks(make_case):
    assert set(cases(make_case)) == {c.name for c in all_checks()}, (
        "a check needs a case in tests/support/deciding_cases.py"
    )


def sharper_cases(make_case):
    """Cases in which, as printed, a check decides alone that has company in those of its seed."""
    apart = tuple(
        evidence(text, 0.9, n, cosine=c) for n, (text, c) in enumerate([(" ".join([ELSEWHERE] * 3), 0.9), (BOOK, 0.35)])
    )
    strange = "Bankers everywhere love such clever schemes"
    half = "The fixed number is called purple elephant drinking happily [1]"
    return {
        "retrieval_score": make_case(evidence=passages(scores=(0.9,), hybrid=0.29)),
        "score_gap": make_case(evidence=tuple(evidence(BOOK, 0.9, n, hybrid=h) for n, h in enumerate([0.45, 0.44]))),
        "context_quality": make_case(
            evidence=tuple(evidence(BOOK, 0.9, n, cosine=c) for n, c in enumerate([0.55, 0.0]))
        ),
        "grounding": make_case(f"{SUPPORTED[:-1]} [1]. {TWO} [1]. {half}."),
        "entailment": make_case(f"{BOOK}. The fixed number is called the common difference. {strange}."),
        "fact_grounding": make_case(f"{SUPPORTED[:-1]} [2].", evidence=apart),
        "fact_check": make_case("An arithmetic progression is a list of purple things [1]."),
    }


IMPLIED = {"confidence": "context_sufficiency"}
"""Checks that never decide alone as printed, each with the check that must fail beside it."""


def test_as_printed_each_check_decides_alone_in_some_case_but_for_those_that_are_implied(make_case, models, trace_of):
    sharper = {name: deep(models, case, case, case) for name, case in sharper_cases(make_case).items()}
    traces = {c.name: sharper.get(c.name) or trace_of(c.name) for c in all_checks() if mode_of(c, PRINTED) == "blocks"}
    beside = {name: forbidding(trace, PRINTED) - {name} for name, trace in traces.items()}
    assert {name for name, others in beside.items() if others} == set(IMPLIED), beside
    assert [name for name, trace in traces.items() if name not in forbidding(trace, PRINTED)] == []


@OFTEN
@given(plan=PLANS)
def test_where_an_implied_check_fails_the_other_fails_too(plan):
    names = forbidding(world(plan, []), PRINTED)
    assert all(other in names for name, other in IMPLIED.items() if name in names)
