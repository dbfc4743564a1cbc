"""The guarantee on the tab Limits, drawn alone over a made set: no model and no library is needed."""

import json
from dataclasses import replace

import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from core.banks.saved import OWN, SavedBanks, label
from core.banks.scored_bank import ValuedBank
from core.journal.drift import dated_certificate
from core.presets import preset
from core.presets.by_class import ClassLimits, save_limits_by_class
from core.presets.saved import SavedPresets
from core.tuning.certificates import certificate_of
from core.tuning.drift import Comparison, Drift
from core.tuning.guarantee import Promise, guarantee
from pages.components.shared import drift_box
from pages.components.shared.session import TUNE
from tests.support.app_pages import drawn_elements
from tests.support.planted_banks import RELATED, two_limits

PRINTED = preset("as_printed")


def _page() -> None:
    """The box over 120 made questions."""
    from types import SimpleNamespace

    from core.banks.scored_bank import ValuedBank
    from pages.components.shared.limits import current_preset
    from pages.components.shared.page_run import init_session
    from pages.components.tune.guarantee_box import guarantee_box
    from pages.components.tune.open_set import OpenSet
    from pages.components.tune.question_sets import messages
    from tests.support.planted_banks import RELATED, two_limits

    init_session()
    messages()
    bank = ValuedBank(two_limits(120, related=0.434, hybrid=0.4))
    measured = SimpleNamespace(conditions=SimpleNamespace(models_digest="m"))
    rows = [dict(case.row) for case in bank.cases]
    guarantee_box(OpenSet(name="made", rows=rows, measured_bank=measured, bank=bank), current_preset(), RELATED)


@pytest.fixture
def box(tmp_path, monkeypatch):
    monkeypatch.setenv("GUARDRAIL_HOME", str(tmp_path))
    at = AppTest.from_function(_page, default_timeout=120)
    at.session_state["preset"] = "as_printed"
    at.run()
    assert not at.exception
    return at


@pytest.fixture
def cases():
    return two_limits(120, related=0.434, hybrid=0.4)


def titles(at):
    figures = [go.Figure(json.loads(chart.proto.spec)).to_plotly_json() for chart in at.get("plotly_chart")]
    return [f["layout"]["title"]["text"].replace("<br>", " ") for f in figures]


def promise(box, **shares):
    """The box after these shares in percent were filled in; None empties a field."""
    for risk, share in shares.items():
        box.number_input(key=f"guarantee {risk}").set_value(share)
    return box.run()


def test_a_promise_of_nothing_asks_for_a_share(box):
    assert any("Fill in at least one share" in text for text in drawn_elements(promise(box, wrong=None)))


def test_a_guarantee_of_two_risks_is_saved_with_its_limits_under_a_name(box, tmp_path):
    promise(box, wrong=80, over_refused=90)
    assert ["at most 80 % wrong" in titles(box)[0], "at most 90 % refusals" in titles(box)[1]] == [True, True]
    box.text_input(key="name of the certified preset").set_value("by_page").run()
    box.button(key="save certified now").click().run()
    assert not box.exception and box.session_state["preset"] == "by_page"
    certificate = certificate_of(SavedPresets(tmp_path), "by_page")
    assert {risk: e["promised"] for risk, e in certificate["risks"].items()} == {"wrong": 0.8, "over_refused": 0.9}
    assert (certificate["set"], certificate["models"]) == ("made", "m")
    assert any("by the set made" in message.value for message in box.success)
    assert any("the set has 0 questions without an answer to judge" in text for text in drawn_elements(box))
    box.button(key="save certified now").click().run()
    assert any("already; take another name" in message.value for message in box.error)


@pytest.fixture
def certified(cases, tmp_path):
    """A preset that is saved with its guarantee."""
    result = guarantee(ValuedBank(cases), PRINTED, RELATED, Promise(shares={"over_refused": 0.9}))
    named = replace(PRINTED.with_values({RELATED: result.value}), name="certified", help="")
    SavedPresets(tmp_path).save(named, dated_certificate(result, named, cases, models="m", bank="made"))
    return named


def test_a_guarantee_names_the_classes_with_limits_of_their_own(box, certified, tmp_path):
    uncovered = "It does not cover class 10, which has limits of its own."
    box.session_state["preset to take"] = certified
    assert "does not cover" not in box.run().success[0].value
    save_limits_by_class(tmp_path, [ClassLimits(class_number=10, thresholds={RELATED: 0.99})])
    box.run()
    assert box.success[0].value.replace("\\", "").endswith(uncovered)
    promise(box, over_refused=90)
    assert [c.value.replace("\\", "") for c in box.caption].count(uncovered) == 1  # of the guarantee that is asked for


def test_questions_unlike_those_of_the_set_are_a_banner_with_its_picture(box, certified, monkeypatch):
    outcomes = {"set": {"deliver": 120}, "journal": {"refuse off_topic": 50}}
    differing = Drift(
        state="different", n=60, first=1, last=50, set_n=120, following=100,
        comparisons=(Comparison(name="outcomes", **outcomes, p=1e-9, limit=0.01),),
    )  # fmt: skip
    monkeypatch.setattr(drift_box, "drift_since", lambda *_: differing)
    box.session_state["preset to take"] = certified
    box.run()
    assert not box.success  # nothing green beside the banner
    assert "holds for questions like those of the set only" in box.info[0].value
    kinds = [element.type for element in box.main if element.type in ("warning", "info", "success")]
    assert kinds[:2] == ["warning", "info"]
    assert any("they differ in outcomes and reasons" in message.value for message in box.warning)
    assert "The outcomes and reasons of the last 50 questions differ from the set" in titles(box)
    box.session_state[RELATED] = 0.99
    box.run()
    assert [message.value for message in box.warning if "is void" in message.value]
    assert not any("no longer like" in message.value for message in box.warning)


def test_corrected_questions_join_the_open_set_by_one_button(box, tmp_path):
    assert not [b for b in box.button if b.key == "add corrected"]
    banks = SavedBanks(tmp_path)
    banks.add("made", [{"query": "First?", "expected": "answered"}])
    label(tmp_path, {"query": "What is a corrected question?"}, "answered")
    banks.add(OWN, [{"query": "Typed by hand?", "expected": "answered"}])
    box.run().button(key="add corrected").click().run()
    assert not box.exception and box.session_state[TUNE.tab.key] == "Run"
    assert any("1 question added" in message.value for message in box.success)
    assert [row["query"] for row in banks.rows("made")] == ["First?", "What is a corrected question?"]
