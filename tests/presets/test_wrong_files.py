"""What is wrong in a file with limits is one sentence, wherever limits are read from: a file, a saved preset, a class."""

import json

import pytest

from core.presets import PresetError
from core.presets.by_class import FILE, limits_by_class
from core.presets.files import read_limits_file
from core.presets.saved import SavedPresets

KEY = "support.min_support"
LONG = "x" * 5000


def of_a_file(content, home):
    read_limits_file(json.dumps(content).encode())


def of_a_saved_preset(content, home):
    (home / "presets").mkdir()
    whole = {"help": "", "thresholds": {}, "modes": {}} | content
    (home / "presets" / "mine.json").write_text(json.dumps(whole), encoding="utf-8")
    SavedPresets(home).preset("mine")


def of_a_class(content, home):
    (home / FILE).write_text(json.dumps([{"subject": "Science"} | content]), encoding="utf-8")
    limits_by_class(home)


@pytest.mark.parametrize("read", [of_a_file, of_a_saved_preset, of_a_class])
@pytest.mark.parametrize(
    ("content", "says"),
    [
        ({"thresholds": {"support.nothing": 1}}, "'support.nothing' is no threshold"),
        ({"thresholds": {KEY: 7}}, f"{KEY} must be a number from 0 to 1"),
        ({"thresholds": {KEY: float("nan")}}, "from 0 to 1"), ({"thresholds": {KEY: "0.5"}}, "from 0 to 1"),
        ({"thresholds": {"confidence.refine_rounds": 1.5}}, "must be a whole number"),
        ({"modes": {"numbers": "loud"}}, "blocks, watches or off"), ({"modes": {"numbers": ["off"]}}, "or off"),
        ({"modes": {"nobody": "off"}}, "'nobody' is no check"), ({"modes": ["numbers"]}, "modes must be a list of names"),
        ({"thresholds": 7}, "thresholds must be a list of names"),
        ({"thresholds": {KEY: LONG}}, LONG[:70]), ({"thresholds": {LONG: 1}}, LONG[:70]),
        ({"thresholds": {KEY: [LONG]}}, LONG[:70]), ({"modes": {LONG: "off"}}, LONG[:70]),
        ({"modes": {"numbers": LONG}}, LONG[:70]),
    ],
)  # fmt: skip
def test_a_wrong_limit_or_mode_is_named_and_a_long_value_is_cut(read, content, says, tmp_path):
    with pytest.raises(PresetError, match="cannot be read") as found:
        read(content, tmp_path)
    assert says in str(found.value) and LONG[:80] not in str(found.value) and "\n" not in str(found.value)
