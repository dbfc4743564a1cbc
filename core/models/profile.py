"""Which models measure: the bundled ones, which need no network, or those that the seeds name."""

import logging
import time
from dataclasses import dataclass, field
from typing import Any

from core.models.calibration import Calibration, calibration_of
from core.models.errors import ModelError
from core.models.weights import SHIPPED, digest

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
        return {
            "profile": self.profile,
            "embedder": self.embedder.digest[:16],
            "entailer": self.entailer.digest[:16],
        }


def load(profile: str = "bundled") -> Models:
    """The models of `profile`, ready to measure; ModelError with one sentence when they cannot be had."""
    if profile not in PROFILES:
        raise ModelError(f"{profile!r} is no profile; allowed are {', '.join(PROFILES)}.")
    # torch takes seconds to import, so what only names a profile does not pay for it
    from core.models.embedder import bundled_embedder
    from core.models.entailer import Entailer
    from core.models.reranker import Reranker

    started, sources = time.perf_counter(), PROFILES[profile]()
    embedder = bundled_embedder()
    models = Models(
        profile=profile,
        embedder=embedder,
        entailer=Entailer(*sources.entailer),
        reranker=Reranker(*sources.reranker) if sources.reranker else None,
        calibration=calibration_of(embedder.digest),
        seconds=time.perf_counter() - started,
    )
    log.info("profile %s loaded in %.1f s", profile, models.seconds)
    return models


@dataclass(frozen=True, kw_only=True)
class Sources:
    """Where a profile has its cross-encoders: (folder or hub name, digest), None where it has none."""

    entailer: tuple[Any, str]
    reranker: tuple[Any, str] | None = None


def _bundled() -> Sources:
    folder = SHIPPED / "nli-first"
    return Sources(entailer=(folder, digest(folder / "model.safetensors")))


def _hub() -> Sources:
    entailer, reranker = "cross-encoder/nli-deberta-v3-base", "cross-encoder/ms-marco-MiniLM-L-6-v2"
    return Sources(entailer=(entailer, entailer), reranker=(reranker, reranker))


PROFILES = {"bundled": _bundled, "hub": _hub}
"""The sources of each profile. Both share the embeddings in which the library is indexed."""
