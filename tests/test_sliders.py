"""Every slider matters: swept end to end on named cases it changes a verdict under its seed's preset."""

import pytest

from core.case import Scope
from core.chain import verdict
from core.check import all_thresholds
from core.presets import preset, presets
from core.thresholds import Preset
from tests.conftest import evidence
from tests.test_chain import trace_of

SUPPORTED = "An arithmetic progression is a list of numbers."
MIXED = "An arithmetic progression is a list of numbers. Bananas rarely wander through purple corridors."
INERT: dict[str, str] = {}
"""Sliders that change no verdict here, each with the reason; the issue allows two."""


def cases_by_name(make_case):
    """Traces' cases, each a tuple of rounds."""
    from tests.conftest import BOOK

    between = tuple(evidence(BOOK, s, n, cosine=c) for n, (s, c) in enumerate([(0.6, 0.4), (0.4, 0.6)]))
    return {
        "strong": (make_case(SUPPORTED, (0.9, 0.7)),),
        "middling": (make_case(SUPPORTED, (0.45, 0.4)),),
        "weak": (make_case(SUPPORTED, (0.35, 0.3)),),
        "weak, document named": (make_case(SUPPORTED, (0.35, 0.3), scope=Scope(documents=("jemh105.pdf",))),),
        "better when refined": (make_case(SUPPORTED, (0.35,)), make_case(SUPPORTED, (0.6,))),
        "better when refined twice": tuple(make_case(SUPPORTED, (s,)) for s in (0.30, 0.315, 0.6)),
        "half of it from elsewhere": (make_case(MIXED, (0.9, 0.7)),),
        "half of it cited": (make_case(SUPPORTED + " [1] It is about numbers.", (0.9, 0.7)),),
        "half of it from elsewhere, all cited": (make_case(MIXED.replace(".", " [1]."), (0.9, 0.7)),),
        "partly in the passage's words": (
            make_case("An arithmetic progression is a list of numbers with charm.", (0.9, 0.7)),
        ),
        "scores that disagree": (make_case(SUPPORTED, (0.6, 0.4), evidence=between),),
    }


@pytest.mark.parametrize("key", list(all_thresholds()))
def test_swept_from_end_to_end_it_changes_a_verdict(key, make_case, models):
    threshold = all_thresholds()[key]
    alone = preset({"A": "seed_a", "B": "seed_b", "C": "seed_c"}.get(threshold.seed, "default"))
    changed = []
    for name, rounds in cases_by_name(make_case).items():
        trace = trace_of(models, *rounds)
        routes = {verdict(trace, alone.with_values({key: float(v)})).route for v in threshold.grid(41)}
        changed += [name] if len(routes) > 1 else []
    assert changed or key in INERT, f"no case changes when {key} is swept"
    assert not (changed and key in INERT), f"{key} is listed as inert, but {changed} change"


def test_at_most_two_sliders_are_inert_and_each_has_its_reason():
    assert len(INERT) <= 2 and all(INERT.values())


def test_the_presets_are_those_of_the_seeds():
    assert list(presets()) == ["default", "strict", "exam", "lenient", "seed_a", "seed_b", "seed_c"]
    strict, exam, lenient = (presets()[n].thresholds for n in ("strict", "exam", "lenient"))
    names = (
        "retrieval_confidence.min_retrieval_confidence",
        "context_sufficiency.min_chunks_required",
        "grounding.min_grounding_score",
    )
    assert [strict[n] for n in names] == [0.7, 2, 0.8]
    assert [exam[n] for n in names] == [0.85, 3, 0.9]
    assert [*lenient.values()] == [0.5, 0, 0.2]
    assert presets()["default"] == Preset(name="default", help=presets()["default"].help)


def test_in_a_seed_preset_only_that_seed_blocks(make_case, models):
    for letter in "ABC":
        found = verdict(trace_of(models, make_case()), preset(f"seed_{letter.lower()}"))
        from core.check import Check

        assert {Check.registry[n].seed for n, c in found.checks.items() if c.mode == "blocks"} == {letter}
