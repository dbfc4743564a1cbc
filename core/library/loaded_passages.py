"""All passages of a library as they are in memory, and what the index finds among them."""

from dataclasses import dataclass

import numpy as np

from core.case import Passage, Scope
from core.library.documents import LibraryError
from core.library.vector_store import Collection
from core.scope import in_scope

EVERYWHERE = Scope()


@dataclass(frozen=True, kw_only=True)
class LoadedPassages:
    """All passages at one version of the library, each document's as they were read."""

    version: str = ""
    passages: tuple[Passage, ...] = ()
    by_id: dict[str, Passage]
    by_document: dict[tuple[object, ...], tuple[Passage, ...]]

    def passage(self, id_: str) -> Passage:
        """The passage with this id; LibraryError when there is none."""
        if id_ not in self.by_id:
            raise LibraryError(f"The library holds no passage {id_!r}; its document was removed.")
        return self.by_id[id_]

    def vectors(self, collection: Collection, ids: list[str]) -> np.ndarray:
        """The unit vectors of these passages, in this order: (ids, d), float32."""
        for id_ in ids:
            self.passage(id_)
        return collection.vectors(ids)

    def nearest(self, collection: Collection, vector: np.ndarray, k: int, scope: Scope) -> list[tuple[Passage, float]]:
        """The `k` passages in scope with the highest cosine to `vector`, best first, or all there are; no exercises."""
        if scope == EVERYWHERE:
            return self._telling(collection, vector, k) if self.passages else []
        ids = [p.id for p in self.passages if p.tells and in_scope(p, scope)]
        return [(self.by_id[id_], cosine) for id_, cosine in collection.nearest(vector, k, ids)] if ids else []

    def _telling(self, collection: Collection, vector: np.ndarray, k: int) -> list[tuple[Passage, float]]:
        """The `k` nearest of all passages that tell something: as many more are fetched as exercises are among them."""
        fetched = k
        while True:
            hits = collection.nearest(vector, fetched, None)
            found = [(self.by_id[id_], cosine) for id_, cosine in hits if id_ in self.by_id and self.by_id[id_].tells]
            if len(found) >= k or len(hits) < fetched:
                return found[:k]
            fetched *= 2
