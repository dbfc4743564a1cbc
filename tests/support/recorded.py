"""Recorded outputs of the bundled models for tests that ask many questions, where each would take two seconds.

An input that was never recorded goes to the real models, which are then loaded. With RECORD=1 in the environment and
-n 0 its output is added to the file; without the file, everything is recorded anew.
"""

import atexit
import hashlib
import json
import os
from collections import OrderedDict
from contextlib import ExitStack
from functools import cache, cached_property
from operator import attrgetter
from pathlib import Path
from unittest.mock import patch

import numpy as np
from tokenizers import Tokenizer

from core.models import profile
from core.models.cross_encoders import CrossEncoder
from core.models.reader import Answer

FILE = Path(__file__).with_name("recorded.npz")
MODELS_DIGEST = "994261951f1101c7"
"""Digest of the models that were recorded. Outputs of other models are ignored: record anew, then set this digest."""
RECORDS = "RECORD" in os.environ
MEMORIES = {
    "encoded": ("embedder.memory", "_cache"), "pieces": ("embedder", "_terms"),
    "entailed": ("entailer.memory", "_cache"), "reranked": ("reranker.memory", "_cache"),
    "read": ("reader.memory", "_cache"), "placed": ("question_encoder.memory", "_cache"),
}  # fmt: skip
"""Name of each recorded output -> (model, attribute that caches it)."""
VECTORS = ("encoded", "placed")
"""Outputs that are whole vectors, stored as float16."""
_LOADED = profile._load.__wrapped__  # the tests of the pages put another in its place


class Memory(OrderedDict):
    """The cache of a model by the content of its inputs; recorded outputs are looked up first."""

    def __init__(self, recorded):
        super().__init__()
        self.recorded = recorded

    def __contains__(self, inputs):
        return super().__contains__(inputs) or key_of(inputs) in self.recorded

    def __missing__(self, inputs):
        return self.recorded[key_of(inputs)]

    def clear(self):
        """Forget what was measured, but for the file: a command that forgets must not take it from a recording."""
        if RECORDS:
            self.recorded |= {key_of(inputs): outputs for inputs, outputs in self.items()}
        super().clear()


def key_of(inputs):
    """A digest of a text, or of a pair of texts."""
    whole = inputs if isinstance(inputs, str) else "\0".join(inputs)
    return hashlib.blake2b(whole.encode("utf-8", "surrogatepass"), digest_size=8).digest()


class Unloaded(CrossEncoder):
    """A network of which only the tokenizer is loaded; the rest is loaded for the first input that is not recorded."""

    def __init__(self, folder):
        self._folder, self._ships, self.most_tokens = str(folder), True, 512
        labels = json.loads((Path(folder) / "config.json").read_text())["id2label"]
        self.id2label = {int(n): label for n, label in labels.items()}
        self._tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    @cached_property
    def network(self):
        return networks().cross_encoder(self._folder)

    def tokens(self, text):
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)


class UnloadedEncoder:
    """The same for an encoder."""

    def __init__(self, load, source):
        self._load, self._source = load, str(source)

    @cached_property
    def _real(self):
        return self._load(self._source)

    def __getattr__(self, name):
        return getattr(self._real, name)

    def __call__(self, features):
        return self._real(features)


def networks():
    from core.models import networks

    return networks


def unloaded_models(name="bundled", unloaded=("entailer", "reader", "reranker")):
    """The models of a profile; the networks of the files `unloaded` and of the encoders are loaded on first use."""
    with ExitStack() as patched:
        for model in unloaded:
            patched.enter_context(patch(f"core.models.{model}.cross_encoder", Unloaded))
        patched.enter_context(patch("core.models.embedder.load_model", UnloadedEncoder))
        return _LOADED(name)


@cache
def recorded_models():
    """The models of the profile "bundled" with recorded outputs, shared by the process."""
    models = unloaded_models()
    memories = memories_from(np.load(FILE)) if FILE.exists() and models_digest(models) == MODELS_DIGEST else {}
    for name, (model, field) in MEMORIES.items():
        setattr(attrgetter(model)(models), field, Memory(memories.get(name, {})))
    if RECORDS:
        atexit.register(lambda: np.savez_compressed(FILE, **arrays_to_store(models)))
    return models


def put_in_place(monkeypatch):
    """Within a test, whoever loads the bundled models gets their recorded outputs; other profiles are loaded."""
    real = profile._load
    monkeypatch.setattr(profile, "_load", lambda name: recorded_models() if name == "bundled" else real(name))


def models_digest(models):
    """A digest of the weights and calibrations of all models."""
    return hashlib.blake2b("".join(models.names.values()).encode(), digest_size=8).hexdigest()


def arrays_to_store(models):
    """All recorded and cached outputs as arrays by name: the keys, and the output for each."""
    arrays = {}
    for name, (model, field) in MEMORIES.items():
        new = getattr(attrgetter(model)(models), field)
        answers = dict(sorted((new.recorded | {key_of(inputs): outputs for inputs, outputs in new.items()}).items()))
        outputs = list(answers.values())
        arrays[f"{name} of"] = np.array([np.frombuffer(key, np.uint8) for key in answers])
        if name != "read":
            arrays[name] = np.array(outputs, dtype=np.float16 if name in VECTORS else np.float32)
            continue
        arrays[name] = np.array(
            [[a.probability, a.answered, a.margin, *a.span, len(a.at)] for a in outputs], np.float32
        )
        arrays["at"] = np.array([offset for a in outputs for offset in a.at], np.uint16)
        arrays["starts"] = np.array([p for a in outputs for p in a.starts], np.float16)
    return arrays


def memories_from(arrays):
    """The stored outputs by name and key, in the form in which the models return them."""
    memories = {name: arrays[name] for name in MEMORIES}
    ends = np.cumsum(memories["read"][:, 5].astype(int))[:-1]
    at, starts = (np.split(arrays[name], ends) for name in ("at", "starts"))
    memories |= {name: memories[name].astype(np.float32) for name in VECTORS}
    memories["pieces"], memories["reranked"] = memories["pieces"].astype(bool).tolist(), memories["reranked"].tolist()
    memories["read"] = [
        Answer(
            probability=float(row[0]), answered=float(row[1]), margin=float(row[2]), span=(int(row[3]), int(row[4])),
            at=tuple(a.tolist()), starts=tuple(s.astype(float).tolist()),
        )
        for row, a, s in zip(memories["read"], at, starts, strict=True)
    ]  # fmt: skip
    return {n: dict(zip(map(bytes, arrays[f"{n} of"]), rows, strict=True)) for n, rows in memories.items()}
