"""A right mark never makes an answer worse than no mark, and one that cannot be read is never called a hallucination."""

import json
from pathlib import Path

import numpy as np
import pytest

from core.decide import verdict
from core.decide.check_results import judge
from core.graph.rounds import measure
from core.graph.startup import open_explorer
from core.presets import preset
from core.question import Context, Question
from core.reply.serialization import dumps, loads
from tests.support.citation_forms import FORMS, PLACES
from tests.support.traces import deep

SAID = ("An arithmetic progression is a list of numbers", "The fixed number is called the common difference",
        "Each term is obtained by adding a fixed number to the term before")  # fmt: skip
BOOK = "Sound needs a medium to travel. It cannot travel through a vacuum. A bell in a jar without air cannot be heard."
OTHER = "A drum vibrates when it is struck. The air beside it carries the vibration to the ear."
HEARD = tuple(sentence.strip(".") for sentence in BOOK.split(". "))
CASES = Path(__file__).parents[3] / "shared" / "data" / "cases"
DEFAULT = preset("default")


@pytest.mark.parametrize("form", FORMS)
def test_checks_measure_the_same_with_marks_as_without(make_case, models, form):
    plain = measure("first", make_case(". ".join(SAID) + "."), models).signals
    for name, place in PLACES.items():
        marked = measure("first", make_case(place.format(*SAID, m=form.format(1))), models).signals
        for check in ("numbers", "grounding", "hedging", "entailment"):
            assert all(np.array_equal(v, marked[check][k], equal_nan=True) for k, v in plain[check].items()), name


@pytest.mark.parametrize("answer", [
    "{0} [1]. {1}. {2}.", "{0}. {1} [1]. {2}.", "{0}. {1}. {2} [1].", "{0} [1].\n\n{1}. {2}.", "{0}. {1}.\n\n{2} [1].",
])  # fmt: skip
def test_a_mark_on_some_sentences_is_no_worse_than_none(make_case, models, answer):
    judged = judge(measure("first", make_case(answer.format(*SAID)), models), DEFAULT)
    assert judged["citations"].state == "passed"


@pytest.mark.parametrize("mark", ["[citation needed]", "[1, xyz]", "(page 3)"])
def test_a_mark_that_cannot_be_read_is_a_reason_of_its_own(make_case, models, mark):
    judged = judge(measure("first", make_case(f"{SAID[0]} {mark}."), models), DEFAULT)
    assert {r.reason for r in judged.values() if r.blocks} == {"unreadable_citations"}
    assert judged["citations"].why == "Sentence 1 has a citation that cannot be read."


def test_a_trace_from_before_unreadable_marks_were_counted_opens_and_decides_the_same(make_case, models):
    trace = deep(models, make_case(f"{SAID[0]} [1]."))
    stored = json.loads(dumps(trace))
    for one in stored["rounds"]:
        one["signals"].get("citations", {}).pop("unreadable", None)
        for sentence in (one["case"]["draft"] or {"sentences": ()})["sentences"]:
            del sentence["unreadable"]
    again = loads(json.dumps(stored))
    assert again.rounds[0].signals["citations"]["unreadable"].tolist() == [0]
    assert verdict(again, DEFAULT).route == verdict(trace, DEFAULT).route


@pytest.fixture(scope="module")
def real_explorer(tmp_path_factory):
    return open_explorer(tmp_path_factory.mktemp("marks"))


@pytest.mark.models
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_real_models_deliver_with_right_marks_what_they_deliver_without(real_explorer, place):
    for form in FORMS:
        answer = place.format(*HEARD, m=form.format(1))
        asked = Question(
            query="How does sound travel?", answer=answer, contexts=(Context(text=BOOK), Context(text=OTHER))
        )
        assert real_explorer.ask(asked, DEFAULT)[1].route == "deliver", answer
