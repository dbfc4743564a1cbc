"""P(a stretch of the evidence answers a question): hints from several models and rules, and the weights that one fit
gives them. The writer ranks stretches by it; the relevance check judges quotations by it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from itertools import accumulate, takewhile
from math import log1p
from typing import Any

import numpy as np

from core.case import Evidence
from core.models.stretches import Place, Stretch, Stretches
from core.text.answer_form import form_of
from core.text.answer_sentences import echoes, points_back, without_questions
from core.text.conditions import mismatches
from core.text.question_plan import plan_of
from core.text.small_talk import in_lexicon
from core.text.verifiable_facts import defined
from core.text.words import content

SHORTLIST = 16
"""Sentences around which stretches are made."""
MOST_READ = 16
"""Stretches that the slow models read, the likeliest by what is quickly known. On the choosing half of a teacher's
questions, fitted without the chapter that was asked, 16 are as good as all, which are 26 a question."""
_TYPICAL = 0.65
"""The question encoder's cosine of a question with a sentence found for it: its hint is 0 there, and where it is not
installed."""
_SURE = 1e-4
"""A probability counts as a logit no further out than that of this one."""


@dataclass(frozen=True, kw_only=True)
class AnswerWeights:
    """What each hint weighs in the logit of P(the stretch answers); fitted by core.lab.training.calibrate_reader.

    cosine: of its closest sentence with the question. encoded: how near the question encoder puts it to the question,
    under its heading, above what is usual. passage: P(its passage answers), from the reranker. defines: a sentence says
    the meaning of the very term asked for, or opens what stands under it as a heading. located: P(a passage answers,
    and the answer starts in the stretch), from the reader. alone: the logit of P(the stretch answers by itself), from
    the reader. named: how much of what is asked about it names, with its heading and the sentence before it; rare words
    count for more. form, formless: whether it has the form of an answer to this kind of question, or lacks it. other:
    how many conditions of the question it says otherwise. open: whether it begins by pointing back.

    Three more hints made answers on chapters that the fit had not seen worse, and were left out: what the reader says
    of the best sentence alone, the conditions that are left out, and the number of sentences.
    """

    cosine: float = 1.0
    encoded: float = 1.0
    passage: float = 1.0
    defines: float = 1.0
    located: float = 1.0
    alone: float = 0.4
    named: float = 1.0
    form: float = 0.5
    formless: float = -0.5
    other: float = -2.0
    open: float = -0.3
    offset: float = -2.0

    def __call__(self, hints: np.ndarray) -> np.ndarray:
        """P(each stretch answers) from hints of shape (stretches, HINTS): shape (stretches,)."""
        logits = hints @ np.array([getattr(self, name) for name in HINTS]) + self.offset
        return 1 / (1 + np.exp(-logits))


HINTS = tuple(f.name for f in fields(AnswerWeights) if f.name != "offset")
_SLOW = ("encoded", "alone")
"""The hints for which a model reads each stretch."""


def shortlisted(query: str, cores: list[Stretch], evidence: Sequence[Evidence], models: Any) -> list[Stretch]:
    """The SHORTLIST sentences that are likeliest to answer by what is quickly known of all of them, best first."""
    likely = _cosine(query, cores, evidence, models) + _located(query, cores, evidence, models.reader)
    return [cores[n] for n in np.argsort(-likely, kind="stable")[:SHORTLIST]]


def stretches_for(query: str, evidence: Sequence[Evidence], models: Any) -> list[Stretch]:
    """The stretches around the likeliest sentences of the evidence that state something, at most MOST_READ of them, the
    likeliest; [] where nothing is stated."""
    found = Stretches(evidence)
    cores = [core for core in found.cores() if not echoes(query, core.text)]
    if not cores:
        return []
    stretches: dict[tuple[Place, ...], Stretch] = {}
    for core in shortlisted(query, cores, evidence, models):
        for stretch in found.around(core.core):
            stretches.setdefault(stretch.places, stretch)  # its core is the likeliest of its sentences
    return _likeliest(query, list(stretches.values()), evidence, models)


def _likeliest(query: str, stretches: list[Stretch], evidence: Sequence[Evidence], models: Any) -> list[Stretch]:
    """The MOST_READ stretches that answer most probably by all hints but the slow ones, in their order."""
    if len(stretches) <= MOST_READ:
        return stretches
    quick = _quick_hints(query, stretches, evidence, models)
    hints = np.stack([np.zeros(len(stretches)) if name in _SLOW else quick[name] for name in HINTS], -1)
    chosen = np.argsort(-models.reader.weights(hints), kind="stable")[:MOST_READ]
    return [stretches[n] for n in sorted(chosen.tolist())]


def hints_of(query: str, stretches: list[Stretch], evidence: Sequence[Evidence], models: Any) -> np.ndarray:
    """What several models and rules say of each stretch as an answer to `query`: shape (stretches, HINTS)."""
    columns = _quick_hints(query, stretches, evidence, models)
    columns["encoded"] = _encoded(query, stretches, evidence, models.question_encoder)
    columns["alone"] = _alone(query, [s.text for s in stretches], models.reader)
    return np.stack([columns[name] for name in HINTS], -1)


def _quick_hints(
    query: str, stretches: list[Stretch], evidence: Sequence[Evidence], models: Any
) -> dict[str, np.ndarray]:
    """The hints for which no model reads each stretch, by name: each of shape (stretches,)."""
    around = [evidence[p].passage.around(n) for p, n in (s.places[0] for s in stretches)]
    forms = [form_of(query, s.text) for s in stretches]
    columns = {
        "cosine": _cosine(query, stretches, evidence, models),
        "passage": [max(evidence[p].answers for p, _ in s.places) for s in stretches],
        "defines": [_defines(s, evidence, query) for s in stretches],
        "located": _located(query, stretches, evidence, models.reader),
        "named": _named(query, stretches, around, evidence),
        "form": [form is True for form in forms],
        "formless": [form is False for form in forms],
        "other": [len(mismatches(query, s.text, named)) for s, named in zip(stretches, around, strict=True)],
        "open": [points_back(s.text) for s in stretches],
    }
    return {name: np.asarray(column, dtype=float) for name, column in columns.items()}


def _encoded(query: str, stretches: list[Stretch], evidence: Sequence[Evidence], encoder: Any) -> np.ndarray:
    """The question encoder's cosine of the query with each stretch under its heading, less the usual one: shape
    (stretches,); 0 without an encoder."""
    if encoder is None:
        return np.zeros(len(stretches))
    headings = [evidence[s.places[0][0]].passage.section for s in stretches]
    texts = [f"{heading}. {s.text}" for heading, s in zip(headings, stretches, strict=True)]
    return encoder.cosines(query, texts) - _TYPICAL


def _alone(query: str, texts: Sequence[str], reader: Any) -> np.ndarray:
    """The logit of P(each text answers by itself), from the reader: shape (texts,)."""
    sure = np.clip([answer.probability for answer in reader.read(query, list(texts))], _SURE, 1 - _SURE)
    return np.log(sure / (1 - sure))


def _cosine(query: str, stretches: list[Stretch], evidence: Sequence[Evidence], models: Any) -> np.ndarray:
    """The cosine of the query with the closest sentence of each stretch: shape (stretches,)."""
    places = list(dict.fromkeys(place for s in stretches for place in s.places))
    vectors = models.embedder.encode([query, *(evidence[p].passage.sentences[n] for p, n in places)])
    near = dict(zip(places, vectors[1:] @ vectors[0], strict=True))
    return np.array([max(near[place] for place in s.places) for s in stretches])


def _located(query: str, stretches: list[Stretch], evidence: Sequence[Evidence], reader: Any) -> np.ndarray:
    """P(a passage of each stretch answers, and the answer starts in the stretch): shape (stretches,)."""
    texts = {
        p: without_questions(evidence[p].passage.sentences) for p in sorted({p for s in stretches for p, _ in s.places})
    }
    texts = {p: some for p, some in texts.items() if any(some)}  # one that only asks answers nothing
    read = dict(zip(texts, reader.read(query, [" ".join(some) for some in texts.values()]), strict=True))
    starts = {p: [0, *accumulate(len(s) + 1 for s in some)] for p, some in texts.items()}
    shares: dict[Place, float] = {
        (p, n): read[p].probability * read[p].share(*starts[p][n : n + 2]) if p in texts else 0.0
        for p, n in {place for s in stretches for place in s.places}
    }
    return np.array([sum(shares[place] for place in s.places) for s in stretches])


def _defines(stretch: Stretch, evidence: Sequence[Evidence], query: str) -> bool:
    """True when a sentence says the meaning of just what is asked for, or opens what stands under that heading.

    Its heading may say the rest of it: under "Power of accommodation" a sentence tells what accommodation is.
    """
    plan, (first, place) = plan_of(query), stretch.places[0]
    asked = content(plan.things[0] if plan.kind == "definition" and plan.things else query)
    passage = evidence[first].passage
    if not asked:
        return False  # nor do a bare number or letter as a heading say what "What is it?" asks for
    terms = [set(content(term)) for _, term in defined(stretch.text)]
    if any(term and term <= set(asked) <= term | set(content(passage.section)) for term in terms):
        return True
    lines = takewhile(lambda line: line[-1] not in ".!", reversed(passage.sentences[:place]))
    headings: Iterable[str] = [*lines] if place else [passage.section]
    return any([w for w in content(h) if len(w) > 1 and not w[0].isdigit()] == asked for h in headings)


def _named(query: str, stretches: list[Stretch], around: Sequence[str], evidence: Sequence[Evidence]) -> list[float]:
    """How much of what the question asks about each stretch names, in [0, 1]; a word weighs as it is rare here."""
    wanted = set(content(query)) - in_lexicon("request") - in_lexicon("pointing")
    size, held = len(evidence), Counter(word for e in evidence for word in set(content(e.passage.text)))
    rarity = {word: log1p((size - held[word] + 0.5) / (held[word] + 0.5)) for word in wanted}
    everything = sum(rarity.values()) or 1.0
    names = [set(content(f"{context} {s.text}")) for s, context in zip(stretches, around, strict=True)]
    return [sum(rarity[word] for word in wanted & some) / everything for some in names]
