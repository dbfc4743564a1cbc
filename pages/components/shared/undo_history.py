"""What the limits were before, and before that: undo and redo as a value."""

from collections.abc import Hashable
from dataclasses import dataclass, replace

MOST = 100
"""Steps that can be taken back."""
Position = tuple[Hashable, ...]
"""Where every slider, every mode and the preset stand."""


@dataclass(frozen=True, kw_only=True)
class History:
    """Where everything stands now, where it stood before, the last step at the end, and what was taken back."""

    now: Position
    past: tuple[Position, ...] = ()
    future: tuple[Position, ...] = ()

    def moved_to(self, position: Position) -> "History":
        """One step more when `position` is another; what had been taken back is then forgotten."""
        if position == self.now:
            return self
        return History(now=position, past=(*self.past, self.now)[-MOST:])

    def undone(self) -> "History":
        """One step back; the same where there is none."""
        if not self.past:
            return self
        return History(now=self.past[-1], past=self.past[:-1], future=(self.now, *self.future))

    def redone(self) -> "History":
        """The last step taken back, taken again; the same where there is none."""
        if not self.future:
            return self
        return replace(self.moved_to(self.future[0]), future=self.future[1:])
