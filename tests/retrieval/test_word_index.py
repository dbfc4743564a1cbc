"""The index of words: its scores by their definition, its file shared, made anew whenever it is not what it should be."""

import math
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import compress, islice

import numpy as np
import pytest

from core.case import Passage
from core.library import Library
from core.platform.mapped_arrays import ArraysError, map_arrays
from core.retrieval.retriever import Retriever
from core.retrieval.word_index import best_first, index_of, stored_index
from core.text.words import content
from tests.support.disks import disk  # noqa: F401 - the fixture is used by name
from tests.support.fake_models import WordEmbedder
from tests.support.libraries import HEAT, LIGHT

TEXTS = [
    "Light travels in straight lines. Light is bent by a lens.",
    "Sound needs a medium, and sound travels slower than light.",
    "The of and",
    "",
    "Heat flows from a warm body to a cold body. It's the body that cools; ध्वनि and H₂O too.",
    "Sound needs a medium, and sound travels slower than light.",
]
QUERIES = ["light", "How does sound travel in a warm body?", "zebra", "sound zebra", "", "the of", "ध्वनि H2O it's"]


def passages(texts=TEXTS):
    return [Passage(id=f"one:{n}", sentences=(text,), pages=(1,)) for n, text in enumerate(texts)]


def answers(index):
    """Everything that an index says, to the byte."""
    return [index.shares(query).tobytes() for query in QUERIES], [
        index.idf(word) for word in content(" ".join(QUERIES))
    ]


def file_in(folder):
    (path,) = folder.glob("*.arrays")
    return path


def share(query, text):
    """The BM25 share of `query` for `text` by the formula, with k1 1.5 and b 0.75."""
    tokens = [content(t) for t in TEXTS]
    own, mean = content(text), np.mean([len(t) for t in tokens])

    def idf(word):
        n = sum(word in t for t in tokens)
        return math.log(1 + (len(TEXTS) - n + 0.5) / (n + 0.5))

    query_words = dict.fromkeys(content(query))
    counts = {word: own.count(word) for word in query_words}
    score = sum(idf(w) * n / (n + 1.5 * (0.25 + 0.75 * len(own) / mean)) for w, n in counts.items())
    return score / (sum(map(idf, query_words)) or 1)


def test_a_share_is_that_of_the_formula():
    index = index_of(TEXTS)
    for query in QUERIES:
        assert index.shares(query) == pytest.approx([share(query, text) for text in TEXTS], abs=1e-6)
    assert index_of([]).shares("light").tolist() == [] and index_of(["", "the"]).shares("light").tolist() == [0, 0]


def test_the_best_are_those_of_a_stable_sort_of_all():
    chance = np.random.default_rng(0)
    for size in (0, 1, 300, 5000):
        for values in (2, 40, 10**6):  # few values give many equal scores
            scores = (chance.integers(values, size=size) / values).astype(np.float32)
            wanted = [n for n in np.argsort(-scores, kind="stable").tolist() if scores[n] > 0]
            assert list(best_first(scores)) == wanted
            assert list(islice(best_first(scores), 40)) == wanted[:40]


def test_a_mapped_index_says_what_one_in_memory_says(tmp_path):
    expected = answers(index_of(TEXTS))
    assert answers(stored_index(tmp_path, passages())) == expected
    before = file_in(tmp_path).stat().st_ino
    assert answers(stored_index(tmp_path, passages())) == expected and file_in(tmp_path).stat().st_ino == before
    assert answers(stored_index(tmp_path / "none", [])) == answers(index_of([]))


@pytest.mark.parametrize("now", [
    [*TEXTS, "A new book on sound, about a zebra."], TEXTS[1:], [TEXTS[4], TEXTS[0]], ["Zebra."], [],
    ["Zebra first.", *reversed(TEXTS), TEXTS[0], TEXTS[0]],
])  # fmt: skip
def test_an_index_made_from_that_of_earlier_texts_is_that_of_its_own_texts(tmp_path, now):
    stored_index(tmp_path, passages())
    before = file_in(tmp_path)
    assert answers(stored_index(tmp_path, passages(now))) == answers(index_of(now))
    before.unlink()
    made = file_in(tmp_path).read_bytes()
    stored_index(tmp_path / "alone", passages(now))
    assert made == file_in(tmp_path / "alone").read_bytes()


def test_only_new_texts_are_read_again(tmp_path, monkeypatch):
    stored_index(tmp_path, passages())
    read = []
    from core.retrieval import postings

    monkeypatch.setattr(postings, "words", lambda text: read.append(text) or content(text))
    stored_index(tmp_path, passages([TEXTS[4], "A zebra.", TEXTS[0]]))
    assert read == ["A zebra."]


def test_files_of_earlier_versions_are_removed_and_one_that_is_still_read_stays_usable(tmp_path):
    first = stored_index(tmp_path, passages(TEXTS[:1]))
    expected = answers(first)
    for count in range(2, 6):
        stored_index(tmp_path, passages(TEXTS[:count]))
    (tmp_path / "killed.part").write_bytes(b"half")
    stored_index(tmp_path, passages())
    left = sorted(tmp_path.glob("*.arrays"), key=lambda path: path.stat().st_mtime_ns)
    assert [len(map_arrays(path).arrays["lengths"]) for path in left] == [5, 6] and answers(first) == expected
    assert not list(tmp_path.glob("*.part"))


def flipped(data, position):
    return data[:position] + bytes([data[position] ^ 1]) + data[position + 1 :]


DAMAGE = {
    "empty": lambda data: b"",
    "truncated": lambda data: data[: len(data) // 2],
    "without an end": lambda data: data[:-1],
    "foreign": lambda data: b"PK\x03\x04 something else" * 20,
    **{f"flipped at {n}/50": lambda data, n=n: flipped(data, n * (len(data) - 1) // 50) for n in range(51)},
}


def test_a_file_that_was_damaged_in_any_way_is_made_anew(tmp_path):
    expected = answers(stored_index(tmp_path, passages()))
    path = file_in(tmp_path)
    whole = path.read_bytes()
    for name, damage in DAMAGE.items():
        path.unlink()  # what is mapped stays as it is
        path.write_bytes(damage(whole))
        assert answers(stored_index(tmp_path, passages())) == expected, name
        map_arrays(path, verified=True)
    path.unlink()
    path.write_bytes(flipped(whole, 0))
    assert answers(stored_index(tmp_path, passages([*TEXTS, "zebra"]))) == answers(index_of([*TEXTS, "zebra"]))


def test_a_changed_byte_of_an_array_is_noticed_when_asked_for(tmp_path):
    stored_index(tmp_path, passages())
    path = file_in(tmp_path)
    path.write_bytes(flipped(path.read_bytes(), 0))
    assert map_arrays(path).arrays
    with pytest.raises(ArraysError, match="content is damaged"):
        map_arrays(path, verified=True)


def test_a_file_of_other_texts_is_not_used(tmp_path):
    stored_index(tmp_path, passages())
    path = file_in(tmp_path)
    stored_index(tmp_path / "other", passages(TEXTS[::-1]))
    file_in(tmp_path / "other").rename(path)
    assert answers(stored_index(tmp_path, passages())) == answers(index_of(TEXTS))


def test_an_index_of_another_program_is_not_used(tmp_path):
    expected = answers(stored_index(tmp_path, passages()))
    path = file_in(tmp_path)
    other = path.with_name(f"00000000-{path.name.split('-')[1]}")
    stored_index(tmp_path / "other", passages(["zebra"] * len(TEXTS)))
    path.unlink()
    file_in(tmp_path / "other").rename(other)
    assert answers(stored_index(tmp_path, passages())) == expected and {path, other} == set(tmp_path.glob("*.arrays"))


def test_two_processes_at_once_make_one_file_and_say_the_same(tmp_path):
    code = (
        "import sys; from pathlib import Path; from tests.retrieval.test_word_index import *; sys.stdin.readline(); "
        "print(answers(stored_index(Path(sys.argv[1]), passages(TEXTS * 500))))"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    both = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    with ThreadPoolExecutor(2) as pool:
        said = list(pool.map(lambda process: process.communicate("now\n")[0].strip(), both))
    assert said == [str(answers(index_of(TEXTS * 500)))] * 2
    assert {path.suffix for path in tmp_path.iterdir()} <= {".arrays", ""} and file_in(tmp_path)


def test_without_a_folder_to_write_to_the_index_is_in_memory(tmp_path, caplog):
    (tmp_path / "words").write_text("no folder")
    assert answers(stored_index(tmp_path / "words", passages())) == answers(index_of(TEXTS))
    assert "cannot be written" in caplog.text


def test_on_a_full_or_read_only_disk_the_index_is_in_memory_and_a_file_that_is_there_is_used(disk):  # noqa: F811
    expected, folder = answers(index_of(TEXTS * 50)), disk.folder / "words"
    disk.fill()
    assert answers(stored_index(folder, passages(TEXTS * 50))) == expected and not list(folder.glob("*.arrays"))
    disk.free()
    with disk.read_only():
        assert answers(stored_index(folder, passages(TEXTS * 50))) == expected
    assert answers(stored_index(folder, passages(TEXTS * 50))) == expected
    before = file_in(folder).stat().st_ino
    with disk.read_only():
        assert answers(stored_index(folder, passages(TEXTS * 50))) == expected
    assert file_in(folder).stat().st_ino == before


def test_a_library_that_has_changed_is_searched_by_an_index_of_its_own(tmp_path):
    library = Library(tmp_path, WordEmbedder())
    library.ingest(LIGHT, "light.pdf")
    retriever = Retriever(library, None)
    first = retriever.snapshot()
    library.ingest(HEAT, "heat.pdf")
    second = retriever.snapshot()
    assert first.lexical.size == len(first.passages) < second.lexical.size == len(second.passages)
    told = [p.text for p in second.passages]
    assert second.lexical.shares("heat").tolist() == index_of(told).shares("heat").tolist()
    assert all(compress(second.lexical.shares("heat"), ["heat" in text.lower() for text in told]))
    assert len(list((tmp_path / "words").glob("*.arrays"))) == 2
    library.close()
