"""Chroma's own server, started for one test."""

import pytest

from core.lab.load.chroma_server import Server


@pytest.fixture
def server(tmp_path):
    chroma = Server(tmp_path / "server")
    chroma.start()
    yield chroma
    chroma.kill()
