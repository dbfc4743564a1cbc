"""Search results for calibration: scores and weak labels of the best passages, for several populations of questions."""

import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from core.banks.project import for_fitting
from core.case import Passage
from core.lab.plain_text import page_of_text
from core.lab.training.nli_datasets import rows
from core.library.passages import passages_of
from core.retrieval.word_index import Bm25Index, index_of
from core.text.words import content

ABOUT_SHARE, ABOUT_TERMS = 0.6, 3
"""A passage is about the topic if it has this share of the weight of the key terms, or this number of them."""
TOUCHED, ANSWERED, FEWEST = 0.1, 0.3, 3
"""An answering passage has at least the share TOUCHED of the reference answer's new words, and with its neighbours the
share ANSWERED. With fewer than FEWEST new words, the label is unknown."""

_ASKING = frozenset(
    content(
        "define explain describe state name give list write what how why example examples discuss difference "
        "differentiate between role function importance important following correct choose statement draw diagram "
        "prepare identify fill blanks mention suggest compare"
    )
)
TOP = 8
"""Number of passages per search, as in the app."""
_PIECE = 40  # letters that are compared at once
Hit = tuple[int, float, float]
"""(index of a text, its cosine with the question, its BM25 share)."""


class WeakLabels:
    """Labels of passages that a rule guesses from the words that they share with a question or a reference answer.

    The words of the passages before and after a passage count too, since a passage ends anywhere. texts: the passages
    in reading order. documents: the document of each passage. idf: weight of a word.
    """

    def __init__(self, texts: Sequence[str], documents: Sequence[str], idf: Callable[[str], float]) -> None:
        self._words = [frozenset(content(t)) for t in texts]
        self._near = [self._with_neighbours(n, documents) for n in range(len(texts))]
        self._idf = idf

    def about(self, question: str, passage: int) -> bool:
        """True if the passage and its neighbours have enough of the question's key terms to be on its topic
        (ABOUT_SHARE or ABOUT_TERMS). Key terms are its content words without those that only ask, such as "explain";
        all of them if nothing else is left."""
        terms = frozenset(content(question))
        terms, near = terms - _ASKING or terms, self._near[passage]
        return self._share(terms, near) >= ABOUT_SHARE or len(terms & near) >= ABOUT_TERMS

    def answers(self, question: str, reference: str, passage: int) -> bool | None:
        """True if the passage has enough of the words that the reference answer adds to the question; None if the
        reference adds fewer than FEWEST words.

        Words of the question do not count, since an exercise repeats them and answers nothing.
        """
        new = frozenset(content(reference)) - frozenset(content(question))
        if len(new) < FEWEST:
            return None
        return self._share(new, self._words[passage]) >= TOUCHED and self._share(new, self._near[passage]) >= ANSWERED

    def _with_neighbours(self, n: int, documents: Sequence[str]) -> frozenset[str]:
        places = [m for m in (n - 1, n, n + 1) if 0 <= m < len(documents) and documents[m] == documents[n]]
        return frozenset().union(*(self._words[m] for m in places))

    def _share(self, terms: frozenset[str], passage_terms: frozenset[str]) -> float:
        """The share of the weight of `terms` that `passage_terms` contains, in [0, 1]."""
        whole = sum(self._idf(w) for w in terms)
        return sum(self._idf(w) for w in terms & passage_terms) / whole if whole else 0.0


@dataclass(frozen=True, kw_only=True)
class Retrieved:
    """One passage retrieved for a question, with its scores and labels.

    fitting: True if the question is in the half for fitting. cosine: with the question. share: the BM25 share of words.
    about, answers: 1 if the passage is on the topic of the question and if it answers it, 0 if not, NaN if unknown.
    pair: (question, text of the passage).
    """

    fitting: bool
    cosine: float
    share: float
    about: float
    answers: float
    pair: tuple[str, str] = ("", "")


@dataclass
class Shelf:
    """A searchable collection of texts. documents: the document of each text. vectors: their embeddings. lexical: the
    index of their words."""

    texts: list[str]
    documents: list[Hashable]
    embedder: Any
    vectors: np.ndarray = field(init=False)
    lexical: Bm25Index = field(init=False)

    def __post_init__(self) -> None:
        self.vectors, self.lexical = self.embedder.encode(self.texts), index_of(self.texts)

    def top(self, question: str, vector: np.ndarray, without: frozenset[Hashable] = frozenset()) -> Iterator[Hit]:
        """Yield the TOP texts by the sum of cosine and BM25 share, best first. vector: the embedding of the question.
        without: documents that are left out."""
        cosines, shares = self.vectors @ vector, self.lexical.shares(question)
        is_excluded = np.array([d in without for d in self.documents])
        order = np.argsort(-(cosines + shares), kind="stable")
        for n in order[~is_excluded[order]][:TOP]:
            yield int(n), float(cosines[n]), float(shares[n])


def evidence_of(chapter: Mapping[str, str]) -> list[Passage]:
    """The passages of a chapter that can be evidence."""
    chapter_passages = passages_of([page_of_text(chapter["text"])], document_id="", document=chapter["document"])
    return [passage for passage in chapter_passages.passages if passage.tells]


def chapter_shelf(data: Path, embedder: Any) -> tuple[Shelf, WeakLabels]:
    """The searchable passages of the chapters, and their weak labels by shared words."""
    passages = [p for c in rows(data, "ncert_qa/chapters") for p in evidence_of(c)]
    shelf = Shelf([p.text for p in passages], [p.document for p in passages], embedder)
    return shelf, WeakLabels(shelf.texts, shelf.documents, shelf.lexical.idf)


def textbook_populations(data: Path, embedder: Any) -> dict[str, list[Retrieved]]:
    """The passages retrieved for three populations of questions.

    "held": textbook questions that a retrieved passage answers. "not held": textbook questions that no passage answers,
    and those of "held" again, searched without the chapters that they are about. "off topic": questions about fairy
    tales.
    """
    chapters, questions = rows(data, "ncert_qa/chapters"), rows(data, "ncert_qa/questions_dev")
    shelf, labels = chapter_shelf(data, embedder)
    letters = {c["document"]: _letters(c["text"]) for c in chapters}
    answerable, unanswerable = [], []
    for row, vector in zip(questions, embedder.encode([r["question"] for r in questions]), strict=True):
        retrieved = _label_hits(row, shelf, shelf.top(row["question"], vector), labels)
        answering = {shelf.documents[n] for n, r in retrieved if r.answers == 1}
        if all(r.answers == 0 for _, r in retrieved):
            unanswerable += [r for _, r in retrieved]
            continue
        without = frozenset(answering | _chapters_with_context(row["context"], letters))
        answerable += [r for _, r in retrieved]
        unanswerable += [r for _, r in _label_hits(row, shelf, shelf.top(row["question"], vector, without), labels)]
    return {"held": answerable, "not held": unanswerable, "off topic": _off_topic(shelf, data)}


def _label_hits(
    row: dict[str, Any], shelf: Shelf, top: Iterator[Hit], labels: WeakLabels
) -> list[tuple[int, Retrieved]]:
    """(index of the text, labelled passage) for each hit."""
    question, fitting = row["question"], for_fitting(row["question"])
    retrieved = []
    for n, cosine, share in top:
        answers = labels.answers(question, row["ground_truth"], n)
        about, answers_label = float(labels.about(question, n)), np.nan if answers is None else float(answers)
        scores = {"cosine": cosine, "share": share, "about": about, "answers": answers_label}
        retrieved.append((n, Retrieved(fitting=fitting, pair=(question, shelf.texts[n]), **scores)))
    return retrieved


def _chapters_with_context(context: str, letters: dict[str, str]) -> set[str]:
    """The chapters that contain most of a paragraph of `context`, comparing letters only, since spaces differ."""
    documents = set()
    for paragraph in context.split("\n\n"):
        text = _letters(paragraph)
        pieces = [text[i : i + _PIECE] for i in range(0, len(text) - _PIECE, _PIECE)]
        documents |= {d for d, held in letters.items() if pieces and sum(p in held for p in pieces) > len(pieces) / 2}
    return documents


def _letters(text: str) -> str:
    return re.sub(r"[^a-z]", "", text.lower())


def _off_topic(shelf: Shelf, data: Path) -> list[Retrieved]:
    """The textbook passages retrieved for questions about fairy tales; none is on their topic."""
    questions = [r["q"] for r in rows(data, "rerank/dev_fairytaleqa")]
    return [
        Retrieved(fitting=for_fitting(q), cosine=cosine, share=share, about=0.0, answers=0.0, pair=(q, shelf.texts[n]))
        for q, vector in zip(questions, shelf.embedder.encode(questions), strict=True)
        for n, cosine, share in shelf.top(q, vector)
    ]


def other_population(data: Path, name: str, embedder: Any) -> list[Retrieved]:
    """The passages of another data set that were retrieved for its own questions, labelled by people.

    about: 1 if the passage belongs to the group of the question, such as the same tale; NaN where the data have no
    groups.
    """
    questions = rows(data, f"rerank/{name}")
    groups = _groups(questions)
    shelf = Shelf(sorted(groups), [name] * len(groups), embedder)
    vectors = embedder.encode([r["q"] for r in questions])
    return [
        _label_row(row, shelf.texts[n], groups, cosine, share)
        for row, vector in zip(questions, vectors, strict=True)
        for n, cosine, share in shelf.top(row["q"], vector)
    ]


def _groups(questions: list[dict[str, Any]]) -> dict[str, set[str | None]]:
    """For every passage of a data set, the groups (such as tales) of the questions that list it, whether it answers
    them or not. None stands for a question without a group."""
    groups: dict[str, set[str | None]] = {}
    for row in questions:
        for text in [*texts_of(row["pos"]), *row["negs"]]:
            groups.setdefault(text, set()).add(row.get("group"))
    return groups


def _label_row(
    row: dict[str, Any], text: str, groups: dict[str, set[str | None]], cosine: float, share: float
) -> Retrieved:
    group = row.get("group")
    return Retrieved(
        fitting=for_fitting(row["q"]), cosine=cosine, share=share,
        about=float(group in groups[text]) if group else np.nan, answers=float(text in texts_of(row["pos"])),
        pair=(row["q"], text),
    )  # fmt: skip


def texts_of(value: str | Sequence[str]) -> list[str]:
    """The passages that answer a question; a data set names one or several."""
    return [value] if isinstance(value, str) else list(value)
