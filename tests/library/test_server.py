"""A library whose vectors are in Chroma's own server: the real one, killed and started again."""

import socket
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import chromadb
import httpx
import pytest

from core.library import Library, LibraryError
from core.library.vector_store import VARIABLE
from tests.conftest import one_chapter
from tests.pdfs import pdf

PLANTS = "Photosynthesis is how green plants make food. The green substance in the leaves is called chlorophyll."
SOUND = "Sound needs a medium to travel. It cannot travel through a vacuum."
WITHIN = 120  # seconds in which it starts


class Server:
    """`chroma run` on a folder, at one port for as long as the test runs."""

    def __init__(self, folder):
        with closing(socket.create_server(("127.0.0.1", 0))) as probe:
            self.port = probe.getsockname()[1]
        self.folder, self.address = folder, f"http://127.0.0.1:{self.port}"

    def start(self):
        chroma = Path(sys.executable).with_name("chroma")
        command = [chroma, "run", "--path", self.folder, "--port", str(self.port), "--host", "127.0.0.1"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + WITHIN
        while time.monotonic() < end:
            try:
                return httpx.get(f"{self.address}/api/v2/heartbeat").raise_for_status()
            except httpx.HTTPError:
                time.sleep(0.1)
        raise TimeoutError("chroma run does not answer")

    def kill(self):
        self.process.kill()
        self.process.wait()


@pytest.fixture
def server(tmp_path):
    chroma = Server(tmp_path / "server")
    chroma.start()
    yield chroma
    chroma.kill()


def found(library, models, words):
    return [(p.id, round(c, 5)) for p, c in library.nearest(models.embedder.encode([words])[0], 2)]


def test_it_moves_there_all_see_it_it_outlives_a_kill_and_it_moves_back(server, models, tmp_path, monkeypatch):
    home, asked = tmp_path / "home", "the green substance chlorophyll"
    with one_chapter(home, models, PLANTS) as library:
        before = found(library, models, asked)
    monkeypatch.setenv(VARIABLE, server.address)
    with closing(Library(home, models.embedder, words=30)) as first:
        assert found(first, models, asked) == before and not (home / "chroma").exists()
        monkeypatch.delenv(VARIABLE)  # from now on the folder says it
        with closing(Library(home, models.embedder, words=30)) as second:
            second.ingest(pdf(SOUND), "sound.pdf")
            both = found(first, models, "sound vacuum")
            assert {id_.partition(":")[0] for id_, _ in both} == {d.id for d in second.documents()}
        server.kill()
        for ask in (
            lambda: found(first, models, asked),
            lambda: first.ingest(pdf("Iron rusts in damp air."), "iron.pdf"),
            lambda: Library(home, models.embedder),
        ):
            with pytest.raises(LibraryError, match=f"Chroma server at {server.address} does not answer; start it"):
                ask()
        server.start()
        assert found(first, models, asked)[0] == before[0] and found(first, models, "sound vacuum") == both
        assert [d.name for d in first.documents()] == ["plants.pdf", "sound.pdf"]
        first.ingest(pdf("Iron rusts in damp air."), "iron.pdf")
        assert first.passage(found(first, models, "iron rusts")[0][0]).document == "iron.pdf"
    monkeypatch.setenv(VARIABLE, "here")
    with closing(Library(home, models.embedder, words=30)) as back:
        assert found(back, models, asked)[0] == before[0] and len(back.documents()) == 3
    assert not chromadb.HttpClient("127.0.0.1", server.port).list_collections() and (home / "chroma").exists()


def test_what_is_no_address_is_one_sentence(models, tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, "localhost:8000")
    with pytest.raises(LibraryError, match="must be the address of a Chroma server"):
        Library(tmp_path / "home", models.embedder)
