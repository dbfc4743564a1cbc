"""What a run of a page begins with: its style, the check of access with sign-in, and the values of widgets; and
switches to other pages."""

import json
import time
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import streamlit as st
from streamlit.errors import StreamlitAuthError
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.pdf.sandbox import readers
from core.platform.access import LISTS, ROLES, AccessError, role, signed_in_by
from core.platform.home import home_folder
from core.platform.jobs import PEOPLE
from core.platform.quotas import QUOTAS
from core.settings import WRITERS
from core.settings.domains import domains, use_home
from core.thresholds import Preset
from pages.components.shared.limits import (
    SLIDERS,
    current_preset,
    existing_preset,
    positions,
    prepare_limits,
    select_preset_next,
)
from pages.components.shared.safe_display import plain, show
from pages.components.shared.session import LIMITS, SETTINGS, TUNE, VISIT, declared_widgets
from pages.components.shared.session_values import give_values

PAGES = {"ask": "Ask", "library": "Library", "tune": "Tune", "history": "History", "guide": "Guide"}
"""The pages in order: file name without suffix, and title."""
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_drawer = st.components.v2.component(
    "guardrail.drawer", js=Path(__file__).with_name("drawer.js").read_text("utf-8"),
    css=".st-key-drawer { position: absolute; }", isolate_styles=False,
)  # fmt: skip


def prepare_app() -> Any:
    """Begin a run of app.py, and return the page that the address or the navigation bar selects.

    Apply the style sheet. On a phone, close the drawer once a page in it is chosen: Streamlit leaves it open over the
    page.
    """
    st.html(Path(__file__).with_name("style.css"))
    _drawer(key="drawer")
    page = _route()
    init_session()
    VISIT.is_initialized.value = True
    mode_line()
    return page


def prepare_page() -> None:
    """Begin the run of a page, which may also be opened without app.py: call `init_session` unless app.py has.

    If a callback has opened a question on Ask, switch there. The current limits are passed on explicitly, since a
    slider that was first drawn on this page would lose its value.
    """
    if not VISIT.is_initialized.take():
        init_session()
    if VISIT.to_ask.take():
        select_preset_next(current_preset())
        st.switch_page("pages/ask.py")


def init_session() -> None:
    """Stop the page if this user may not enter. Otherwise give a value to every widget whose value must survive a
    switch of pages.

    The first visitor of a server who opens a page by its address gets it without app.py: until `st.navigation` is
    called, Streamlit treats the folder `pages` as an app without a router. The run then begins anew through app.py.
    """
    run = get_script_run_ctx(suppress_warning=True)
    if run and Path(run.main_script_path).name == "app.py" and not VISIT.is_routed.is_set:
        _route()
        st.rerun()
    use_home(home_folder())
    require_access()
    PEOPLE.record_activity()  # background measuring pauses while a page is drawn
    page = run.page_script_hash if run else ""
    give_values(declared_widgets(), is_page_switch=VISIT.page.value not in (None, page))
    VISIT.page.value = page
    prepare_limits()


def _route() -> Any:
    """The page that the address or the navigation bar selects; the first page by default."""
    VISIT.is_routed.value = True
    pages = [st.Page(f"pages/{name}.py", title=title, default=name == "ask") for name, title in PAGES.items()]
    return st.navigation(pages, position="top")


def turn_to_ask() -> None:
    """Switch to the Ask page at the start of the next run; for callbacks, which cannot switch themselves."""
    VISIT.to_ask.value = True
    st.rerun()  # the whole page, even if the button lies in a fragment


def open_on_tune(name: str) -> None:
    """Draw a button that opens the questions of a set on Tune."""
    if st.button("Open on Tune", key="open on Tune", icon=":material/arrow_forward:", type="tertiary"):
        TUNE.bank.value, TUNE.tab.value = name, "Questions"
        st.switch_page("pages/tune.py")


def restore(then: Preset, settings: dict[str, Any]) -> None:
    """Select the preset `then` with its values of sliders and modes, and set these settings; a callback.

    If the preset no longer exists, the default is selected, and all differences from it count as moved. An empty server
    in `settings` leaves the current server unchanged. If the server changes, the key that the user typed is cleared, so
    that no other server receives it.
    """
    LIMITS.class_moves.clear()
    SLIDERS.fill(positions(then))
    LIMITS.preset.value = existing_preset(then.name)
    servers = (SETTINGS.endpoint.key, SETTINGS.endpoint_model.key)  # empty in a decision that used none
    new_settings = {key: v for key, v in settings.items() if key in SETTINGS.widgets and (v or key not in servers)}
    for widget, allowed in ((SETTINGS.domain, domains()), (SETTINGS.writer, WRITERS)):
        if new_settings.get(widget.key) not in allowed:
            new_settings[widget.key] = widget.initial
    if new_settings.get(SETTINGS.endpoint.key, SETTINGS.endpoint.value) != SETTINGS.endpoint.value:
        new_settings[SETTINGS.endpoint_key.key] = ""
    SETTINGS.fill(new_settings)


def require_access() -> None:
    """Stop the page with an error if an environment variable is invalid, or with the sign-in form if this user may not
    enter."""
    try:
        rights = ROLES[role()]
        _ = readers(), [quota.limit for quota in QUOTAS.values()]
    except AccessError as error:
        show(error)
        st.stop()
    if not rights.enters:
        mode_line()
        signing_in()
        st.stop()


def mode_line() -> None:
    """Draw what this user may do here, with a sign-out button for a role that needs a sign-in. Nothing is drawn in an
    open app that only this computer can reach."""
    current = role()
    if current == "open" and st.get_option("server.address") in _LOOPBACK:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f":material/{'lock_open' if current == 'open' else 'lock'}: {plain(ROLES[current].means)}")
        if current in LISTS:
            _sign_out_button()


SECRETS = ("redirect_uri", "cookie_secret", "client_id", "client_secret", "server_metadata_url")
"""The keys required under [auth] in .streamlit/secrets.toml."""
SHORTEST = 32
"""Minimum characters of the secret that signs cookies, since a person who guesses it can sign in as anybody."""
LASTS = 12 * 3600
"""Seconds until a sign-in expires, since the computers of a school are shared."""
_TIMEOUT = 5.0
"""Seconds within which the sign-in server must answer."""


def _address() -> str:
    """The verified e-mail address of the signed-in user; "" for anybody else."""
    user = st.user.to_dict()
    return str(user.get("email", "")) if _refusal(user) == "" else ""


signed_in_by(_address)


def signing_in() -> None:
    """Draw the page of a user who may not enter: why, and the sign-in button."""
    st.title("Guardrail Explorer")
    user = st.user.to_dict()
    st.markdown(plain(_refusal(user) or f"{user['email']} is not on the list of this app; ask the person who runs it."))
    with st.container(horizontal=True):
        if st.button("Sign in", type="primary", icon=":material/login:"):
            try:
                _require_sign_in_server()
                st.login()
            except AccessError as error:
                show(error)
            except StreamlitAuthError as error:
                show(f"Nobody can sign in here: {' '.join(str(error).split())}")
        if user.get("is_logged_in"):
            _sign_out_button()


def _sign_out_button() -> None:
    """Draw the button that signs this user out of the app and of the sign-in server."""
    st.button("Sign out", type="tertiary", icon=":material/logout:", on_click=st.logout)


def _refusal(user: dict[str, Any]) -> str:
    """A sentence: why `user` does not count as signed in; "" if the sign-in server has verified the address.

    A server that does not state whether addresses are verified is trusted: such servers issue the addresses themselves,
    as those of schools do.
    """
    if user.get("is_logged_in") is not True:
        return "Sign in with the address that your school gave you."
    if not user.get("email"):
        return "The sign-in gave no e-mail address; sign in with another account."
    if user.get("email_verified", True) is not True:
        return f"The sign-in server has not verified {user['email']}; verify the address there and sign in again."
    if time.time() - float(user.get("iat", 0)) > LASTS:
        return f"You signed in more than {LASTS // 3600} hours ago; sign in again."
    return ""


def _require_sign_in_server() -> None:
    """Raise AccessError if a secret that Streamlit needs is missing or too short, or if the sign-in server does not
    return its metadata. The message contains no secret."""
    lead, where = "Nobody can sign in here: ", "core/home/README.md says what this file needs."
    try:
        secrets = dict(st.secrets.get("auth", {}))
    except (OSError, ValueError) as error:  # no file, or one that is no TOML
        raise AccessError(f"{lead}.streamlit/secrets.toml is missing or is not valid TOML; {where}") from error
    if missing := [name for name in SECRETS if not secrets.get(name)]:
        raise AccessError(f"{lead}[auth] in .streamlit/secrets.toml lacks {', '.join(missing)}; {where}")
    if len(secrets["cookie_secret"]) < SHORTEST:
        raise AccessError(f"{lead}cookie_secret must have at least {SHORTEST} random characters.")
    try:
        with urlopen(secrets["server_metadata_url"], timeout=_TIMEOUT) as answer:
            json.load(answer)["authorization_endpoint"]
    except (OSError, HTTPException, ValueError, LookupError, TypeError) as error:
        raise AccessError(
            "The sign-in server does not answer properly; try again in a minute, or ask the person who runs this app."
        ) from error
