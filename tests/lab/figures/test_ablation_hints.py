"""A hint that separates costs area when it is left out, and one that says nothing costs nothing."""

from types import SimpleNamespace

import numpy as np
from numpy.random import default_rng

from core.lab.figures.ablation_hints import SUPPORT_HINTS, support_table

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
