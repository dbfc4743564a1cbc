"""How much one visitor may ask and add in a while, and how many readers of PDFs run at once: one declaration each."""

import os
import threading
import time
from collections import defaultdict, deque
from dataclasses import dataclass

from core.platform.access import AccessError, may, require_entry

_MOST = 1_000_000


class QuotaError(AccessError):
    """A visitor has used up what is allowed for now; the message says what, how much, until when and what to do."""


@dataclass(frozen=True, kw_only=True)
class Quota:
    """At most so many `unit` within `seconds`, which are `per` in words, for each visitor.

    variable: of the environment, a whole number. default: for whoever may not change the library; whoever may is bound
    by what the variable says only.
    """

    variable: str
    default: int
    unit: str
    per: str
    seconds: float

    @property
    def most(self) -> float:
        """Where it stands now; infinite where nothing binds. AccessError for a variable that is no number."""
        found = whole_number(self.variable)
        if found is not None:
            return found
        return float("inf") if may("library") else self.default


QUOTAS = {
    "questions": Quota(
        variable="GUARDRAIL_QUESTIONS_A_MINUTE", default=20, unit="questions", per="a minute", seconds=60
    ),
    "files": Quota(variable="GUARDRAIL_FILES_AN_HOUR", default=60, unit="files", per="an hour", seconds=3600),
    "megabytes": Quota(variable="GUARDRAIL_MEGABYTES_AN_HOUR", default=300, unit="MB", per="an hour", seconds=3600),
}  # fmt: skip
"""By the names that `Usage` takes. A question counts whenever models begin with it anew."""


class Usage:
    """What one visitor has used of QUOTAS. Threads may share it; no clock that is set changes it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._used: defaultdict[str, deque[tuple[float, float]]] = defaultdict(deque)

    def take(self, **amounts: float) -> None:
        """Count what is about to be done, by the names of QUOTAS: all of it, or none with a QuotaError.

        AccessError for whoever asks nothing here.
        """
        require_entry()
        for name, seconds in self.lacking(**amounts).items():
            raise QuotaError(_sentence(QUOTAS[name], amounts[name], seconds))

    def lacking(self, **amounts: float) -> dict[str, float]:
        """What is used up, with the seconds until there is enough of it; nothing where all was counted."""
        with self._lock:
            lacking = {n: s for n, amount in amounts.items() if (s := self._seconds_until(n, amount)) > 0}
            for name, amount in amounts.items() if not lacking else ():
                self._used[name].append((time.monotonic(), amount))
        return lacking

    def _seconds_until(self, name: str, amount: float) -> float:
        quota, used, now = QUOTAS[name], self._used[name], time.monotonic()
        while used and used[0][0] <= now - quota.seconds:
            used.popleft()
        over = sum(each for _, each in used) + amount - quota.most
        if over <= 0:
            return 0.0
        for when, each in used:
            over -= each
            if over <= 0:
                return when + quota.seconds - now
        return float("inf")


def whole_number(variable: str) -> int | None:
    """What a variable of the environment says, None when it says nothing; AccessError for what is no such number."""
    said = os.environ.get(variable, "").strip()
    if not said:
        return None
    if not said.isascii() or not said.isdigit() or not 1 <= int(said[:9]) <= _MOST or len(said) > 9:
        raise AccessError(f"{variable} must be a whole number from 1 to {_MOST}, got {said!r:.40}.")
    return int(said)


def _sentence(quota: Quota, amount: float, seconds: float) -> str:
    unit = quota.unit.removesuffix("s") if quota.most == 1 else quota.unit
    most = f"A visitor has at most {quota.most:g} {unit} {quota.per}"
    if seconds == float("inf"):
        return f"{most}, and this would be {amount:.4g} at once; take less."
    minutes = f"{seconds / 60:.0f} min" if seconds >= 90 else f"{max(1.0, seconds):.0f} s"
    return f"{most}, and too little of it is left; try again in {minutes}."
