"""Who may do what, asked wherever something that others share is changed: the mode of the app, and who signed in."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar

P, T = ParamSpec("P"), TypeVar("T")
VARIABLE = "GUARDRAIL_MODE"
MODES = ("open", "demo", "school")
"""What VARIABLE may name. Everybody in the first two has the role of that name; in a school, those of LISTS."""
SHARED = {
    "library": "the library", "banks": "banks", "presets": "saved presets", "journal": "the journal",
    "models": "the choice of models",
}  # fmt: skip
"""What belongs to all who use an app, as a sentence says it."""


@dataclass(frozen=True, kw_only=True)
class Role:
    """What somebody may do. means: as every page says it. changes: which of SHARED they may change, and see all of.

    refused: what whoever tries another of them is told, {} being its name. enters: they see and ask anything at all.
    """

    means: str
    changes: frozenset[str] = frozenset()
    refused: str = ""
    enters: bool = True


ROLES = {
    "open": Role(
        means="Open: whoever opens this page may change everything; meant for one person.", changes=frozenset(SHARED)
    ),
    "demo": Role(
        means="Demonstration: ask, move and share what you like. Documents, banks, presets and the journal stay as "
        "they are, and you see no decisions but your own.",
        refused="In a demonstration nobody changes {}; ask whoever runs this app.",
    ),
    "teacher": Role(
        means="School, teacher: you may change documents, banks, presets and the journal, and see every decision, "
        "without names.",
        changes=frozenset(SHARED) - {"models"},
        refused="In a school only whoever runs this app changes {}; ask them.",
    ),
    "guest": Role(
        means="School, guest: ask, move and share what you like. Documents, banks, presets and the journal stay as "
        "they are. You see no decisions but your own; teachers see all of them, without names.",
        refused="A guest does not change {}; ask a teacher.",
    ),
    "stranger": Role(
        means="School: only those who are listed here and have signed in see or ask anything.",
        refused="Nobody who has not signed in changes {}; sign in first.",
        enters=False,
    ),
}  # fmt: skip
LISTS = {"teacher": "GUARDRAIL_TEACHERS", "guest": "GUARDRAIL_GUESTS"}
"""Roles of a school, and the variable with the addresses that have each; whoever stands in both has the first."""
_ADDRESS = re.compile(r"[^@\s]*@[^@\s]+\.[^@\s]+")
_acting: ContextVar[str | None] = ContextVar("acting", default=None)
_signed_in: Callable[[], str] = str


class AccessError(ValueError):
    """It may not be done here, or a variable says nothing that is known; the message says what is allowed."""


def mode() -> str:
    """The mode of MODES in which the app runs; AccessError for another one, so that a slip of the pen opens nothing."""
    named = os.environ.get(VARIABLE, "").strip() or "open"
    if named not in MODES:
        raise AccessError(f"{VARIABLE} must be one of {', '.join(MODES)}, got {named!r:.40}.")
    return named


def signed_in_by(asked: Callable[[], str]) -> None:
    """From now on `asked` says who asks in a school: a verified address, "" for whoever has not signed in."""
    global _signed_in
    _signed_in = asked


def role() -> str:
    """The role of ROLES of whoever asks: in a school that of their address, a stranger's without one."""
    if acting := _acting.get():
        return acting
    return _role_of(_signed_in()) if (now := mode()) == "school" else now


def may(change: str) -> bool:
    """May whoever asks change this one of SHARED, and see all of it?"""
    return change in ROLES[role()].changes


def require(change: str) -> None:
    """AccessError when whoever asks may not change this one of SHARED."""
    asks = ROLES[role()]
    if change not in asks.changes:
        raise AccessError(asks.refused.format(SHARED[change]))


def require_entry() -> None:
    """AccessError for whoever sees and asks nothing here."""
    if not ROLES[role()].enters:
        raise AccessError("Only who has signed in and is listed here may ask; sign in first.")


@contextmanager
def operator() -> Iterator[None]:
    """Within the block it is whoever runs the app that acts, at a terminal or by starting it: everything is allowed.

    A thread that is started within the block does not belong to it.
    """
    with _as("open"):
        yield


@contextmanager
def token_holder() -> Iterator[None]:
    """Within the block it is somebody with a token of the service that asks: in a school one of its guests."""
    with _as("guest" if mode() == "school" else role()):
        yield


def on_behalf(work: Callable[P, T]) -> Callable[P, T]:
    """`work` for another thread, where it counts as whoever asks now."""
    asks = role()

    @wraps(work)
    def acting(*args: P.args, **named: P.kwargs) -> T:
        with _as(asks):
            return work(*args, **named)

    return acting


@contextmanager
def _as(asks: str) -> Iterator[None]:
    before = _acting.set(asks)
    try:
        yield
    finally:
        _acting.reset(before)


def _role_of(address: str) -> str:
    """An address that is not plain ASCII is nobody's: letters that look alike must not pass for each other."""
    lists = {name: _listed(variable, os.environ.get(variable, "")) for name, variable in LISTS.items()}
    whole = address.isascii() and _ADDRESS.fullmatch(address) and not address.startswith("@")
    names = {address.lower(), address[address.rfind("@") :].lower()} if whole else set()
    return next((name for name, listed in lists.items() if names & listed), "stranger")


@lru_cache(maxsize=8)
def _listed(variable: str, said: str) -> frozenset[str]:
    """The addresses that a variable lists; one that begins with @ is everybody's there."""
    listed = said.replace(",", " ").lower().split()
    for one in listed:
        if not _ADDRESS.fullmatch(one):
            raise AccessError(
                f"{variable} must list addresses such as rao@school.example, or @school.example for everybody there, "
                f"with blanks between them, got {one!r:.60}."
            )
    return frozenset(listed)
