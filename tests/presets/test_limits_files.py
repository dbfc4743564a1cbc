"""Limits as a file: what is written is read again, and what cannot be read is one sentence."""

import json

import pytest

from core.presets import PresetError, differences, modes_of, preset, values
from core.presets.files import limits_file, read_limits_file

KEY = "support.min_support"
MOVED = preset("strict").with_values({KEY: 0.91}, {"numbers": "off"})


@pytest.mark.parametrize("kind", ["json", "yaml"])
def test_a_file_restores_every_limit_and_mode(kind):
    found = read_limits_file(limits_file(MOVED, kind).encode())
    assert (found.name, values(found), modes_of(found)) == ("strict", values(MOVED), modes_of(MOVED))


def test_a_file_that_names_some_limits_leaves_the_others():
    found = read_limits_file(b"name: exam\nthresholds:\n  support.min_support: 0.91\nmodes:\n  numbers: off\n")
    moved = {d.key: d.second for d in differences(preset("exam"), found)}
    assert moved == {KEY: 0.91, "numbers.mode": "off"}
    of_nobody = read_limits_file(json.dumps({"name": "class 10", "thresholds": {KEY: 0.91}}).encode())
    assert of_nobody.name == "default" and values(of_nobody)[KEY] == 0.91


BAD = {
    "no list": (b"- 1\n- 2\n", "must hold thresholds or modes"), "empty": (b"", "must hold thresholds or modes"),
    "out of range": (b"thresholds: {support.min_support: 7}", "support.min_support must be a number from 0 to 1"),
    "no YAML": (b"thresholds: {", "no JSON or YAML"), "no JSON": (b"{1", "no JSON or YAML"),
    "another encoding": ("name: größer".encode("latin-1"), "no JSON or YAML"),
    "a bomb": (b"a: &a [1]\nb: &b [*a, *a]\nthresholds: *b\n", "references"),
    "a program": (b"thresholds: !!python/object/apply:os.system [ls]", "it holds the tag"),
    "a tag": (b"thresholds: {support.min_support: !!timestamp x}", "it holds the tag 'tag:yaml.org,2002:timestamp'"),
    "a tagged list": (b"thresholds: !!set {support.min_support}", "it holds the tag 'tag:yaml.org,2002:set'"),
    "large": (b"thresholds: {}" + b" " * 100_000, "at most 100,000 are read"),
    "deep": (b"{" + b'"a":{' * 5000, "no JSON or YAML"),
}  # fmt: skip


@pytest.mark.parametrize(("data", "says"), BAD.values(), ids=BAD)
def test_a_file_that_cannot_be_read_is_one_sentence(data, says):
    with pytest.raises(PresetError) as found:
        read_limits_file(data)
    assert (
        says in str(found.value)
        and str(found.value).endswith("; nothing was changed.")
        and "\n" not in str(found.value)
    )
