"""People who use the app at once see nothing of each other, and the measuring notices when they do."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from streamlit.proto.Element_pb2 import Element

from core.lab.bench.app_in_browser import served
from core.lab.load.page_socket import SocketPage
from core.lab.load.users import User, run_users, summary_text


def drawn(*texts):
    """A page on which these texts stand."""
    page = SocketPage(socket=None)
    for place, text in enumerate(texts):
        element = Element()
        element.markdown.body = text
        page.elements[(place,)] = element
    return page


def errors_of(*texts):
    user = User(1, drawn(*texts), waits=[1.0], moves=[1.0])
    user.verify_page()
    return user.errors


@pytest.mark.long
def test_two_people_at_once_see_their_own_answers_and_limits(tmp_path):
    # Playwright keeps an event loop running in the thread of the tests that use it.
    with served("app.py", tmp_path) as address, ThreadPoolExecutor(1) as thread:
        users = thread.submit(asyncio.run, run_users(address, 2, 1.0)).result()
    assert [user.errors for user in users] == [[], []], summary_text(users)
    assert all(len(user.waits) == 1 and len(user.moves) == 8 for user in users)


def test_what_another_person_pasted_is_noticed():
    assert errors_of("zebrabaaa1 needs 0.20") == []
    assert "zebraaaaa1" in errors_of("zebrabaaa1 needs 0.20", "zebraaaaa1")[0]


def test_a_limit_that_nobody_moved_is_noticed():
    assert "0.20" in errors_of("zebrabaaa1 needs 0.21")[0]


def test_the_button_with_the_whole_label_is_pressed_rather_than_one_that_starts_with_it():
    page = drawn()
    for place, label in enumerate(("Ask your own", "Ask", "Ask again")):
        page.elements[(place,)] = Element()
        page.elements[(place,)].button.label = label
    assert page.widget("button", "Ask").label == "Ask" and page.widget("button", "Ask y").label == "Ask your own"


def test_a_traceback_is_noticed():
    page = drawn("zebrabaaa1 needs 0.20")
    page.elements[(9,)] = Element()
    page.elements[(9,)].exception.message = "a fault"
    user = User(1, page, waits=[1.0], moves=[1.0])
    user.verify_page()
    assert user.errors == ["user 1 sees a traceback"]
