"""Users of a school sign in at a real OpenID server on this computer; without a sign-in, nothing is shown."""

import json
import time
from contextlib import ExitStack, contextmanager

import pytest
from itsdangerous import TimestampSigner, URLSafeTimedSerializer
from playwright.sync_api import expect

from core.lab.bench.app_in_browser import served
from core.platform.access import LISTS
from pages.components.shared.page_run import LASTS
from tests.support.browser import PATIENCE, settle

TEACHER, GUEST, OTHER, STRANGER = "rao@school.example", "kid@school.example", "kim@school.example", "x@else.example"
SECRET, COOKIE, DAY = "as long as thirty two characters, or longer", "_streamlit_user", 24 * 3600
SECRETS = """[auth]
redirect_uri = "http://localhost:{{port}}/oauth2callback"
cookie_secret = "{secret}"
client_id = "explorer"
client_secret = "known to both"
server_metadata_url = "http://localhost:{port}/.well-known/openid-configuration"
"""


@contextmanager
def visitor(chromium, url, cookie=""):
    """A visitor in their own browser context, on the sign-in page."""
    context = chromium.new_context(viewport={"width": 1280, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    if cookie:
        context.add_cookies([{"name": COOKIE, "value": cookie, "url": url}])
    page.goto(url)
    yield page
    context.close()


def sign_in(page, address, reads):
    """Sign in at the server, which needs no password, and wait for the text `reads` on the page afterwards."""
    page.get_by_role("button", name="Sign in").click()
    page.get_by_placeholder("sub").fill(address)
    page.get_by_role("button", name="Authorize", exact=True).click()
    page.get_by_text(reads).wait_for()


def cookie(url, secret=SECRET, aged=0, **changed):
    """Streamlit's cookie for the signed-in teacher, as if it was issued `aged` seconds ago."""

    class Then(TimestampSigner):
        def get_timestamp(self):
            return super().get_timestamp() - aged

    user = {"is_logged_in": True, "email": TEACHER, "iat": time.time(), "origin": url, "provider": "default"} | changed
    return URLSafeTimedSerializer(secret, salt=COOKIE, signer=Then).dumps(json.dumps(user))


@pytest.mark.long
def test_each_user_has_the_role_of_their_address_and_no_forged_one(
    chromium, sample_home, tmp_path, monkeypatch, outside
):  # fmt: skip
    monkeypatch.setenv("GUARDRAIL_MODE", "school")
    monkeypatch.setenv(LISTS["teacher"], TEACHER)
    monkeypatch.setenv(LISTS["guest"], f"{GUEST} {OTHER}")
    monkeypatch.setenv("STREAMLIT_SECRETS_FILES", str(tmp_path / "secrets.toml"))
    server = ExitStack()
    from oidc_provider_mock import run_server_in_thread  # imports two web frameworks, needed only in long runs

    port = server.enter_context(run_server_in_thread()).server_port
    (tmp_path / "secrets.toml").write_text(SECRETS.format(secret=SECRET, port=port))
    with server, served("app.py", sample_home("school")) as url:
        with visitor(chromium, url) as guest, visitor(chromium, url) as other, visitor(chromium, url) as teacher:
            sign_in(guest, GUEST, "School, guest")
            guest.get_by_label("Question", exact=True).fill("What is photosynthesis?")
            guest.get_by_label("Question", exact=True).press("Enter")
            guest.get_by_test_id("stHeading").filter(has_text="ANSWERED").wait_for()
            sign_in(other, OTHER, "School, guest")
            sign_in(teacher, TEACHER, "School, teacher")
            for page, sees in ((guest, True), (other, False), (teacher, True)):
                page.get_by_role("link", name="History").click()
                page.get_by_role("heading", name="History").wait_for()
                settle(page)
                expect(page.get_by_text("1 decision")).to_have_count(int(sees))
                expect(page.get_by_text("What the journal keeps")).to_have_count(int(page is teacher))
            teacher.get_by_role("button", name="Sign out").click()
            teacher.wait_for_url("**/end_session**")
            teacher.goto(url)
            teacher.get_by_role("button", name="Sign in").wait_for()
            expect(guest.get_by_text("School, guest")).to_be_visible()
        with visitor(chromium, url) as page:
            sign_in(page, STRANGER, "is not on the list of this app")  # the displayed address contains word joiners
        made_up = {
            cookie(url): "School, teacher", cookie(url, secret="another one"): "Sign in with the address",
            cookie(url, aged=40 * DAY): "Sign in with the address",
            cookie(url, iat=time.time() - LASTS - 1): "12 hours ago",
            cookie(url, origin="http://else.example"): "Sign in with the address",
        }  # fmt: skip
        for value, reads in made_up.items():
            with visitor(chromium, url, value) as page:
                page.get_by_text(reads).wait_for()
        server.close()
        with visitor(chromium, url) as page:
            page.get_by_role("button", name="Sign in").click()
            page.get_by_text("The sign-in server does not answer properly").wait_for()
    assert outside() == []
