"""Which models measure: the bundled ones, which need no network, or those that the seeds name."""

import hashlib
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.models.calibration import FILE, Calibration, calibration_of
from core.models.errors import ModelError
from core.models.weights import MANIFEST, SHIPPED, digest

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Models:
    """The models of one profile, loaded once and shared. A reranker's place is kept: without one, answers = hybrid."""

    profile: str
    embedder: Any
    entailer: Any
    reranker: Any = None
    calibration: Calibration = field(default_factory=Calibration)
    seconds: float = 0.0

    @property
    def names(self) -> dict[str, str]:
        """What a trace remembers of the models that measured it."""
        named = {"embedder": self.embedder, "entailer": self.entailer, "reranker": self.reranker}
        return {"profile": self.profile} | {k: model.digest[:16] for k, model in named.items() if model}


@dataclass(frozen=True, kw_only=True)
class Sources:
    """Where a profile has its cross-encoders, a folder or a hub name each; a profile without a reranker has ""."""

    entailer: str
    reranker: str


BUNDLED = Sources(entailer="nli-school", reranker="")
"""The folder of the model that we trained, under data/models. Our reranker does not beat the search: see its card."""
PROFILES = {
    "bundled": BUNDLED,
    "hub": Sources(entailer="cross-encoder/nli-deberta-v3-base", reranker="cross-encoder/ms-marco-MiniLM-L-6-v2"),
}
"""All profiles share the embeddings in which the library is indexed."""
JOINT = "+"
"""Stands between the NLI model and the reranker of a profile that is spelled out."""


def load(profile: str = "bundled") -> Models:
    """The models of `profile`, ready to measure; ModelError with one sentence when they cannot be had.

    profile: one of PROFILES, or two names such as "bundled+cross-encoder/ms-marco-MiniLM-L-6-v2": the NLI model and
    the reranker, each a folder, a hub name, or "bundled".
    """
    sources = sources_of(profile)
    # torch takes seconds to import, so what only names a profile does not pay for it
    from core.models.embedder import bundled_embedder
    from core.models.entailer import Entailer
    from core.models.reranker import Reranker

    started = time.perf_counter()
    embedder = bundled_embedder()
    models = Models(
        profile=profile,
        embedder=embedder,
        entailer=Entailer(*place_of(sources.entailer)),
        reranker=Reranker(*place_of(sources.reranker)) if sources.reranker else None,
        calibration=calibration_of(embedder.digest),
        seconds=time.perf_counter() - started,
    )
    log.info("profile %s loaded in %.1f s", profile, models.seconds)
    return models


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
