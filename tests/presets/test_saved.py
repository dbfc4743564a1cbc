"""Saved presets: written whole, read as they were written, never over a built-in one, and refused in a sentence."""

import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings

from core.__main__ import main
from core.presets import PresetError, modes_of, preset, presets, values
from core.presets.saved import MOST, SavedPresets, named_preset
from core.thresholds import ThresholdError
from tests.support.plans import MOVED

KEY = "retrieval_confidence.min_retrieval_confidence"


@pytest.fixture
def saved(tmp_path):
    return SavedPresets(tmp_path)


def mine(name="My class 10", **thresholds):
    base = preset("strict").with_values({KEY: 0.8, **thresholds}, {"hedging": "watches"})
    return replace(base, name=name, help="Ours.")


@settings(deadline=None)
@given(MOVED)
def test_what_is_saved_is_what_is_read(moved):
    with TemporaryDirectory() as folder:
        SavedPresets(Path(folder)).save(replace(moved, name="mine"))
        found = SavedPresets(Path(folder)).preset("mine")
    assert (values(found), modes_of(found)) == (values(moved), modes_of(moved))
    assert (found.name, found.help) == ("mine", moved.help)


def test_it_is_saved_whole_so_that_another_default_does_not_change_it(saved):
    saved.save(mine())
    stored = json.loads((saved.folder / "My class 10.json").read_text())
    assert stored["thresholds"] == values(mine()) and stored["modes"] == modes_of(mine())
    assert not list(saved.folder.glob("*.part"))


def test_names_are_listed_and_deleted_and_nothing_happens_to_the_others(saved):
    for name in ("zebra", "Ant", "my-own_2"):
        saved.save(mine(name))
    assert saved.names() == ("Ant", "my-own_2", "zebra")
    saved.delete("Ant")
    saved.delete("Ant")
    assert saved.names() == ("my-own_2", "zebra")
    with pytest.raises(PresetError, match="my-own_2, zebra"):
        saved.preset("Ant")


def test_saved_again_it_is_replaced_and_read_anew(saved):
    saved.save(mine())
    assert saved.preset("My class 10").thresholds[KEY] == 0.8
    saved.save(mine(**{KEY: 0.25}))
    assert saved.preset("My class 10").thresholds[KEY] == 0.25


@pytest.mark.parametrize("name", [*presets(), "Default", "SEED_A", "Seed A", "seed-a"])
def test_a_built_in_preset_is_never_written_over(saved, name):
    with pytest.raises(PresetError, match="comes with the app"):
        saved.save(mine(name))
    assert saved.names() == ()


@pytest.mark.parametrize("name", ["", " mine", "mine ", "../mine", "a/b", "a.b", "-x", "x" * 61, "mine\n", "é", None])
def test_what_is_no_name_is_refused(saved, name):
    for done in (lambda: saved.save(mine(name)), lambda: saved.preset(name), lambda: saved.delete(name)):
        with pytest.raises(PresetError, match="begins with a letter or a digit"):
            done()
    assert not saved.folder.exists()


def test_two_names_that_differ_only_in_their_case_are_refused(saved):
    saved.save(mine("mine"))
    with pytest.raises(PresetError, match="The preset 'mine' exists already"):
        saved.save(mine("Mine"))


def test_there_is_a_limit_to_their_number(saved):
    saved.save(mine("first"))
    for n in range(MOST - 1):
        (saved.folder / f"{n}.json").write_text("{}")
    saved.save(mine("first"))
    with pytest.raises(PresetError, match="delete one first"):
        saved.save(mine("one more"))


@pytest.mark.parametrize(
    ("stored", "says"),
    [
        ("{", "Expecting"),
        ("[]", "must hold a help text"),
        ('{"help": 3, "thresholds": {}, "modes": {}}', "must hold a help text"),
        ('{"help": "", "modes": {}}', "must hold a help text, thresholds and modes"),
        ('{"help": "' + "x" * 100_000 + '", "thresholds": {}, "modes": {}}', "bytes"),
        ("[" * 60_000, "cannot be read"),
    ],
)
def test_a_file_that_was_spoiled_is_one_sentence(saved, stored, says):
    saved.folder.mkdir(parents=True)
    (saved.folder / "mine.json").write_text(stored)
    assert saved.names() == ("mine",)
    with pytest.raises(PresetError, match="'mine' cannot be read") as found:
        saved.preset("mine")
    assert says in str(found.value)


def test_a_value_that_no_slider_can_have_is_not_saved(saved):
    for wrong in ({KEY: 1.5}, {"confidence.refine_rounds": 0.5}):
        with pytest.raises(ThresholdError):
            saved.save(mine(**wrong))
    assert saved.names() == ()


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path):
    (tmp_path / "presets").write_text("a file where the folder should be")
    with pytest.raises(PresetError, match="make its folder writable"):
        SavedPresets(tmp_path).save(mine())


def test_a_name_means_the_built_in_preset_before_a_saved_one(saved, tmp_path):
    saved.save(mine())
    assert named_preset("strict", tmp_path) is preset("strict")
    assert named_preset("My class 10", tmp_path).thresholds[KEY] == 0.8
    with pytest.raises(PresetError, match="seed_e, My class 10"):
        named_preset("nobody's", tmp_path)
    (saved.folder / "strict.json").write_text("{}")
    assert saved.names() == ("My class 10",) and named_preset("strict", tmp_path) is preset("strict")


def test_the_command_line_takes_a_saved_preset(saved, tmp_path, capsys):
    command = ["judge", "--in", "nowhere.jsonl", "--out", "nowhere.jsonl", "--home", str(tmp_path), "--preset"]
    assert main([*command, "My class 10"]) == 1
    assert "'My class 10' is no preset" in capsys.readouterr().err
    saved.save(mine())
    assert main([*command, "My class 10"]) == 1
    assert "nowhere.jsonl" in capsys.readouterr().err  # the preset was found, the file is the next to be looked for
