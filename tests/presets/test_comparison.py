"""Where two presets differ, and a preset as a link."""

from dataclasses import replace
from itertools import pairwise
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.checks import all_thresholds
from core.presets import (
    LONGEST,
    PARAMETER,
    PresetError,
    differences,
    link_text,
    modes_of,
    preset,
    presets,
    read_link,
    values,
)
from tests.support.plans import MOVED

OTHER = {"first": "second", "second": "first", "neither": "neither"}
KEY = "confidence.min_confidence"


def stricter(found):
    return {d.key: d.stricter for d in found}


@settings(deadline=None)
@given(MOVED, MOVED)
def test_only_and_all_that_differs_is_listed(a, b):
    found = {d.key: (d.first, d.second) for d in differences(a, b)}
    was, now = ({**values(p), **{f"{n}.mode": m for n, m in modes_of(p).items()}} for p in (a, b))
    assert found == {key: (was[key], now[key]) for key in was if was[key] != now[key]}


@settings(deadline=None)
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
        for value in {t.low, t.high} - {values(default)[key]}:
            (found,) = differences(default, default.with_values({key: value}))
            up = {"higher": "second", "lower": "first", "neither": "neither"}[t.stricter]
            assert found.stricter == (up if value > t.default else OTHER[up]) and found.key == key


def test_what_blocks_is_stricter_than_what_watches_and_that_than_off():
    states = [preset("default").with_values({}, {"numbers": mode}) for mode in ("off", "watches", "blocks")]
    for lower, higher in pairwise(states):
        assert stricter(differences(lower, higher)) == {"numbers.mode": "second"}


@settings(max_examples=100, deadline=None)
@given(MOVED)
def test_what_a_link_says_is_what_was_shared(moved):
    text = link_text(moved)
    found = read_link(parse_qs(urlsplit(f"http://x/?{PARAMETER}={text}").query)[PARAMETER][0])
    assert (values(found), modes_of(found), found.name) == (values(moved), modes_of(moved), moved.name)
    assert len(text) <= LONGEST


def test_it_holds_only_what_differs():
    assert link_text(preset("default")) == "default"
    assert link_text(preset("seed_a")) == "seed_a"
    moved = preset("strict").with_values(
        {KEY: 45.0, "topic_relevance.max_topic_mismatch_score": 0.3}, {"numbers": "off"}
    )
    assert link_text(moved) == f"strict,{KEY}=45,numbers.mode=off"


def test_a_saved_preset_is_told_by_its_values():
    ours = replace(preset("default").with_values({KEY: 45.0}), name="My class 10")
    assert link_text(ours) == f"default,{KEY}=45"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "none of default, as_printed, strict"),
        ("nobody", "'nobody', which is none of"),
        ("My class 10", "which is none of"),
        (f"{KEY}=45", "which is none of"),
        ("default,", "no such limit"),
        ("default,x.y=1", "'x.y=1', but this app has no such limit"),
        ("default,x.mode=off", "no such limit"),
        ("default,numbers.mode=loud", "blocks, watches or off"),
        (f"default,{KEY}", "must be a number"),
        (f"default,{KEY}=", "must be a number"),
        (f"default,{KEY}=101", "from 0 to 100"),
        (f"default,{KEY}=-1", "from 0 to 100"),
        (f"default,{KEY}=nan", "from 0 to 100"),
        (f"default,{KEY}=inf", "from 0 to 100"),
        (f"default,{KEY}=0x2d", "must be a number"),
        (f"default,{KEY}=4{'0' * 90}", "from 0 to 100"),
        ("default,confidence.refine_rounds=1.5", "whole number"),
        (f"default,{KEY}=45,{KEY}=46", "twice"),
        (f"default,{KEY}=45,grounding.min_grounding_score=2", "from 0 to 1"),
        ("default," + "x" * LONGEST, "letters"),
    ],
)
def test_what_is_unknown_or_out_of_range_is_one_sentence(text, says):
    with pytest.raises(PresetError) as found:
        read_link(text)
    assert says in str(found.value) and "changed" in str(found.value)
    assert len(str(found.value)) < 400


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.text(max_size=80), st.text(st.sampled_from("default,=.10_amesc"), max_size=80)))
def test_whatever_it_holds_it_is_a_preset_or_a_sentence(text):
    try:
        assert read_link(text).name in presets()
    except PresetError as error:
        assert "changed" in str(error)
