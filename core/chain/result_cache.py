"""What was decided once of a round is not decided again, for as long as somebody asks for it to be remembered."""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeVar

from core.case import Round

Found = TypeVar("Found")


@dataclass
class Memory:
    """What was found of each round: pure answers, so that remembering them changes nothing but the time taken.

    `asked` holds for each topic (the name of a check, say) the rounds that somebody asked it of, those made on the way
    among them, such as an answer cut down to what holds. Rounds are known by identity: one never changes, and is kept
    here, so that its id is never another's.
    """

    asked: dict[str, dict[int, Round]] = field(default_factory=dict)
    found: dict[tuple[int, str, Hashable], Any] = field(default_factory=dict)

    def of(self, measured: Round, topic: str, detail: Hashable, find: Callable[[], Found]) -> Found:
        """What is known of a round, found now if it was not before."""
        key = (id(measured), topic, detail)
        if key not in self.found:
            self.asked.setdefault(topic, {})[id(measured)] = measured
            self.found[key] = find()
        return self.found[key]

    def rounds(self, topic: str) -> list[Round]:
        """The rounds of which `topic` was asked."""
        return list(self.asked.get(topic, {}).values())

    @property
    def questions(self) -> int:
        """How many different things were asked of different rounds."""
        return sum(len(rounds) for rounds in self.asked.values())


_NOW: ContextVar[Memory | None] = ContextVar("memory", default=None)


@contextmanager
def remembering(memory: Memory) -> Iterator[Memory]:
    """Within this block what is decided of a round is kept in `memory`, and taken from it."""
    token = _NOW.set(memory)
    try:
        yield memory
    finally:
        _NOW.reset(token)


def remembered(measured: Round, topic: str, detail: Hashable, find: Callable[[], Found]) -> Found:
    """What `find` says of a round; asked once where somebody remembers, every time elsewhere."""
    memory = _NOW.get()
    return find() if memory is None else memory.of(measured, topic, detail, find)
