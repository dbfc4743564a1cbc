"""Which decisions are looked at."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Filter:
    """Every condition that is set must hold; an empty one lets everything through.

    reasons: primary reasons, any of them. first, last: days as the clock on the wall counts them, both included.
    text: letters in a row of the question or of its answer, whatever their case.
    """

    reasons: tuple[str, ...] = ()
    routes: tuple[str, ...] = ()
    class_number: int | None = None
    subject: str = ""
    first: date | None = None
    last: date | None = None
    text: str = ""

    def where(self) -> tuple[str, list[Any]]:
        """The condition in SQL, and the values that it asks for."""
        found = [
            _any_of("reason", self.reasons), _any_of("route", self.routes),
            ("class_number = ?", [self.class_number] if self.class_number else []),
            ("subject = ?", [self.subject] if self.subject else []),
            ("at >= ?", [_begins(self.first)] if self.first else []),
            ("at < ?", [_begins(self.last + timedelta(days=1))] if self.last else []),
            ("instr(folded, ?)", [folded(self.text)] if folded(self.text) else []),
        ]  # fmt: skip
        set_ = [(condition, values) for condition, values in found if values]
        return " AND ".join(c for c, _ in set_) or "TRUE", [v for _, values in set_ for v in values]


def folded(text: str) -> str:
    """Text without case and with its white space folded, as it is searched."""
    return " ".join(text.casefold().split()).encode("utf-8", "replace").decode("utf-8")


def _any_of(column: str, values: tuple[str, ...]) -> tuple[str, list[Any]]:
    return f"{column} IN ({', '.join('?' * len(values))})", list(values)


def _begins(day: date) -> float:
    """When a day begins here, in seconds since 1970."""
    try:
        return datetime.combine(day, time()).timestamp()
    except (OverflowError, OSError, ValueError):  # the very first and last days that a calendar knows
        return 0.0 if day.year < 1970 else 1e12
