"""Limits of a class or a subject: the more exact entry wins, and a broken file is one sentence."""

import json

import pytest

from core.__main__ import parser
from core.command.terminal import preset_of
from core.home.backup import backup, restore
from core.presets import PresetError, preset
from core.presets.by_class import FILE, ClassLimits, for_scope, limits_by_class
from core.question import Scope
from core.safety import SafetyMechanism

KEY = "confidence.min_confidence"
ENTRIES = [
    {"class_number": 10, "subject": "Science", "thresholds": {KEY: 70}},
    {"subject": "science", "thresholds": {KEY: 50}, "modes": {"numbers": "watches"}},
    {"class_number": 10, "thresholds": {KEY: 60}},
]


@pytest.fixture
def home(tmp_path):
    (tmp_path / FILE).write_text(json.dumps(ENTRIES), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(("scope", "limit", "mode"), [
    (Scope(), None, "blocks"), (Scope(class_number=9, subject="History"), None, "blocks"),
    (Scope(subject="Science"), 50, "watches"), (Scope(class_number=10), 60, "blocks"),
    (Scope(class_number=10, subject="SCIENCE"), 70, "watches"),
])  # fmt: skip
def test_the_most_exact_entry_decides(home, scope, limit, mode):
    found = for_scope(preset("default"), scope, limits_by_class(home))
    assert found.thresholds.get(KEY) == limit and found.modes.get("numbers", "blocks") == mode
    assert (found is preset("default")) is (limit is None)


def test_without_a_file_no_class_has_its_own(tmp_path):
    assert limits_by_class(tmp_path) == ()


def test_what_the_command_line_sets_wins(home):
    options = parser().parse_args(["ask", "What is sound?", "--home", str(home), "--set", f"{KEY}=80"])
    assert preset_of(options, Scope(class_number=10)).thresholds[KEY] == 80
    options = parser().parse_args(["ask", "What is sound?", "--home", str(home)])
    assert preset_of(options, Scope(class_number=10)).thresholds[KEY] == 60
    assert KEY not in preset_of(options).thresholds


@pytest.mark.parametrize("content", [
    "{", "{}", "[7]", '[{"thresholds": {}}]', '[{"class_number": "10"}]', '[{"class_number": 10, "colour": 1}]',
    '[{"class_number": true, "thresholds": {}}]',
])  # fmt: skip
def test_a_broken_file_is_named_in_one_sentence(tmp_path, content):
    (tmp_path / FILE).write_text(content, encoding="utf-8")
    with pytest.raises(PresetError, match=f"{FILE} cannot be read") as raised:
        limits_by_class(tmp_path)
    assert "\n" not in str(raised.value)


def test_the_python_interface_uses_those_of_the_class_that_a_call_names(models):
    chunks = [{"text": "A list of numbers is a progression. " * 4, "score": 0.65, "class_number": 10}]
    limits = ClassLimits(class_number=10, thresholds={"retrieval_confidence.min_retrieval_confidence": 0.7})
    mechanism = SafetyMechanism(models=models, by_class=[limits])
    assert not mechanism.should_reject_query("What is a progression?", chunks).should_reject
    assert mechanism.should_reject_query("What is a progression?", chunks, class_number=10).should_reject


def test_a_backup_holds_the_limits_of_classes(home, tmp_path):
    backup(home, tmp_path / "home.zip")
    restore(tmp_path / "home.zip", tmp_path / "again")
    assert limits_by_class(tmp_path / "again") == limits_by_class(home)
