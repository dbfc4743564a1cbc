"""What the journal keeps, and for how long: one choice for everybody who uses a run-time folder."""

from dataclasses import dataclass

from core.journal.errors import JournalError

SHORTEST, LONGEST = 1, 3650
"""Days that decisions may stay."""


@dataclass(frozen=True, kw_only=True)
class Keeping:
    """questions: False leaves out the question and all that tells it: the answer, the passages, the trace.

    What is left then says that something was decided, when, by which route and why, under which thresholds.
    days: how long a decision stays.
    """

    questions: bool = True
    days: int = 180

    def __post_init__(self) -> None:
        if not SHORTEST <= self.days <= LONGEST:
            raise JournalError(f"Decisions may stay from {SHORTEST} to {LONGEST} days, got {self.days}.")
