"""Every slider matters: swept end to end on named cases it changes a verdict under its seed's preset."""

from dataclasses import replace

import pytest

from core.case import Judgement, Scope
from core.checks import all_thresholds, check_of
from core.decide import verdict
from core.presets import preset, with_settings
from core.text.answer_sentences import read_answer
from tests.support.cases import BOOK, MIXED, REWORDED, SUPPORTED, evidence
from tests.support.deciding_cases import objectionable
from tests.support.traces import deep, trace_of

ALTERED = "Each term is obtained by adding 7 purple to the term before."
ELSEWHERE = "\n\nBananas rarely wander through purple corridors."
JUDGED = Judgement(by="a model", yes=(0.6,))
OTHER = read_answer(ELSEWHERE, writer="given")
INERT: dict[str, str] = {}
"""Sliders that change no verdict here, each with the reason; the issue allows two."""


def cases_by_name(make_case):
    """Traces' cases, each a tuple of rounds."""
    between = tuple(evidence(BOOK, s, n, cosine=c) for n, (s, c) in enumerate([(0.6, 0.4), (0.4, 0.6)]))
    return {
        "strong": (make_case(SUPPORTED, (0.9, 0.7)),),
        "strong, and cited": (make_case(SUPPORTED.replace(".", " [1]."), (0.9, 0.7)),),
        "middling": (make_case(SUPPORTED, (0.45, 0.4)),),
        "weak": (make_case(SUPPORTED, (0.35, 0.3)),),
        "weak, document named": (make_case(SUPPORTED, (0.35, 0.3), scope=Scope(documents=("jemh105.pdf",))),),
        "better when refined": (make_case(SUPPORTED, (0.35,)), make_case(SUPPORTED, (0.6,))),
        "better when refined twice": tuple(make_case(SUPPORTED, (s,)) for s in (0.30, 0.315, 0.6)),
        "half of it from elsewhere": (make_case(MIXED, (0.9, 0.7)),),
        "three of four sentences cited, the last from elsewhere": (
            make_case(f"{BOOK}.".replace(".", " [1].") + ELSEWHERE),
        ),
        "half of it from elsewhere, all cited": (make_case(MIXED.replace(".", " [1]."), (0.9, 0.7)),),
        "partly in the passage's words": (
            make_case("An arithmetic progression is a list of numbers with charm.", (0.9, 0.7)),
        ),
        "cited from where nothing stands, and said elsewhere": (make_case(SUPPORTED.replace(".", " [9].")),),
        "scores that disagree": (make_case(SUPPORTED, (0.6, 0.4), evidence=between),),
    }


def traces_by_name(make_case, models):
    """Traces that went further than a search, or whose answer stage 1 objects to."""
    supported = make_case(SUPPORTED)
    distant = make_case(REWORDED, evidence=tuple(evidence(BOOK, 0.9, n, cosine=0.45) for n in range(2)))
    closer = tuple(evidence(BOOK, 0.95, n) for n in range(2))
    asked = replace(supported.question, query="what about the other one?")
    drifting = {"drift": 0.5}
    return {
        "altered, and correct in the book": deep(models, make_case(ALTERED)),
        "said by a writer that is not sure": deep(
            models, replace(distant, draft=replace(distant.draft, certainty=0.0))
        ),
        "closer passages in the second look": deep(models, distant, wider=lambda c: replace(c, evidence=closer)),
        "all of it from elsewhere": deep(models, make_case(MIXED.removeprefix(SUPPORTED))),
        "judged and drafted again": deep(models, replace(supported, judgement=JUDGED, drafts=(supported.draft, OTHER))),
        "vague": deep(models, replace(supported, question=asked)),
        "about something else": objectionable(models, supported, drifting),
        "about something else that it had said itself": objectionable(models, supported, drifting | {"clarifies": 1.0}),
        "with a competitor": objectionable(models, supported, {"competitors": 1.0}),
        "with a thing that nobody has": objectionable(models, supported, {"products": 1.0}),
        "that only talks, where nothing was found": trace_of(
            models, make_case("I'd be happy to help you with that.", scores=(0.1,))
        ),
        "with a rule that nobody made": objectionable(models, supported, {"policy_support": -0.5}),
    }


KNOWN = {}


@pytest.fixture
def traces(make_case, models):
    """Every trace by name, measured once for all thresholds."""
    if not KNOWN:
        KNOWN.update({name: trace_of(models, *rounds) for name, rounds in cases_by_name(make_case).items()})
        KNOWN.update(traces_by_name(make_case, models))
    return KNOWN


def moves(trace, preset, key, values):
    """True when a verdict is another at another value: its route, its tier, or the round that it is on."""
    found = (verdict(trace, preset.with_values({key: float(v)})) for v in values)
    return len({(v.route, v.tier, v.round.name) for v in found}) > 1


@pytest.mark.parametrize("key", list(all_thresholds()))
def test_swept_from_end_to_end_it_changes_a_verdict(key, traces):
    threshold = all_thresholds()[key]
    alone = preset(
        {s: f"seed_{s.lower()}" for s in "ABCDE"}.get(threshold.source_document, "default")
    )  # ours block there
    alone = preset("as_printed") if key == "interest.decides_first" else alone  # it acts where query checks fail
    if key in ("citations.min_attribution", "citations.min_citation_coverage"):  # without the document's own trigger
        alone = with_settings(alone, ["citations.every_sentence=0"])
    if (check := check_of(key)).mode == "watches":
        alone = with_settings(alone, [f"{check.name}.mode=blocks"])
    values = threshold.grid(min(41, len(threshold.grid())))
    swept = (values[[0, -1]], values)  # the two ends mostly show it
    changed = next((name for some in swept for name, t in traces.items() if moves(t, alone, key, some)), None)
    assert changed or key in INERT, f"no case changes when {key} is swept"
    assert not (changed and key in INERT), f"{key} is listed as inert, but {changed} changes"


def test_at_most_two_sliders_are_inert_and_each_has_its_reason():
    assert len(INERT) <= 2 and all(INERT.values())


def test_in_a_seed_preset_only_that_seed_blocks(make_case, models):
    for letter in "ABCDE":
        found = verdict(trace_of(models, make_case()), preset(f"seed_{letter.lower()}"))
        from core.check import Check

        assert {Check.registry[n].source_document for n, c in found.checks.items() if c.mode == "blocks"} == {letter}
