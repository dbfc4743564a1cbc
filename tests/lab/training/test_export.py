"""A trained model is exported, read back from its parts, and refused when a part was changed."""

import json
from pathlib import Path

import numpy as np
import pytest

from core.lab.training import export
from core.lab.training.cross_encoder import Trained
from core.lab.training.export import as_floats
from core.models import ModelError
from core.models.calibration import FILE
from core.models.cross_encoders import cross_encoder
from core.models.entailer import Entailer
from core.models.profile import BUNDLED, place_of
from core.models.weights import GRAPH, MANIFEST
from tests.lab.training.tiny import tiny_base

pytestmark = pytest.mark.long  # nothing of the product trains or exports
for needed in ("nncf", "onnx"):
    pytest.importorskip(needed, reason=f"{needed} comes with .ci/training.txt")
PAIRS = [
    ("The rod is made of iron and it is four metres long.", "The rod is long."),
    ("Iron rusts.", "Iron rusts."),
    ("Milk is white, and curd is made of milk in a warm place over night.", "Curd is red."),
    ("Bees gather nectar.", "Nectar is gathered by bees, which live in hives."),
]


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    base = tiny_base(tmp_path_factory.mktemp("base"))
    torch.manual_seed(0)
    labels = {0: "entailment", 1: "neutral", 2: "contradiction"}
    model = AutoModelForSequenceClassification.from_pretrained(base, num_labels=3, id2label=labels, dtype=torch.float32)
    tokenizer, folder = AutoTokenizer.from_pretrained(base), tmp_path_factory.mktemp("shipped")
    export.export(model, tokenizer, folder)
    return folder, model, tokenizer


def test_the_exported_model_says_what_the_trained_one_says(exported):
    import torch

    folder, model, tokenizer = exported
    inputs = tokenizer(*map(list, zip(*PAIRS, strict=True)), padding=True, return_tensors="pt")
    with torch.inference_mode():
        trained = model(**inputs).logits.numpy()
    found = cross_encoder(folder).logits(PAIRS)
    np.testing.assert_allclose(found, trained, atol=0.05 * np.abs(trained).max())
    assert export.agreement(Trained(model, tokenizer), cross_encoder(folder), PAIRS)["n"] == len(PAIRS)


@pytest.mark.models
def test_the_model_that_ships_is_turned_back_into_the_floats_that_it_reads_with(tmp_path):
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    shipped = Path(place_of(BUNDLED.entailer)[0])
    folder = as_floats(shipped, tmp_path / "floats", AutoModelForSequenceClassification)
    floats = AutoModelForSequenceClassification.from_pretrained(folder, dtype="float32")
    read = Trained(floats, AutoTokenizer.from_pretrained(folder)).logits(PAIRS)
    expected = cross_encoder(shipped).logits(PAIRS)
    np.testing.assert_allclose(read, expected, atol=0.05 * np.abs(expected).max())
    assert as_floats(folder, tmp_path / "again", AutoModelForSequenceClassification) == folder


def test_a_pair_alone_scores_as_it_does_among_others(exported):
    model = cross_encoder(exported[0])
    alone = np.vstack([model.logits([pair]) for pair in PAIRS])
    np.testing.assert_allclose(model.logits(PAIRS), alone, atol=0.02 * np.abs(alone).max() + 0.01)
    assert model.logits([]).shape == (0, 3)


def test_large_weights_are_shipped_in_parts(exported, monkeypatch, tmp_path):
    folder, model, tokenizer = exported
    monkeypatch.setattr(export, "_PART", 200_000)
    export.export(model, tokenizer, tmp_path)
    parts = json.loads((tmp_path / MANIFEST).read_text())["parts"]
    assert len(parts) > 1 and not (tmp_path / GRAPH).with_suffix(".bin").exists()
    np.testing.assert_allclose(cross_encoder(tmp_path).logits(PAIRS), cross_encoder(folder).logits(PAIRS), atol=1e-3)
    (tmp_path / parts[-1]["file"]).write_bytes(b"other")
    with pytest.raises(ModelError, match="missing or damaged"):
        cross_encoder(tmp_path)


def test_an_entailer_reads_an_exported_model_under_its_temperature(exported):
    folder = exported[0]
    plain = Entailer(folder, "tiny").probabilities(PAIRS)
    (folder / FILE).write_text(json.dumps({"temperature": 4.0}))
    soft = Entailer(folder, "tiny").probabilities(PAIRS)
    (folder / FILE).unlink()
    assert (soft.argmax(1) == plain.argmax(1)).all()
    assert (soft.max(1) < plain.max(1)).all()


def test_a_long_premise_is_read_to_its_end(exported):
    entailer = Entailer(exported[0], "tiny")
    filler = " ".join(f"Rod number {n} is made of copper." for n in range(150))
    probabilities = entailer.probabilities([(f"{filler} Bees gather nectar.", "Bees gather nectar.")])
    assert probabilities.shape == (1, 3) and probabilities.sum() == pytest.approx(1)
    with pytest.raises(ModelError, match="break it up"):
        entailer.probabilities([("Iron rusts.", "rust " * 300)])
