"""A guarantee in sentences: what is promised, shown, paid and assumed, or what is missing."""

import pytest

from core.presentation.guarantee_words import ASSUMES, certificate_title, sentences, stored_sentence
from core.presets import preset
from core.presets.by_class import ClassLimits
from core.tuning.certificates import limits_digest, void_reason

KEY = "support.min_support"
SHOWN = {"promised": 0.05, "bound": 0.046, "count": 3, "n": 180}
CERTIFICATE = {
    "holds": True, "key": KEY, "value": 0.62, "confidence": 0.95, "risks": {"wrong": SHOWN},
    "out": {"count": 180, "n": 300}, "over_refused": {"count": 12, "n": 90}, "set": "rows.jsonl",
    "date": "2026-11-27", "models": "m", "limits": limits_digest(preset("default")),
}  # fmt: skip
SHORTFALL = CERTIFICATE | {"holds": False, "rows_needed": 1234}


def test_a_certificate_says_promise_finding_price_and_assumption():
    first, shown, price, answered, assumed = sentences(CERTIFICATE)
    assert first == ("At most 5 % wrong answers among those that go out, with 95 % confidence, with “Support” at 0.62.")
    assert "3 of 180 (2 %)" in shown and "at most 4.6 %" in shown
    assert (
        "12 of 90 (13 %, likely 8–22 %)" in price
        and answered == "180 of 300 questions get an answer."
        and assumed == ASSUMES
    )


@pytest.mark.parametrize(("rows", "said"), [(1234, "About 1,234 more labelled questions"), (None, "would not help")])
def test_a_shortfall_says_what_is_missing(rows, said):
    assert said in sentences(SHORTFALL | {"rows_needed": rows})[-1]
    assert certificate_title(SHORTFALL, "wrong") != certificate_title(CERTIFICATE, "wrong")


def test_the_picture_of_one_of_several_risks_names_it():
    both = SHORTFALL | {"risks": {"wrong": SHOWN, "off_topic": SHOWN}}
    assert "at most 5 % wrong answers" in certificate_title(both, "wrong")
    assert "together with the others" in certificate_title(both, "off_topic")


@pytest.mark.parametrize(("chosen", "models", "why"), [
    ("default", "m", ""), ("strict", "m", "The limits of the preset have changed"),
    ("default", "other", "The models have changed"),
])  # fmt: skip
def test_the_guarantee_of_a_preset_is_void_once_limits_or_models_change(chosen, models, why):
    sentence = stored_sentence(CERTIFICATE, void_reason(CERTIFICATE, preset(chosen), models))
    assert "2026-11-27" in sentence and "rows.jsonl" in sentence
    assert why in sentence and ("is void" in sentence) == bool(why)


def test_the_guarantee_names_the_classes_that_it_does_not_cover():
    covered = stored_sentence(CERTIFICATE, "", by_class=[ClassLimits(class_number=10)])
    assert covered.endswith("It does not cover class 10, which has limits of its own.")
    assert "cover" not in stored_sentence(
        CERTIFICATE, "The limits have changed.", by_class=[ClassLimits(class_number=10)]
    )


def test_after_a_drift_the_guarantee_is_said_of_its_set_only():
    sentence = stored_sentence(CERTIFICATE, "", drifted=True)
    assert "holds for questions like those of the set only: At most 5 % wrong answers" in sentence
