"""Where a sentence lies between what belongs to a house and what does not, by meaning."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from core.domains import Domain, domain
from core.text.small_talk import beyond_courtesy, form_of

NOWHERE = -1.0
"""The drift of a sentence without a topic: a greeting, thanks, or the words of a refusal to help."""


def drift(texts: Sequence[str], house: Domain, embedder: Any) -> list[float]:
    """For each text its best cosine with what does not belong here less the best with what does, in [-1, 1].

    NOWHERE for a text that is about nothing, and for one that declines to speak of what it names.
    """
    about = [n for n, text in enumerate(texts) if _has_topic(text)]
    found = [NOWHERE] * len(texts)
    if about:
        home, elsewhere = _phrases(embedder, house.name)
        vectors = embedder.encode([texts[n] for n in about])
        away = (vectors @ elsewhere.T).max(-1) - (vectors @ home.T).max(-1)
        for n, value in zip(about, np.clip(away, -1.0, 1.0), strict=True):
            found[n] = float(value)
    return found


def _has_topic(text: str) -> bool:
    return bool(beyond_courtesy(text)) and form_of(text) not in ("courtesy", "decline")


@lru_cache(maxsize=8)
def _phrases(embedder: Any, name: str) -> tuple[np.ndarray, np.ndarray]:
    """The vectors of what belongs to a house and of what does not, once for each embedder."""
    house = domain(name)
    return embedder.encode(list(house.topics)), embedder.encode(list(house.elsewhere))
