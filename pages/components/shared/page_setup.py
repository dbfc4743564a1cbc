"""How every page is set, what stands above its first line, who may do what on it, and signing in and out."""

import json
import time
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import streamlit as st
from streamlit.errors import StreamlitAuthError

from core.pdf.sandbox import readers
from core.platform.access import LISTS, ROLES, AccessError, role, signed_in_by
from core.platform.quotas import QUOTAS
from pages.components.shared.safe_display import plain, show

_STYLE = Path(__file__).with_name("style.css")


def set_page() -> None:
    """Sets it; once a run, by the app."""
    st.html(_STYLE)


def let_in() -> None:
    """The page ends here with one sentence where a variable is wrong, and for a stranger with the way to sign in."""
    try:
        asks = ROLES[role()]
        _ = readers(), [quota.most for quota in QUOTAS.values()]
    except AccessError as error:
        show(error)
        st.stop()
    if not asks.enters:
        mode_line()
        signing_in()
        st.stop()


def mode_line() -> None:
    """What whoever has opened a page may do here, and in a school how to leave."""
    now = role()
    said = f":material/{'lock_open' if now == 'open' else 'lock'}: {plain(ROLES[now].means)}"
    if now not in LISTS:
        st.caption(said)
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(said)
        sign_out()


SECRETS = ("redirect_uri", "cookie_secret", "client_id", "client_secret", "server_metadata_url")
"""What stands under [auth] in .streamlit/secrets.toml."""
SHORTEST = 32
"""Characters of the secret that cookies are signed with: whoever guesses it is whoever they like."""
LASTS = 12 * 3600
"""Seconds for which somebody is signed in: computers of a school are shared."""
_PATIENCE = 5.0
"""Seconds until the server must answer."""


def address() -> str:
    """The verified address of whoever has signed in and still is, "" for everybody else."""
    user = _user()
    return str(user.get("email", "")) if _sentence(user) == "" else ""


signed_in_by(address)


def signing_in() -> None:
    """What somebody sees who is let in no further: why, and the way in."""
    st.title("Guardrail Explorer")
    user = _user()
    st.markdown(plain(_sentence(user) or f"{user['email']} is on no list of this app; ask whoever runs it."))
    with st.container(horizontal=True):
        if st.button("Sign in", type="primary", icon=":material/login:"):
            try:
                _require_secrets()
                _require_server(st.secrets["auth"]["server_metadata_url"])
                st.login()
            except AccessError as error:
                show(error)
            except StreamlitAuthError as error:
                show(AccessError(f"Nobody can sign in here: {' '.join(str(error).split())}"))
        if user.get("is_logged_in"):
            sign_out()


def sign_out() -> None:
    """The button that ends it, for this person on this app and at the server."""
    st.button("Sign out", type="tertiary", icon=":material/logout:", on_click=st.logout)


def _user() -> dict[str, Any]:
    return st.user.to_dict()


def _sentence(user: dict[str, Any]) -> str:
    """Why `user` is nobody yet, "" where the server has verified who it is.

    A server that says nothing of whether addresses are verified has given each of them itself, as those of schools do.
    """
    if user.get("is_logged_in") is not True:
        return "Sign in with the address that your school knows you by."
    if not user.get("email"):
        return "The server that signed you in tells no address; sign in with another account."
    if user.get("email_verified", True) is not True:
        return f"{user['email']} is not verified by the server that signed you in; verify it there and sign in again."
    if time.time() - float(user.get("iat", 0)) > LASTS:
        return f"You signed in more than {LASTS // 3600} hours ago; sign in again."
    return ""


def _require_secrets() -> None:
    """AccessError where what Streamlit needs is not there, or is too short to be safe; it names no secret."""
    try:
        given = dict(st.secrets.get("auth", {}))
    except (OSError, ValueError) as error:  # no file, or one that is no TOML
        raise AccessError(
            "Nobody can sign in here: .streamlit/secrets.toml is missing or is not TOML; core/home/README.md says what "
            "stands in it."
        ) from error
    if lacking := [name for name in SECRETS if not given.get(name)]:
        raise AccessError(
            f"Nobody can sign in here: [auth] in .streamlit/secrets.toml lacks {', '.join(lacking)}; "
            "core/home/README.md says what stands in it."
        )
    if len(given["cookie_secret"]) < SHORTEST:
        raise AccessError(f"Nobody can sign in here: cookie_secret must have at least {SHORTEST} random characters.")


def _require_server(metadata: str) -> None:
    """AccessError where the server that signs people in does not say how to."""
    try:
        with urlopen(metadata, timeout=_PATIENCE) as answer:
            json.load(answer)["authorization_endpoint"]
    except (OSError, HTTPException, ValueError, LookupError, TypeError) as error:
        raise AccessError(
            "The server that signs people in does not answer as one; try again in a minute, or ask whoever runs this "
            "app."
        ) from error
