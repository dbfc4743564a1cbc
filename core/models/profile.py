"""Profiles: named choices of the models that measure. The bundled models need no network; others come from folders or a
model hub.
"""

import hashlib
import logging
import time
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from core.models import ModelError
from core.models.calibration import FILE, Calibration, beside, calibration_of
from core.models.support_hints import SupportWeights
from core.models.weights import MANIFEST, MINILM_SHA256, SHIPPED, digest
from core.platform.access import require

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Models:
    """The models of one profile, loaded once and shared.

    calibration: of the embedder. support: the fitted model of the check `support`. seconds: time that loading took.
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

    @property
    def names(self) -> dict[str, str]:
        """The identity of the models for a trace: the profile, and the digest of each model."""
        return {"profile": self.profile} | {k: model.digest[:16] for k, model in self.each().items()}

    def each(self) -> dict[str, Any]:
        """Every available model by its name."""
        names = ("embedder", "entailer", "reranker", "question_encoder", "reader")
        return {name: model for name in names if (model := getattr(self, name)) is not None}


class Sources(NamedTuple):
    """The NLI model and the reranker of a profile, each the name of a folder or of a model on the hub."""

    entailer: str
    reranker: str


BUNDLED = Sources(entailer="nli-school", reranker="ms-marco-minilm")
"""Folders under data/models: the NLI model trained by this project, and the reranker."""
READER = "reader-school"
"""The folder of the reader trained by this project; every profile uses it."""
QUESTION_ENCODER = "bge-small"
"""The folder of the encoder of questions and answers; every profile uses it."""
PROFILES = {
    "bundled": BUNDLED,
    "hub": Sources(entailer="cross-encoder/nli-deberta-v3-base", reranker="cross-encoder/ms-marco-MiniLM-L-6-v2"),
}
"""The named profiles. All share the embedder with which the library is indexed."""
JOINT = "+"
"""Separates the NLI model and the reranker in a custom profile."""


def load(profile: str = "bundled") -> Models:
    """Load the models of `profile`. Those of the latest profile stay loaded, and are returned again.

    profile: one of PROFILES, or two names such as "bundled+cross-encoder/ms-marco-MiniLM-L-6-v2": the NLI model and the
    reranker, each a folder, a hub name, or "bundled". Raises ModelError if a model cannot be loaded, and AccessError if
    the user may not choose other models than the bundled ones.
    """
    profile = canonical_profile(profile)
    if profile != "bundled":
        require("models")
    return _load(profile)


def canonical_profile(profile: str) -> str:
    """`profile` in its canonical spelling. Raises ModelError if it is no profile."""
    sources = sources_of(profile)
    return next((name for name, known_sources in PROFILES.items() if known_sources == sources), JOINT.join(sources))


@lru_cache(maxsize=4)
def names_of(profile: str) -> dict[str, str]:
    """The value that `Models.names` of this profile would have, without loading a model.

    Raises ModelError if there is no such profile.
    """
    folders = {**sources_of(profile)._asdict(), "question_encoder": QUESTION_ENCODER, "reader": READER}
    digests = {"embedder": MINILM_SHA256} | {job: place_of(name)[1] for job, name in folders.items()}
    return {"profile": canonical_profile(profile)} | {job: digest_[:16] for job, digest_ in digests.items()}


@lru_cache(maxsize=1)
def _load(profile: str) -> Models:
    # only here: the first screen names the models of a profile and loads none
    from core.models.embedder import QuestionEncoder, bundled_embedder
    from core.models.entailer import Entailer
    from core.models.reader import Reader
    from core.models.reranker import Reranker

    sources, started = sources_of(profile), time.perf_counter()
    embedder, entailer = bundled_embedder(), place_of(sources.entailer)
    models = Models(
        profile=profile, embedder=embedder, entailer=Entailer(*entailer), reader=Reader(*place_of(READER)),
        reranker=Reranker(*place_of(sources.reranker)), question_encoder=QuestionEncoder(*place_of(QUESTION_ENCODER)),
        calibration=calibration_of(embedder.digest), support=SupportWeights(**beside(entailer[0]).get("support", {})),
        seconds=time.perf_counter() - started,
    )  # fmt: skip
    log.info("profile %s loaded in %.1f s", profile, models.seconds)
    return models


def sources_of(profile: str) -> Sources:
    """The NLI model and the reranker of a profile. Raises ModelError if it is no profile."""
    if profile in PROFILES:
        return PROFILES[profile]
    entailer, separator, reranker = profile.partition(JOINT)
    if not separator or not entailer.strip() or not reranker.strip():
        raise ModelError(
            f"{profile!r} is no profile; allowed are {', '.join(PROFILES)}, or the names of an NLI model and of a "
            f"reranker with {JOINT!r} between them."
        )
    names = zip((entailer.strip(), reranker.strip()), BUNDLED, strict=True)
    return Sources(*(bundled if name == "bundled" else name for name, bundled in names))


def place_of(name: str) -> tuple[Path | str, str]:
    """A model's folder or hub name, and its identity: the digest of its weights and calibration, or its hub name."""
    folder = SHIPPED / name if (SHIPPED / name).is_dir() else Path(name)
    for weights in (folder / MANIFEST, folder / "model.safetensors"):
        if weights.is_file():
            # Calibration is included, since it changes a model's results.
            digests = [digest(path) for path in [weights, folder / FILE] if path.is_file()]
            return folder.resolve(), hashlib.sha256("".join(digests).encode()).hexdigest()
    return name, name
