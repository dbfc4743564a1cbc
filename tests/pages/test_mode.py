"""Modes and roles: each user sees only permitted controls, the mode on every page, and their own decisions."""

import time

import pytest

from core.banks.saved import SavedBanks
from core.journal import Journal
from core.library import library_documents
from core.platform.access import LISTS, ROLES, operator
from core.platform.home import home_folder
from core.platform.quotas import QUOTAS
from pages.components.shared.page_run import PAGES
from pages.components.shared.safe_display import plain
from pages.components.shared.session import TUNE
from tests.support.app_pages import ask, drawn_elements, press, word

CHANGING = {
    "Save", "Yes, remove it", "Create", "Add", "Yes, delete it", "Yes, remove all",
    "Drop PDFs anywhere on this page, or choose them here", "Import a question set: CSV, JSONL, Parquet or Excel", "Models", "Its key",
}  # fmt: skip
"""The labels of controls that change something shared."""
FOR_OPERATOR = {"Models", "Its key"}
"""Those of them that only the operator of a school's app sees."""


@pytest.fixture
def demo(sample_home, monkeypatch):
    home = sample_home("demo")
    SavedBanks(home).add("kept", [{"query": "What is sound?", "expected": "answered"}])
    monkeypatch.setenv("GUARDRAIL_MODE", "demo")
    return home


def drawn_on_every_page(at):
    """The labels of all buttons, boxes and uploads, over all pages and the dialog of the limits."""
    labels = set()
    for page in PAGES:
        at.session_state[TUNE.tab.key] = "Questions"
        at.session_state[TUNE.bank.key] = "kept"  # the set of the fixture `demo`
        at.switch_page(f"pages/{page}.py").run()
        if page == "tune":
            at.button(key="limits dialog Tune").click().run()
        elif page == "library":
            at.selectbox(key="picked document").set_value(library_documents(home_folder())[0].id).run()
        assert not at.exception, page
        labels |= {one.label for kind in (at.button, at.selectbox, at.text_input) for one in kind}
        labels |= {one.proto.label for one in at.get("file_uploader")}
    return labels


@pytest.fixture
def school(monkeypatch):
    """Set the school mode; return a function that makes the Streamlit user of a signed-in address."""
    monkeypatch.setenv("GUARDRAIL_MODE", "school")
    monkeypatch.setenv(LISTS["teacher"], "rao@school.example")
    monkeypatch.setenv(LISTS["guest"], "@school.example")
    return lambda email: {"is_logged_in": True, "email": email, "iat": time.time()}


@pytest.mark.parametrize(("who", "draws"), [
    ("demo", set()), ("kid@school.example", set()), ("rao@school.example", CHANGING - FOR_OPERATOR), ("open", CHANGING),
])  # fmt: skip
def test_every_page_draws_only_what_the_role_may_do(start, demo, school, monkeypatch, who, draws):
    role = {"kid@school.example": "guest", "rao@school.example": "teacher"}.get(who, who)
    if role == who:
        monkeypatch.setenv("GUARDRAIL_MODE", who)
    at = start(folder=demo, user=school(who))
    said = " ".join(drawn_elements(at))  # drawn by the router, which runs every page
    assert (plain(ROLES[role].means) in said) == (role != "open")  # only this computer reaches an open app
    assert drawn_on_every_page(at) & CHANGING == draws


@pytest.mark.parametrize(("user", "reads"), [
    ({}, "Sign in with the address"), ({"email": "rao@school.example"}, "Sign in with the address"),
    ({"is_logged_in": True, "email": "x@else.example", "iat": 2e9}, "x@else.example is not on the list of this app"),
    ({"is_logged_in": True, "email": "rao@school.example", "iat": 1e9}, "more than 12 hours ago; sign in again."),
    ({"is_logged_in": True, "email": "rao@school.example", "iat": 2e9, "email_verified": False}, "has not verified rao@school.example"),
    ({"is_logged_in": True, "iat": 2e9}, "gave no e-mail address"),
])  # fmt: skip
def test_a_stranger_sees_the_reason_and_only_the_sign_in(start, tmp_path, school, user, reads):
    at = start("pages/library.py", tmp_path, user)  # a page opened without the router is protected as well
    said = " ".join(drawn_elements(at))
    assert plain(ROLES["stranger"].means) in said and plain(reads) in said
    assert [b.label for b in at.button] == ["Sign in"] + ["Sign out"] * user.get("is_logged_in", False)
    assert not (at.text_input or at.selectbox or at.sidebar.children)
    press(at, "Sign in")
    (error,) = at.error
    assert error.value.startswith(plain("Nobody can sign in here: .streamlit/secrets.toml is missing"))


def test_two_visitors_see_their_own_decisions_only(start, demo):
    for animal in ("zebra", "heron"):
        at = start(folder=demo)
        assert word(ask(at, f"What does a {animal} eat?"))
        at.switch_page("pages/history.py").run()
        (table,) = [d.value for d in at.dataframe if "Outcome" in d.value.columns]
        assert list(table["Question"]) == [f"What does a {animal} eat?"] and not at.feedback
    with operator():
        assert len(Journal(demo).rows()) == 2


def test_a_question_beyond_the_quota_shows_one_sentence(start, demo, monkeypatch):
    monkeypatch.setenv(QUOTAS["questions"].variable, "1")
    at = start(folder=demo)
    assert word(ask(at, "Good morning!")) and not at.error
    ask(at, "Good evening!")
    (error,) = at.error
    assert plain("A visitor has at most 1 question a minute, and too little of it is left;") in error.value


def test_an_invalid_mode_shows_one_sentence_and_no_page(start, demo, monkeypatch):
    monkeypatch.setenv("GUARDRAIL_MODE", "dmeo")
    at = start(folder=demo)
    assert [plain("GUARDRAIL_MODE must be one of open, demo, school, got 'dmeo'.")] == [e.value for e in at.error]
    assert not at.title
