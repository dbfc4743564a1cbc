"""A certificate in a preset file, whatever stands there: read as it was saved, or one sentence."""

import json
from copy import deepcopy
from dataclasses import replace

import pytest

from core.evaluation.outcomes import Rate
from core.journal import Journal, JournalError
from core.journal.drift import drift_since
from core.presentation.guarantee_words import sentences, stored_sentence
from core.presets import preset
from core.presets.saved import PresetError, SavedPresets
from core.tuning.certificates import CertificateError, certificate_of, certificate_row, void_reason
from core.tuning.drift import Summary, summary_in
from core.tuning.guarantee import Certificate, Evidence, Promise

DEEP = "a list within lists"
VALUES = (
    None, True, "x", "0.5", "9" * 5000, -1, 2, 1.5, 10**400, float("nan"), float("inf"), [], {}, [None], {"a": 1},
    [10**9] * 20, DEEP,
)  # fmt: skip


@pytest.fixture
def mine():
    return replace(preset("strict"), name="mine", help="Ours.")


@pytest.fixture
def certificate(mine):
    rate = Rate(count=1, n=100)
    result = Certificate(
        key="retrieval_score.min_retrieval_score", value=0.5, promise=Promise(shares={"wrong": 0.05}),
        risks={"wrong": Evidence(promised=0.05, bound=0.04, observed=rate)}, out=rate, over_refused=rate,
    )  # fmt: skip
    summary = Summary(
        n=100, shares={"outcomes": {"deliver": 90, "refuse off_topic": 10}, "subjects": {"Science": 100}},
        scores={"evidence": [5] * 20, "topic": [5] * 20},
    )  # fmt: skip
    about = {"models": "m", "bank": "a set", "bank_digest": "d", "date": "2026-11-01"}
    return certificate_row(result, mine, questions=summary.row(), **about)


def paths(value, path=()):
    """The path to every value in a JSON object, and to the object itself."""
    yield path
    for key in value if isinstance(value, dict) else ():
        yield from paths(value[key], (*path, key))


def changed(certificate, path, value):
    other = deepcopy(certificate)
    inner = other
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return other


def read(home, mine, certificate):
    """All that is read of a certificate, each part in words."""
    saved = SavedPresets(home)
    found = certificate_of(saved, mine.name)
    if found:
        void = void_reason(found, saved.preset(mine.name), "m")
        texts = [*sentences(found), stored_sentence(found, void), stored_sentence(found, "")]
        return texts, summary_in(found), drift_since(Journal(home), mine.name, found)
    return None


def test_a_certificate_is_read_as_it_was_saved(tmp_path, mine, certificate):
    SavedPresets(tmp_path).save(mine, certificate)
    assert certificate_of(SavedPresets(tmp_path), "mine") == certificate
    texts, summary, _ = read(tmp_path, mine, certificate)
    assert texts[0].startswith("At most 5 %") and summary.n == 100


def test_values_of_other_kinds_are_one_sentence_or_make_no_difference(tmp_path, mine, certificate):
    SavedPresets(tmp_path).save(mine, certificate)
    path = SavedPresets(tmp_path).folder / "mine.json"
    content, refused = json.loads(path.read_text()), 0
    for place in paths(certificate):
        for value in VALUES:
            damaged = changed(content, ("certificate", *place), value)
            path.write_text(json.dumps(damaged).replace(json.dumps(DEEP), "[" * 5000 + "]" * 5000))
            try:
                read(tmp_path, mine, certificate)
            except (CertificateError, PresetError, JournalError) as error:
                assert "mine" in str(error) and "\n" not in str(error), (place, value)
                refused += 1
    assert refused > 100


def test_a_preset_that_is_deleted_while_it_is_read_is_one_sentence(tmp_path, mine, certificate):
    saved = SavedPresets(tmp_path)
    saved.save(mine, certificate)
    (saved.folder / "mine.json").unlink()
    with pytest.raises(PresetError, match="No preset is saved as 'mine'"):
        saved.certificate("mine")
