"""Passages become vectors in batches of like length; who listens hears the truth, and can stop it."""

import itertools

import numpy as np
import pytest

from core.case import Passage
from core.library import Cancelled
from core.library.ingestion import embed_passages, report_step
from core.platform.jobs import TURNS
from tests.support.fake_models import WordEmbedder
from tests.support.libraries import files
from tests.support.pdfs import make_pdf
from tests.support.threads import let_in

LONG = make_pdf(*("\n".join(f"Sentence {n} of page {p} speaks of light." for n in range(40)) for p in range(6)))
PASSAGES = [Passage(id=f"d:{n:04d}", sentences=("word " * (n * 37 % 100 + 1),), pages=(1,)) for n in range(100)]


class Recorder(WordEmbedder):
    """Remembers the batches that it was given."""

    def __init__(self):
        super().__init__()
        self.batches = []

    def encode(self, texts):
        self.batches.append(texts)
        return super().encode(texts)


def test_vectors_come_in_the_order_of_the_passages():
    exact = WordEmbedder().encode([p.text for p in PASSAGES])
    np.testing.assert_array_equal(embed_passages(PASSAGES, WordEmbedder(), lambda share: None), exact)


def test_a_batch_holds_texts_of_about_the_same_length():
    recorder = Recorder()
    embed_passages(PASSAGES, recorder, lambda share: None)
    spans = [(min(map(len, batch)), max(map(len, batch))) for batch in recorder.batches]
    assert [len(batch) for batch in recorder.batches] == [32, 32, 32, 4]
    assert all(after[1] <= before[0] for before, after in itertools.pairwise(spans))


def test_the_share_is_that_of_the_letters():
    heard = []
    embed_passages(PASSAGES, WordEmbedder(), heard.append)
    assert heard == sorted(heard) and heard[-1] == 1
    assert heard[0] > 32 / 100  # the longest come first, so that no time is promised that is not kept


def test_the_time_left_follows_from_the_share(monkeypatch):
    clock = iter([100.0, 103.0, 106.0])
    monkeypatch.setattr("core.library.ingestion.time.monotonic", lambda: next(clock))
    heard = []
    with report_step(heard.append, "a.pdf", "embedding", lambda: None) as report:
        report(10, 0.25)
        report(10, 1.0)
    assert [(p.page, p.pages, p.seconds_left) for p in heard] == [(2, 10, 9.0), (10, 10, 0.0)]


def test_progress_counts_up_through_both_steps(library):
    heard = []
    library.ingest(LONG, "long.pdf", progress=heard.append)
    reading, batches = ([p for p in heard if p.step == step] for step in ("reading", "embedding"))
    assert [p.page for p in reading] == list(range(1, 7)) and heard == reading + batches
    assert [p.page for p in batches] == sorted(p.page for p in batches) and batches[-1].page == 6
    assert (
        all(p.document == "long.pdf" and p.seconds_left >= 0 for p in heard)
        and reading[-1].seconds_left == 0 == batches[-1].seconds_left
    )


def test_a_document_that_waits_for_its_turn_says_so_and_can_be_cancelled(library, home):
    heard, kept = [], files(home)
    with let_in(TURNS), pytest.raises(Cancelled):
        library.ingest(LONG, "long.pdf", progress=heard.append, cancelled=lambda: bool(heard and heard[-1].waiting))
    assert heard[-1].waiting.place == 1 and heard[-1].pages == 6
    assert files(home) == kept and not TURNS._line


@pytest.mark.parametrize("looks", [1, 2, 5, 9])
def test_an_ingestion_can_be_cancelled_at_any_time(library, home, looks):
    before = library.ingest(make_pdf("An old edition."), "long.pdf").document
    kept, asked = files(home), itertools.count(1)
    with pytest.raises(Cancelled, match=r"^long\.pdf was cancelled; nothing of it was kept\.$"):
        library.ingest(LONG, "long.pdf", cancelled=lambda: next(asked) >= looks)
    assert files(home) == kept and library.documents() == (before,)


def test_it_is_asked_at_every_page_and_every_batch(library):
    asked, heard = [], []
    library.ingest(LONG, "long.pdf", cancelled=lambda: asked.append(len(heard)), progress=heard.append)
    assert set(asked) >= set(range(len(heard) + 1))  # before the first page, and after every report


def test_a_cancelled_ingestion_can_be_made_up_for(library):
    with pytest.raises(Cancelled):
        library.ingest(LONG, "long.pdf", cancelled=lambda: True)
    assert library.ingest(LONG, "long.pdf").added
