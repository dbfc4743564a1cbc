"""The bundled models as they once answered the tests of the pages, whose questions each took two seconds to measure.

What was never recorded is asked of the real models, which are loaded for it. With RECORD=1 in the environment and -n 0
that is added to what was recorded; without the file all is recorded anew.
"""

import atexit
import hashlib
import os
from collections import OrderedDict
from contextlib import ExitStack
from functools import cache, cached_property
from operator import attrgetter
from pathlib import Path
from unittest.mock import patch

import numpy as np

from core.models import profile
from core.models.cross_encoders import cross_encoder
from core.models.embedder import Embedder, bundled_embedder
from core.models.network import Network
from core.models.reader import Answer
from core.models.weights import MINILM_SHA256

FILE = Path(__file__).with_name("recorded.npz")
SAID_BY = "c3fc1877a208f6e3"
"""The models that were recorded, a digest of theirs; what others once said is left aside. Record anew, then name them."""
RECORDS = "RECORD" in os.environ
MEMORIES = {
    "encoded": ("embedder._memory", "_cache"), "pieces": ("embedder", "_terms"),
    "entailed": ("entailer._memory", "_cache"), "reranked": ("reranker._memory", "_cache"),
    "read": ("reader._memory", "_cache"), "placed": ("question_encoder._memory", "_cache"),
}  # fmt: skip
"""What is recorded, and where which model remembers it."""
VECTORS = ("encoded", "placed")
"""Of these whole vectors, in half the digits."""
_LOADED = profile._load.__wrapped__  # the tests of the pages put another in its place


class Memory(OrderedDict):
    """What a model remembers by its content, what was recorded first of all."""

    def __init__(self, recorded):
        super().__init__()
        self.recorded = recorded

    def __contains__(self, asked):
        return super().__contains__(asked) or key_of(asked) in self.recorded

    def __missing__(self, asked):
        return self.recorded[key_of(asked)]


def key_of(asked):
    """A digest of a text, or of the two that were read together."""
    whole = asked if isinstance(asked, str) else "\0".join(asked)
    return hashlib.blake2b(whole.encode("utf-8", "surrogatepass"), digest_size=8).digest()


class Unloaded(Network):
    """The words on a network in its folder; the network itself is loaded when something new is asked of it."""

    def __init__(self, folder):
        super().__init__(folder, ())
        self._folder = folder

    @cached_property
    def _real(self):
        return cross_encoder(self._folder)

    def _run(self, batches):
        raise NotImplementedError

    def logits(self, pairs):
        return self._real.logits(pairs)

    def token_logits(self, pairs):
        return self._real.token_logits(pairs)

    def first_token(self, texts):
        return self._real.first_token(texts)


class UnloadedEncoder:
    """The same for the embedder."""

    @cached_property
    def _real(self):
        return bundled_embedder().model

    def __getattr__(self, name):
        return getattr(self._real, name)


def unloaded_models(name="bundled", unloaded=("entailer", "reader", "reranker", "question_encoder")):
    """The models of a profile; the networks of the embedder and of these are loaded when something is asked of them."""
    with ExitStack() as patched:
        for model in unloaded:
            patched.enter_context(patch(f"core.models.{model}.cross_encoder", Unloaded))
        patched.enter_context(patch("core.models.embedder.load_model", lambda *_: UnloadedEncoder()))
        patched.enter_context(patch.object(profile, "bundled_embedder", lambda: Embedder("", MINILM_SHA256)))
        return _LOADED(name)


@cache
def recorded_models():
    """The models of the profile "bundled" with what was recorded; a process has them once."""
    models = unloaded_models()
    kept = told(np.load(FILE)) if FILE.exists() and named(models) == SAID_BY else {}
    for name, (model, field) in MEMORIES.items():
        setattr(attrgetter(model)(models), field, Memory(kept.get(name, {})))
    if RECORDS:
        atexit.register(lambda: np.savez_compressed(FILE, **written(models)))
    return models


def named(models):
    """A digest of the weights and calibrations of all models."""
    return hashlib.blake2b("".join(models.names.values()).encode(), digest_size=8).hexdigest()


def written(models):
    """Arrays of all that was recorded and is remembered, by name: its keys, and of each what was said."""
    found = {}
    for name, (model, field) in MEMORIES.items():
        new = getattr(attrgetter(model)(models), field)
        known = dict(sorted((new.recorded | {key_of(asked): said for asked, said in new.items()}).items()))
        said = list(known.values())
        found[f"{name} of"] = np.array([np.frombuffer(key, np.uint8) for key in known])
        if name != "read":
            found[name] = np.array(said, dtype=np.float16 if name in VECTORS else np.float32)
            continue
        found[name] = np.array([[a.probability, a.answered, a.margin, *a.span, len(a.at)] for a in said], np.float32)
        found["at"] = np.array([place for a in said for place in a.at], np.uint16)
        found["starts"] = np.array([p for a in said for p in a.starts], np.float16)
    return found


def told(stored):
    """What was written, by name and key, as the models say it."""
    said = {name: stored[name] for name in MEMORIES}
    ends = np.cumsum(said["read"][:, 5].astype(int))[:-1]
    at, starts = (np.split(stored[name], ends) for name in ("at", "starts"))
    said |= {name: said[name].astype(np.float32) for name in VECTORS}
    said["pieces"], said["reranked"] = said["pieces"].astype(bool).tolist(), said["reranked"].tolist()
    said["read"] = [
        Answer(
            probability=float(row[0]), answered=float(row[1]), margin=float(row[2]), span=(int(row[3]), int(row[4])),
            at=tuple(a.tolist()), starts=tuple(s.astype(float).tolist()),
        )
        for row, a, s in zip(said["read"], at, starts, strict=True)
    ]  # fmt: skip
    return {n: dict(zip(map(bytes, stored[f"{n} of"]), rows, strict=True)) for n, rows in said.items()}
