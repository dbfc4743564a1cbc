"""A home of the version before is taken over whole, however often it is begun, and nothing of it is lost."""

import io
import json
import shutil
from contextlib import closing
from dataclasses import asdict

import numpy as np
import pytest

from core.library import Library, LibraryError, library_documents
from core.library.passages import passage_row
from core.library.store import NAME, Store, documents_in, version_in
from tests.support.libraries import HEAT, LIGHT, SOUND, killed_at, require_order

OLD = ("documents", "readings", "files", "chroma", "words", "turns.json")


@pytest.fixture
def earlier(home, tmp_path, embedder):
    """A home as the version before wrote it, and what a library says that holds the same."""
    with closing(Library(tmp_path / "now", embedder)) as library:
        for data, name in ((LIGHT, "jesc110.pdf"), (SOUND, "sound.pdf"), (HEAT, "heat.pdf")):
            library.ingest(data, name)
        for folder in ("documents", "readings", "files", "chroma", "words"):
            (home / folder).mkdir(parents=True)
        (home / "turns.json").write_text("{}")
        for document in library.documents():
            _write(home, library, document)
        hidden = asdict(library.documents()[0]) | {"id": "0" * 16, "name": "old.pdf"}
        (home / "documents" / f"{'0' * 16}.json").write_text(json.dumps(hidden))
        newest = home / "documents" / f"{library.documents()[-1].id}.json"
        newest.write_text(json.dumps(json.loads(newest.read_text()) | {"replaces": ["0" * 16]}))
        yield library


def _write(home, library, document):
    passages, pages = library.database.passages(document), range(1, document.pages + 1)
    lines = (
        [{"id": p.id} | passage_row(p) for p in passages],
        [library.sentence_rects(p.id) for p in passages],
        [{"width": 600, "height": 800, "raw": library.raw_page(document.id, page)} for page in pages],
    )
    vectors = io.BytesIO()
    np.save(vectors, library.vectors([p.id for p in passages]))
    (home / "documents" / f"{document.id}.json").write_text(json.dumps(asdict(document) | {"replaces": []}))
    (home / "readings" / f"{document.id}.jsonl").write_text("\n".join(map(json.dumps, lines)))
    (home / "readings" / f"{document.id}.npy").write_bytes(vectors.getvalue())
    (home / "files" / f"{document.id}.pdf").write_bytes(library.pdf(document.id))


def require_same(home, library):
    with closing(Library(home, library.embedder)) as now:
        assert (now.documents(), now.passages(), now.version) == (
            library.documents(),
            library.passages(),
            library.version,
        )
        for passage in library.passages():
            assert now.sentence_rects(passage.id) == library.sentence_rects(passage.id)
        for document in library.documents():
            assert now.pdf(document.id) == library.pdf(document.id)
            assert now.raw_page(document.id, 1) == library.raw_page(document.id, 1)
        require_order(now, home)
    assert not [name for name in OLD if name != "chroma" and (home / name).exists()]


def test_a_home_of_the_version_before_is_opened_as_it_was(earlier, home):
    assert not (home / NAME).exists()
    assert library_documents(home) == earlier.documents() and version_in(home) == earlier.version
    require_same(home, earlier)
    require_same(home, earlier)


@pytest.mark.parametrize("step", range(1, 6))
def test_a_kill_in_the_middle_loses_nothing(earlier, home, monkeypatch, step):
    with killed_at(step, monkeypatch, [(Store, "add"), (shutil, "rmtree")]):
        documents_in(home)
    require_same(home, earlier)


@pytest.mark.parametrize(
    ("folder", "ending"), [("readings", "npy"), ("readings", "jsonl"), ("files", "pdf"), ("documents", "json")]
)
def test_what_cannot_be_read_is_one_sentence_and_stays(earlier, home, folder, ending):
    document = earlier.documents()[1]
    damaged = home / folder / f"{document.id}.{ending}"
    damaged.write_bytes(b"")
    if ending == "pdf":
        damaged.unlink()
    with pytest.raises(
        LibraryError, match=rf"cannot be read; move .*{document.id}\.json away, and add .*{document.id}\.pdf"
    ):
        Library(home, earlier.embedder)
    assert len(list((home / "documents").iterdir())) == 4
    (home / "documents" / f"{document.id}.json").rename(home / "moved.json")
    with closing(Library(home, earlier.embedder)) as rest:
        assert [d.name for d in rest.documents()] == ["jesc110.pdf", "heat.pdf"]
