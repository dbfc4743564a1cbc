"""Source document B's loop, its edge cases and its graph with the real models.

Its words for where a search goes: the synthesizer writes an answer, refine_retrieve searches again.
"""

from dataclasses import replace

import pytest

from core.case import Question, Trace
from core.decide import next_step, verdict
from core.graph import Explorer
from core.lab.printed_examples import examples, searched
from core.presets import preset
from core.question import Context
from tests.support.libraries import one_chapter
from tests.support.plants import COOKIES, PLANTS

SEED_B, TABLE = preset("seed_b"), examples()["B"]
REFINE, SYNTHESIZER = "refine_retrieve", "synthesizer"
ABOUT = "What is photosynthesis?"


def round_of(models, question, name="first"):
    """One round of `question`."""
    return replace(searched(question, models).rounds[0], name=name)


def destination(trace):
    step = next_step(trace, SEED_B)
    if step.action == "measure":
        assert step.round.startswith("refined")
        return REFINE
    return SYNTHESIZER if step.action == "deliver" else step.action


def traced(*rounds):
    return Trace(question=rounds[0].case.question, rounds=rounds)


@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE)
def test_the_confidence_of_an_example_is_that_of_its_best_passage(bundled_models, row):
    first = round_of(bundled_models, row.question)
    found = verdict(traced(first), SEED_B)
    assert found.confidence == 100 * max((e.answers for e in first.case.evidence), default=0)
    assert 0 <= found.confidence <= 100 and ("confidence" in found.failed) is (row.outcome != SYNTHESIZER)


@pytest.mark.parametrize("row", [r for r in TABLE.values() if r.outcome == REFINE])
def test_a_confidence_that_does_not_move_ends_the_loop_without_an_answer(bundled_models, row):
    rounds = [round_of(bundled_models, row.question, name) for name in ("first", "refined 1")]
    assert destination(traced(*rounds)) == "refuse"


def test_the_loop_ends_at_its_depth(bundled_models):
    names = ("first", "refined 1", "refined 2")
    asked = [Question(query=ABOUT, contexts=(Context(text=PLANTS, score=score),)) for score in (0.1, 0.2, 0.3)]
    rising = [round_of(bundled_models, one, name) for one, name in zip(asked, names, strict=True)]
    assert [destination(traced(*rising[:n])) for n in (1, 2, 3)] == [REFINE, REFINE, "refuse"]


def scores_of(models, name):
    return round_of(models, TABLE[name].question).case.evidence


def test_what_the_edge_cases_say_of_the_scores(bundled_models):
    first, second, other = (e.answers for e in scores_of(bundled_models, "9.1 the top chunks share a score"))
    assert first == pytest.approx(second) and other < 0.1
    assert all(e.answers < 0.1 for e in scores_of(bundled_models, "9.4 all chunks score extremely low"))


@pytest.mark.parametrize(("name", "asked"), [
    ("9.3 the cross-encoder gives every chunk the same", True), ("9.1 the top chunks share a score", False),
])  # fmt: skip
def test_a_cross_encoder_of_no_use_or_none_leaves_the_hybrid_score(bundled_models, name, asked):
    models = bundled_models if asked else replace(bundled_models, reranker=None)
    assert all(e.answers == e.hybrid for e in scores_of(models, name))


@pytest.mark.parametrize(("query", "nodes", "route"), [
    (ABOUT, ("retrieve", "critic"), "deliver"), (COOKIES, ("retrieve", "critic", "refine 1", "critic"), "refuse"),
])  # fmt: skip
def test_the_whole_graph_of_the_seed(bundled_models, tmp_path, query, nodes, route):
    with one_chapter(tmp_path / "home", bundled_models, PLANTS) as library:
        found = Explorer(library, bundled_models).ask(Question(query=query), SEED_B)[1]
    assert tuple(s for s in found.steps if s.split()[0] in ("retrieve", "critic", "refine")) == nodes
    assert found.route == route
