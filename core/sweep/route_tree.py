"""The way rehearsed: every fork of it and every end, whatever trace and preset lead there."""

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any

from core.chain.routing import Path, walk

Fact = tuple[Any, ...]
"""A question that the way asks: the name of a method of core.chain.facts.Asking, and what it is asked about."""


class _Open(Exception):  # noqa: N818 - the way stands at a fork, which is no fault
    """Raised where the way asks a fact that is not settled yet."""

    def __init__(self, fact: Fact) -> None:
        self.fact = fact


class _Settled:
    """Answers the way with facts that are settled, and stops it at the first that is not."""

    def __init__(self, facts: Mapping[Fact, Any]) -> None:
        self._facts = facts

    def __getattr__(self, name: str) -> Any:
        def answered(*about: Any) -> Any:
            if (name, *about) not in self._facts:
                raise _Open((name, *about))
            return self._facts[(name, *about)]

        return answered


class RouteFork:
    """A place on the way: the fact that decides how it goes on, or the end.

    A fact is settled once on a way, so the way is the same for all that agree in the facts before it.
    """

    def __init__(self, settled: Mapping[Fact, Any]) -> None:
        self._settled = settled
        self._onward: dict[Any, RouteFork] = {}

    @cached_property
    def _ahead(self) -> Fact | Path:
        try:
            return walk(_Settled(self._settled))
        except _Open as fork:
            return fork.fact

    @property
    def fact(self) -> Fact | None:
        """What is asked here; None at an end."""
        return None if isinstance(self._ahead, Path) else self._ahead

    @property
    def end(self) -> Path | None:
        """The path that ends here; None at a fork."""
        return self._ahead if isinstance(self._ahead, Path) else None

    def onward(self, answer: Any) -> "RouteFork":
        """Where the way leads when the fact is `answer`."""
        if answer not in self._onward:
            self._onward[answer] = RouteFork({**self._settled, self.fact: answer})
        return self._onward[answer]


@lru_cache(maxsize=1)
def start() -> RouteFork:
    """The first fork of every way."""
    return RouteFork({})
