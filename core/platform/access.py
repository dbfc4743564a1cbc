"""Access control: the mode of the app, who has signed in, and who may change what users share."""

import os
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from typing import ParamSpec, TypeVar

from core.errors import UserError
from core.platform.jobs import within

P, T = ParamSpec("P"), TypeVar("T")
VARIABLE = "GUARDRAIL_MODE"
MODES = ("open", "demo", "school")
"""Values of VARIABLE. In an open app or a demo, everyone has the role of that name; in a school, roles come
from LISTS.
"""
SHARED_CHANGES = {
    "library": "the library", "banks": "banks", "presets": "saved presets", "journal": "the journal",
    "models": "the choice of models",
}  # fmt: skip
"""What all users of an app share and only some may change, by right, in words."""


@dataclass(frozen=True, kw_only=True)
class Role:
    """The rights of a user.

    means: a description for every page. changes: the keys of SHARED_CHANGES that the user may change and see
    completely. refused: the message for any other change, in which {} is replaced by the name of the change. enters:
    True if the user may see and ask anything at all.
    """

    means: str
    changes: frozenset[str] = frozenset()
    refused: str = ""
    enters: bool = True


ROLES = {
    "open": Role(
        means="No sign-in: anyone who opens this app can change its settings.", changes=frozenset(SHARED_CHANGES)
    ),
    "demo": Role(
        means="Demonstration: ask, move and share what you like. Documents, banks, presets and the journal stay as "
        "they are, and you see no decisions but your own.",
        refused="In a demonstration nobody changes {}; ask the person who runs this app.",
    ),
    "teacher": Role(
        means="School, teacher: you may change documents, banks, presets and the journal, and see every decision, "
        "without names.",
        changes=frozenset(SHARED_CHANGES) - {"models"},
        refused="In a school only the person who runs this app changes {}; ask that person.",
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
"""For each role in a school, the variable with the addresses of those who have it; an entry that starts with @ matches
everyone of that domain. An address in both lists has the first role.
"""
_ADDRESS = re.compile(r"[^@\s]*@[^@\s]+\.[^@\s]+")
_acting_role: ContextVar[str | None] = ContextVar("acting", default=None)
_current_address: Callable[[], str] = str


class AccessError(UserError):
    """Raised if an action is not allowed here, or if a variable has an unknown value; the message says what is
    allowed.
    """


def mode() -> str:
    """The app's mode, one of MODES. Raises AccessError for an unknown one, so that a typo opens nothing."""
    value = os.environ.get(VARIABLE, "").strip() or "open"
    if value not in MODES:
        raise AccessError(f"{VARIABLE} must be one of {', '.join(MODES)}, got {value!r:.40}.")
    return value


def signed_in_by(address_of_user: Callable[[], str]) -> None:
    """Register the function that returns the current user's verified address in a school, "" if not signed in."""
    global _current_address
    _current_address = address_of_user


def role() -> str:
    """The role of the current user. In a school it is the role of their address; "stranger" if they have not signed in
    or their address is not listed. Raises AccessError for an entry of the lists that is no address.
    """
    if acting := _acting_role.get():
        return acting
    if (current_mode := mode()) != "school":
        return current_mode
    address = _current_address()
    lists = {name: os.environ.get(v, "").replace(",", " ").lower().split() for name, v in LISTS.items()}
    for name, entry in ((name, entry) for name, entries in lists.items() for entry in entries):
        if not _ADDRESS.fullmatch(entry):
            raise AccessError(
                f"{LISTS[name]} must list addresses such as rao@school.example, or @school.example for everybody "
                f"there, with blanks between them, got {entry!r:.60}."
            )
    # An address that is not plain ASCII has no role: look-alike letters must not match.
    is_valid = address.isascii() and _ADDRESS.fullmatch(address) and not address.startswith("@")
    names = {address.lower(), address[address.rfind("@") :].lower()} if is_valid else set()
    return next((name for name, entries in lists.items() if names & set(entries)), "stranger")


def may(change: str) -> bool:
    """True if the current user may change `change`, a key of SHARED_CHANGES, and see all of it."""
    return change in ROLES[role()].changes


def require(change: str) -> None:
    """Raise AccessError if the current user may not change `change`, a key of SHARED_CHANGES."""
    role_ = ROLES[role()]
    if change not in role_.changes:
        raise AccessError(role_.refused.format(SHARED_CHANGES[change]))


def require_entry() -> None:
    """Raise AccessError if the current user may not see or ask anything."""
    if not ROLES[role()].enters:
        raise AccessError("Only who has signed in and is listed here may ask; sign in first.")


def operator() -> AbstractContextManager[None]:
    """Within the block, act as the person who runs the app: everything is allowed.

    Threads started within the block are not included.
    """
    return within(_acting_role, "open")


def token_holder() -> AbstractContextManager[None]:
    """Within the block, act as the holder of a service token: in a school as a guest."""
    return within(_acting_role, "guest" if mode() == "school" else role())


def on_behalf(work: Callable[P, T]) -> Callable[P, T]:
    """Wrap `work` so that it runs in another thread with the role of the current user."""
    role_ = role()

    @wraps(work)
    def acting(*args: P.args, **kwargs: P.kwargs) -> T:
        with within(_acting_role, role_):
            return work(*args, **kwargs)

    return acting
