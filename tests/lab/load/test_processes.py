"""The proxy before processes of the app, without an nginx."""

import shutil

import pytest

from core.lab.bench.app_in_browser import BrowserError
from core.lab.load import processes


def test_an_error_of_the_block_is_not_told_as_one_of_the_proxy(tmp_path, monkeypatch):
    monkeypatch.setattr(processes, "nginx", lambda: shutil.which("true"))
    monkeypatch.setattr(processes, "wait_for_app", lambda *_: None)
    with pytest.raises(BrowserError, match="no browser is installed"), processes.proxy(tmp_path, [1, 2]):
        raise BrowserError("no browser is installed")


def test_a_proxy_that_does_not_start_is_one_sentence_and_ends(tmp_path, monkeypatch):
    started = []

    def never(_, process):
        started.append(process)
        raise BrowserError("it did not answer")

    monkeypatch.setattr(processes, "nginx", lambda: shutil.which("true"))
    monkeypatch.setattr(processes, "wait_for_app", never)
    with pytest.raises(processes.ProxyError, match="nginx did not start"), processes.proxy(tmp_path, [1, 2]):
        pass
    assert started[0].poll() is not None
