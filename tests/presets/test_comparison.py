"""Two presets beside each other: what differs, all that differs, and which side is stricter."""

from itertools import pairwise

from hypothesis import given, settings

from core.checks import all_thresholds
from core.presets import modes_of, preset, values
from core.presets.comparison import differences
from tests.limits import MOVED

OTHER = {"first": "second", "second": "first", "neither": "neither"}


def stricter(found):
    return {d.key: d.stricter for d in found}


@settings(max_examples=60, deadline=None)
@given(MOVED, MOVED)
def test_only_and_all_that_differs_is_listed(a, b):
    found = {d.key: (d.first, d.second) for d in differences(a, b)}
    was, now = ({**values(p), **{f"{n}.mode": m for n, m in modes_of(p).items()}} for p in (a, b))
    assert found == {key: (was[key], now[key]) for key in was if was[key] != now[key]}


@settings(max_examples=60, deadline=None)
@given(MOVED, MOVED)
def test_turned_round_the_other_side_is_the_stricter_one(a, b):
    there, back = stricter(differences(a, b)), stricter(differences(b, a))
    assert back == {key: OTHER[side] for key, side in there.items()}


def test_the_presets_are_as_strict_as_they_are_called():
    assert set(stricter(differences(preset("default"), preset("strict"))).values()) == {"second"}
    assert set(stricter(differences(preset("default"), preset("lenient"))).values()) == {"first"}
    assert differences(preset("strict"), preset("strict")) == ()


def test_the_stricter_side_is_the_declared_one():
    default = preset("default")
    for key, t in all_thresholds().items():
        for value in {t.low, t.high} - {t.default}:
            (found,) = differences(default, default.with_values({key: value}))
            up = {"higher": "second", "lower": "first", "neither": "neither"}[t.stricter]
            assert found.stricter == (up if value > t.default else OTHER[up]) and found.check == key.split(".")[0]


def test_what_blocks_is_stricter_than_what_watches_and_that_than_off():
    states = [preset("default").with_values({}, {"numbers": mode}) for mode in ("off", "watches", "blocks")]
    for lower, higher in pairwise(states):
        assert stricter(differences(lower, higher)) == {"numbers.mode": "second"}
