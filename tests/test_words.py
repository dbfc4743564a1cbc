"""One file has the words for every reason, route, state and outcome."""

from typing import get_args, get_type_hints

import pytest

from core.banks.open_bank import OUTCOMES as OUTCOME_NAMES
from core.banks.row import EXPECTATIONS
from core.decide import CheckResult
from core.decide.routes import ROUTES as ROUTE_NAMES
from core.evaluation.outcomes import ANSWERS, QUESTIONS
from core.reply.document_records import LayerReason
from core.settings.domains import VIOLATIONS as VIOLATION_NAMES
from core.words import (
    CAUSES,
    EXPECTED,
    LAYERS,
    OUTCOMES,
    REASONS,
    ROUTES,
    SHOULD,
    STATES,
    VIOLATIONS,
    reason_text,
    route_text,
)  # fmt: skip

HINTS = get_type_hints(CheckResult)
CAUSE_NAMES = get_args(next(t for t in get_args(HINTS["cause"]) if get_args(t)))


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (ROUTE_NAMES, ROUTES), (get_args(HINTS["state"]), STATES), (CAUSE_NAMES, CAUSES),
        (OUTCOME_NAMES, OUTCOMES), ((*QUESTIONS, *ANSWERS, "not measured yet"), OUTCOMES),
        (VIOLATION_NAMES, VIOLATIONS), (get_args(LayerReason), LAYERS), (EXPECTATIONS, EXPECTED), (EXPECTATIONS, SHOULD),
    ],
    ids=["routes", "states", "causes", "outcomes of a sweep", "outcomes", "violations", "layers of C", "expected", "should"],
)  # fmt: skip
def test_every_name_has_words_and_no_other_has(names, words):
    assert set(names) == set(words)


@pytest.mark.parametrize("reason", REASONS.values(), ids=REASONS)
def test_a_reason_reads_well_in_every_place(reason):
    for sentence in (reason.sentence, reason.objection, *filter(None, [reason.supported])):
        assert sentence.endswith(".") and sentence[0].isupper() and sentence.count(".") == 1
    assert not reason.short.endswith(".") and len(reason.short) <= 40


def test_no_two_reasons_or_routes_read_alike():
    for texts in (
        [r.short for r in REASONS.values()],
        [r.sentence for r in REASONS.values()],
        map(str, ROUTES.values()),
    ):
        texts = list(texts)
        assert len(set(texts)) == len(texts)


def test_names_of_older_versions_stay_as_they_are():
    assert (reason_text("of_old"), reason_text(None), reason_text("hedging")) == ("of_old", "no reason", "hedges")
    assert (route_text("of_old"), route_text("refuse")) == ("of_old", "✗ Refused")
