"""Quotas: how many questions one visitor may ask, and how much a visitor may add, in a period."""

import os
import threading
import time
from collections import defaultdict, deque
from dataclasses import dataclass
from itertools import accumulate

from core.platform.access import AccessError, may, require_entry

_MOST = 1_000_000


class QuotaError(AccessError):
    """A visitor has used up a quota; the message says which, until when, and what to do."""


@dataclass(frozen=True, kw_only=True)
class Quota:
    """A limit for each visitor: at most so many `unit` within `seconds`; `per` is that period in words.

    variable: the environment variable that sets the number. default: the number without the variable, for visitors who
    may not change the library; all others have no limit then.
    """

    variable: str
    default: int
    unit: str
    per: str
    seconds: float

    @property
    def limit(self) -> float:
        """The current limit; infinite if there is none. Raises AccessError if the variable is not a number."""
        limit = whole_number(self.variable)
        if limit is not None:
            return limit
        return float("inf") if may("library") else self.default


QUOTAS = {
    "questions": Quota(
        variable="GUARDRAIL_QUESTIONS_A_MINUTE", default=20, unit="questions", per="a minute", seconds=60
    ),
    "files": Quota(variable="GUARDRAIL_FILES_AN_HOUR", default=60, unit="files", per="an hour", seconds=3600),
    "megabytes": Quota(variable="GUARDRAIL_MEGABYTES_AN_HOUR", default=300, unit="MB", per="an hour", seconds=3600),
}  # fmt: skip
"""The quotas by the names that `Usage` takes. A question counts again each time models run for it."""


class Usage:
    """What one visitor has used of QUOTAS. Thread-safe; independent of changes to the system clock."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._used: defaultdict[str, deque[tuple[float, float]]] = defaultdict(deque)

    def take(self, **amounts: float) -> None:
        """Count `amounts` (by the names of QUOTAS) of an action that is about to begin.

        Raises QuotaError if any quota would be exceeded, and then counts nothing. Raises AccessError for a visitor who
        may not ask at all.
        """
        require_entry()
        for name, seconds in self.lacking(**amounts).items():
            quota = QUOTAS[name]
            unit = quota.unit.removesuffix("s") if quota.limit == 1 else quota.unit
            rule = f"A visitor has at most {quota.limit:g} {unit} {quota.per}"
            if seconds == float("inf"):
                raise QuotaError(f"{rule}, and this would be {amounts[name]:.4g} at once; take less.")
            wait = f"{seconds / 60:.0f} min" if seconds >= 90 else f"{max(1.0, seconds):.0f} s"
            raise QuotaError(f"{rule}, and too little of it is left; try again in {wait}.")

    def lacking(self, **amounts: float) -> dict[str, float]:
        """Count `amounts` and return {} if they exceed no quota; otherwise count nothing and return the exceeded
        quotas.

        The result maps the name of each exceeded quota to the seconds until the amount fits; infinite if the amount is
        larger than the whole quota.
        """
        with self._lock:
            lacking, now = {}, time.monotonic()
            for name, amount in amounts.items():
                quota, uses = QUOTAS[name], self._used[name]
                while uses and uses[0][0] <= now - quota.seconds:
                    uses.popleft()
                excess = sum(use_amount for _, use_amount in uses) + amount - quota.limit
                if excess > 0:
                    freed = accumulate(use_amount for _, use_amount in uses)
                    times = (at for (at, _), amount_freed in zip(uses, freed, strict=True) if amount_freed >= excess)
                    lacking[name] = next(times, float("inf")) + quota.seconds - now
            for name, amount in amounts.items() if not lacking else ():
                self._used[name].append((now, amount))
        return lacking


def whole_number(variable: str) -> int | None:
    """The value of an environment variable, None if unset. Raises AccessError if it is not an allowed whole number."""
    value = os.environ.get(variable, "").strip()
    if not value:
        return None
    if not value.isascii() or not value.isdigit() or not 1 <= int(value[:9]) <= _MOST or len(value) > 9:
        raise AccessError(f"{variable} must be a whole number from 1 to {_MOST}, got {value!r:.40}.")
    return int(value)
