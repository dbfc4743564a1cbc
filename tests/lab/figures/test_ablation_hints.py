"""A hint that separates costs area and right choices when it is left out, and one that says nothing costs nothing."""

from types import SimpleNamespace

import numpy as np
from numpy.random import default_rng

from core.lab.figures.ablation_hints import SUPPORT_HINTS, support_table, writer_table
from core.lab.training.answer_choices import Choice
from core.models.stretches import HINTS

PAIRS = 60


def pairs():
    """Supported answers whose `says` is high, and altered ones of two sentences, of which one is that of the twin."""
    chance = default_rng(0)
    for pair in range(PAIRS):
        for expected, says, texts in (("supported", 0.9, ["same"]), ("altered", 0.1, ["same", "altered"])):
            signals = {name: np.zeros(len(texts)) for name, _ in SUPPORT_HINTS.values()}
            signals["says"] = np.array([0.9, says][-len(texts) :]) + chance.uniform(-0.05, 0.05, len(texts))
            case = SimpleNamespace(sentences=[SimpleNamespace(text=text) for text in texts])
            yield {"pair": str(pair), "expected": expected}, SimpleNamespace(signals={"support": signals}, case=case)


def test_the_hint_that_separates_supported_from_altered_answers_is_missed():
    table = support_table(list(pairs()))
    assert table.pop("n") == {"supported": PAIRS, "altered": PAIRS}
    assert list(table) == ["all hints", *SUPPORT_HINTS]
    assert table["all hints"] == {"area": 1.0, "supported_pass": PAIRS}
    assert table["near"]["area"] < 0.7 and table["near"]["supported_pass"] < PAIRS
    assert table["unheld"] == {"area": 1.0, "supported_pass": PAIRS, "fires": {"supported": 0, "altered": 0}}
    assert table["near"]["fires"] == {"supported": PAIRS, "altered": PAIRS}


def choices(answerable, absent):
    """Questions with three stretches. The first hint is high for a stretch that answers, the last one is noise."""
    chance = default_rng(0)
    for n in range(answerable + absent):
        right = np.zeros(3)
        right[n % 3] = n < answerable
        hints = np.zeros((3, len(HINTS)))
        hints[:, 0], hints[:, -1] = right, chance.uniform(0, 0.1, 3)
        yield Choice(hints=hints, right=right)


def test_the_hint_by_which_the_writer_chooses_is_missed():
    table = writer_table({"choose": list(choices(90, 30)), "report": list(choices(30, 9))})
    assert table.pop("n") == {"answerable": 30, "absent": 9}
    assert list(table) == ["all hints", *HINTS]
    usual = {"picked": 30, "right": 30, "wrong": 0, "refused": 0, "absent_answered": 0, "changed": 0}
    assert table["all hints"] == table[HINTS[1]] == usual
    without = table[HINTS[0]]
    assert without["picked"] < 30 and without["changed"] > 0
    assert without["right"] + without["wrong"] + without["refused"] == 30
