"""Fakes with structure: meaning by shared words, so that tests need no weights and can be reasoned about."""

import hashlib
import shutil
import zlib
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from filelock import FileLock
from hypothesis import is_hypothesis_test, settings

from core.case import Case, Closest, Evidence, Passage, Question, Scope
from core.library import Library, load_sample
from core.models.answer_hints import AnswerWeights
from core.models.embedder import bundled_embedder
from core.models.profile import Models, load
from core.models.reader import Answer
from core.models.support_hints import SupportWeights
from core.text.answer_sentences import read_answer
from core.text.sentences import sentences
from core.text.words import content, overlap, words
from tests.support.pdfs import pdf

WITH_MODELS = {"sample_home", "bundled_models"}
WITH_BROWSER = {"chromium"}
"""Fixtures that load the weights, or open a browser: what asks for one, itself or through others, carries the marker."""


settings.register_profile("short", max_examples=25)
settings.register_profile("long", max_examples=150)
settings.load_profile("short")


def pytest_collection_modifyitems(items):
    for item in items:
        if is_hypothesis_test(item.obj):
            item.add_marker("property")
        if WITH_MODELS & set(item.fixturenames):
            item.add_marker("models")
        if WITH_BROWSER & set(item.fixturenames):
            item.add_marker("browser")
    # what waits for a browser begins and reads the sample; beside it runs what needs no sample and takes long, then come
    # the files that load the weights, and short ones fill up the end
    names = ("browser", "models", "property")
    marked = {name: {item.path for item in items if item.get_closest_marker(name)} for name in names}
    first = (marked["browser"], marked["property"] - marked["models"], marked["models"])
    items.sort(key=lambda item: [item.path not in files for files in first])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """A file is run by one process, and all that drives a browser by one: two that load models beside it wait less."""
    from xdist.scheduler import LoadFileScheduling

    class Together(LoadFileScheduling):
        def _split_scope(self, nodeid):
            file = super()._split_scope(nodeid)
            return "browser" if file.startswith("tests/browser/") else file

    return Together(config, log)


class FakeEmbedder:
    """Texts are close when they share content words. Counts its calls."""

    digest = "fake-embedder-of-the-tests"

    def __init__(self):
        self.calls = 0

    def forget(self):
        """It remembers nothing."""

    def encode(self, texts):
        self.calls += 1
        vectors = np.full((len(texts), 512), 1e-4, dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for word in content(text):
                row[zlib.crc32(word.encode()) % 512] += 1
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def is_term(self, word):
        return len(word) > 11


class FakeEntailer:
    """Shared words entail; a "not" on one side only contradicts. Counts its calls, and keeps what it was asked."""

    digest = "fake-entailer-of-the-tests"

    def __init__(self):
        self.calls, self.asked = 0, []

    def forget(self):
        """It remembers nothing."""

    def probabilities(self, pairs):
        self.calls += 1
        self.asked += pairs
        return np.array([self._one(*pair) for pair in pairs]).reshape(len(pairs), 3)

    def _one(self, premise, hypothesis):
        shared = overlap(hypothesis, premise)
        if shared > 0.6 and ("not" in words(premise)) != ("not" in words(hypothesis)):
            return (0.05, 0.05, 0.9)
        return (0.9 * shared + 0.05, 0.9 * (1 - shared) + 0.05, 0.0)


class FakeReader:
    """A text answers when it shares the question's words; the answer starts in the sentence that shares most."""

    digest = "fake-reader-of-the-tests"
    weights = AnswerWeights(
        cosine=4.0, passage=1.0, defines=1.0, located=2.0, alone=0.5, named=0.0, form=0.0, formless=0.0, other=0.0,
        open=-0.5, offset=-4.0,
    )  # fmt: skip

    def __init__(self):
        self.calls = 0

    def forget(self):
        """It remembers nothing."""

    def read(self, question, texts):
        self.calls += 1
        return [self._one(question, text) for text in texts]

    def _one(self, question, text):
        found = sentences(text) or [text]
        shared = [overlap(question, sentence) for sentence in found]
        starts = np.array(shared) / sum(shared) if sum(shared) else np.full(len(found), 1 / len(found))
        at = tuple(max(0, text.find(sentence)) for sentence in found)
        first = at[int(starts.argmax())]
        probability = 0.05 + 0.9 * overlap(question, text)
        return Answer(probability=probability, span=(first, len(text)), at=at, starts=tuple(starts.tolist()))


def fake_models():
    """Models that go by shared words and were asked nothing yet."""
    weights = SupportWeights(
        near=0.5, against=-0.5, claims=0.5, unheld=-3.0, rivals=-6.0, shared=1.0, differs=0.0, offset=-2.0
    )
    return Models(
        profile="fake", embedder=FakeEmbedder(), entailer=FakeEntailer(), reader=FakeReader(), support=weights
    )


@pytest.fixture
def models():
    return fake_models()


@pytest.fixture(scope="session")
def bundled_models():
    """The models that ship; a process loads them once."""
    return load()


@pytest.fixture(scope="session")
def sample_home(tmp_path_factory):
    """Copies into a new folder a run-time folder with the sample chapters, which are read once, by whoever is first."""
    shared = tmp_path_factory.getbasetemp()
    shared = shared.parent if shared.name.startswith("popen-") else shared  # one for all workers of a run
    whole = shared / "sample home"
    with FileLock(shared / "sample.lock"):
        if not whole.exists():
            part = shared / "sample home, half read"
            library = Library(part, bundled_embedder())
            load_sample(library)
            library.close()
            part.rename(whole)
    return lambda name: shutil.copytree(whole, tmp_path_factory.mktemp(name) / "home")


_READ = TemporaryDirectory(ignore_cleanup_errors=True)
"""Libraries of one chapter, to be copied."""


@contextmanager
def one_chapter(folder, models, text):
    """A library that holds one chapter of class 7, plants.pdf with this text, which is read once; closed at the end."""
    digest = hashlib.sha256(f"{models.embedder.digest} {text}".encode()).hexdigest()
    read = Path(_READ.name) / digest
    if not read.exists():
        library = Library(read, models.embedder, words=30)
        library.ingest(pdf(text), "plants.pdf", class_number=7, subject="Science")
        library.close()
    library = Library(shutil.copytree(read, folder), models.embedder, words=30)
    try:
        yield library
    finally:
        library.close()


def passage(text, n=0, **about):
    """A passage of one sentence a full stop, on page n + 1 unless said otherwise."""
    found = tuple(s.strip() + "." for s in text.rstrip(".").split(". "))
    about = {
        "document": "jemh105.pdf",
        "class_number": 10,
        "subject": "Mathematics",
        "pages": (n + 1,) * len(found),
    } | about
    return Passage(id=f"doc:{n:04d}", sentences=found, **about)


def evidence(text, score, n=0, **scores):
    """Evidence with one score on all four scales, unless others are given."""
    p = passage(text, n)
    on = {"cosine": score, "related": score, "hybrid": score, "answers": score} | scores
    return Evidence(passage=p, kept=tuple(range(len(p.sentences))), **on)


BOOK = (
    "An arithmetic progression is a list of numbers. Each term is obtained by adding a fixed number to the term before. "
    "The fixed number is called the common difference of the progression"
)


def case_about(answer="An arithmetic progression is a list of numbers.", scores=(0.9, 0.7), scope=Scope(), **changes):
    """A case about arithmetic progressions; what a test is about is given by name."""
    found = tuple(evidence(BOOK, s, n) for n, s in enumerate(scores))
    top = max(scores, default=0.0)
    asked = top if scope.class_number in (None, 10) else 0.0
    closest = Closest(cosine=top, asked=asked, class_number=10, subject="Mathematics") if scores else None
    question = Question(query="What is an arithmetic progression?", scope=scope, answer=answer)
    draft = read_answer(answer, writer="given", given=True) if answer is not None else None
    about = {"question": question, "query": question.query, "evidence": found, "closest": closest, "draft": draft}
    return Case(**about | changes)


@pytest.fixture
def make_case():
    return case_about
