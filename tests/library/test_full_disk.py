"""A disk that is full or read-only: one sentence each, nothing lost, and right again as soon as the cause is gone."""

import pytest

from core.library import Library, LibraryError
from tests.support.disks import disk  # noqa: F401 - the fixture is used by name
from tests.support.fake_models import WordEmbedder
from tests.support.libraries import HEAT, LIGHT, SOUND, files, require_order

CHANGES = {
    "ingest": lambda library, _: library.ingest(SOUND, "sound.pdf"),
    "replace": lambda library, _: library.ingest(SOUND, "light.pdf"),
    "amend": lambda library, known: library.amend(known.id, class_number=8, subject="Physics", chapter="1"),
}


def opened_anew(library):
    """A search must open the index, as after another process has written."""
    library.index.close()


def found(library, text):
    return [p.document for p, _ in library.nearest(library.embedder.encode([text])[0], 1)]


@pytest.fixture
def home(disk):  # noqa: F811
    return disk.folder / "home"


def test_a_search_on_a_full_disk_is_right_again_when_there_is_room(disk, library, home):  # noqa: F811
    library.ingest(LIGHT, "light.pdf")
    opened_anew(library)
    disk.fill()
    for _ in range(2):
        try:  # whether Chroma can open its index without room is its own affair
            assert found(library, "mirror") == ["light.pdf"]
        except LibraryError as error:
            assert "cannot be used" in str(error) and "free room" in str(error)
    disk.free()
    assert found(library, "mirror") == ["light.pdf"]
    require_order(library, home)


def test_an_index_lost_on_a_full_disk_is_built_anew_when_there_is_room(disk, library, home):  # noqa: F811
    library.ingest(LIGHT, "light.pdf")
    library.close()
    library.documents()
    (home / "chroma" / "chroma.sqlite3").write_bytes(b"no database" * 1000)
    disk.fill()
    for _ in range(2):
        with pytest.raises(LibraryError, match="cannot be used"):
            found(library, "mirror")
    disk.free()
    assert found(library, "mirror") == ["light.pdf"]
    require_order(library, home)


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_on_a_full_disk_is_one_sentence_and_leaves_nothing(disk, library, home, change):  # noqa: F811
    known = library.ingest(LIGHT, "light.pdf").document
    before = files(home)
    disk.fill()
    with pytest.raises(LibraryError, match=r"cannot be used .*; free room on its disk"):
        CHANGES[change](library, known)
    assert list(home.rglob("*.part")) == []
    disk.free()
    assert found(library, "mirror") == ["light.pdf"] and files(home) == before
    require_order(library, home)
    CHANGES[change](library, known)
    require_order(library, home)


def test_a_document_can_be_removed_once_there_is_room(disk, library, home):  # noqa: F811
    known = library.ingest(LIGHT, "light.pdf").document
    library.ingest(HEAT, "heat.pdf")
    disk.fill()
    with pytest.raises(LibraryError, match="cannot be used"):
        library.remove(known.id)
    disk.free()
    library.remove(known.id)
    assert [d.name for d in library.documents()] == ["heat.pdf"]
    require_order(library, home)


def test_a_library_that_cannot_be_written_to_says_so(disk, library, home):  # noqa: F811
    known = library.ingest(LIGHT, "light.pdf").document
    library.close()
    with disk.read_only():
        for change in (*CHANGES.values(), lambda one, known: one.remove(known.id), lambda one, _: found(one, "mirror")):
            with pytest.raises(LibraryError, match=r"cannot be used .* check that it is writable"):
                change(library, known)
        with pytest.raises(LibraryError, match=r"cannot be used .* check that it is writable"):
            Library(home, WordEmbedder())
    assert found(library, "mirror") == ["light.pdf"]
    require_order(library, home)
