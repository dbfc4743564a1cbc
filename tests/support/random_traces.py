"""Random measured questions from a seed, made without a model: signals drawn from the declarations of the checks.

Each signal has a random stream of its own, so that a new signal or check leaves the others as they are.
"""

import zlib

import numpy as np

from core.case import (
    Absence,
    Case,
    Closest,
    Draft,
    Evidence,
    Passage,
    Question,
    Round,
    Sentence,
    SentenceFacts,
    Trace,
    with_marks,
)
from core.checks import all_checks, all_thresholds
from core.decide.routes import KINDS, SEARCHES
from core.presets import presets
from core.thresholds import MODES

TEXTS = ("A bell rings.", "It is loud.", "I don't know.", "May I help?", "A leaf is green.", "Iron rusts in damp air.")
PASSAGE = Passage(id="p", sentences=("A bell rings in air.", "A leaf is green."), pages=(1, 1), document="book.pdf")
SCORES = np.array([0.0, 0.15, 0.3, 0.35, 0.4, 0.5, 0.69, 0.7, 0.78, 0.8, 0.9, 1.0])


def random_trace(seed):
    """A question with some of its rounds, in one of seven cases with parts."""
    rng = stream(seed, "question")
    trace = _unit(seed, f"What is thing {seed}?")
    if rng.random() < 0.15:
        parts = tuple(_unit(seed * 10 + n, f"What is part {n}?") for n in range(int(rng.integers(2, 4))))
        trace = Trace(question=trace.question, rounds=trace.rounds, parts=parts)
    return trace


SWITCHES = ("grounding.partial_answers", "hedging.abstention")
"""Younger than the recorded verdicts; left out, so that the others are drawn as they were."""


def random_preset(seed):
    """One of the presets with up to eight thresholds and five modes changed."""
    rng = stream(seed, "preset")
    named = presets()
    base = named[sorted(named)[rng.integers(len(named))]]
    keys = rng.permutation(sorted(set(all_thresholds()) - set(SWITCHES)))[: rng.integers(9)]
    names = rng.permutation(sorted(c.name for c in all_checks()))[: rng.integers(6)]
    values = {str(key): float(rng.choice(all_thresholds()[key].grid(9))) for key in keys}
    return base.with_values(values, {str(name): MODES[rng.integers(3)] for name in names})


def stream(seed, name):
    return np.random.default_rng([seed, zlib.crc32(name.encode())])


def _unit(seed, query):
    rng = stream(seed, query)
    question, kind = Question(query=query), str(rng.choice([*["question"] * 4, *KINDS[1:]]))
    rounds = []
    for search in SEARCHES:
        if search != SEARCHES[0] and rng.random() < 0.35:
            continue
        evidence = _evidence(rng)
        for name in ("", "corrected", "rechecked"):
            if not name or rng.random() < 0.7:
                own = _evidence(rng) if name == "rechecked" else evidence
                key = (name, search) if name else (search, "")
                rounds.append(_round(seed, key, question, kind, own))
    return Trace(question=question, rounds=tuple(rounds))


def _evidence(rng):
    return tuple(
        Evidence(passage=PASSAGE, cosine=rng.random(), related=rng.random(), hybrid=rng.random(),
                 answers=float(rng.choice(SCORES)), kept=(0,))
        for _ in range(rng.integers(4))
    )  # fmt: skip


def _round(seed, key, question, kind, evidence):
    rng = stream(seed, " of ".join(key))
    texts = rng.permutation(TEXTS)[: rng.integers(5)].tolist()
    sentences = tuple(
        Sentence(text=t, citations=tuple(rng.permutation([1, 2, 9])[: rng.integers(3)].tolist())) for t in texts
    )
    draft = Draft(
        text=with_marks(sentences), sentences=sentences, writer="local" if key[0] == "corrected" else "extractive",
        awaited=not sentences and rng.random() < 0.3,
    )  # fmt: skip
    closest = Closest(cosine=rng.random(), asked=rng.random()) if rng.random() < 0.9 else None
    case = Case(
        question=question, query=question.query, evidence=evidence, closest=closest, draft=draft, kind=kind,
        exhausted=rng.random() < 0.2,
    )  # fmt: skip
    facts = tuple(
        SentenceFacts(
            leans=t.startswith("It"), abstains="don't know" in t, asks=t.endswith("?"), stays=rng.random() < 0.5
        )
        for t in texts
    )
    signals, absent = {}, {}
    for check in all_checks():
        own = stream(seed, f"{key} {check.name}")
        chance, silent = own.random(), check.stage == "answer" and not (texts and evidence)
        if chance < 0.01:
            absent[check.name] = Absence(cause="error", why="It broke.")
        elif chance < 0.1 or silent:
            absent[check.name] = Absence(cause="not applicable", why="There is nothing to look at.")
        elif chance > 0.105:  # else the check is newer than the round
            signals[check.name] = _signals(seed, key, check, {"sentence": len(texts), "passage": len(evidence)})
    return Round(name=key[0], of=key[1], case=case, signals=signals, absent=absent, facts=facts)


def _signals(seed, key, check, sizes):
    signals, is_good = {}, stream(seed, f"{key} {check.stage}").random() < 0.6
    for name, signal in check.signals().items():
        rng, shape = stream(seed, f"{key} {check.name} {name}"), tuple(sizes[item] for item in signal.items)
        low_is_good = name in ("drift", "denies", "neutral", "contradiction")
        scores = (SCORES[:2] if low_is_good else SCORES[-4:]) if is_good else SCORES
        drawn = (
            rng.choice([0.0, 0.0, 0.0, 1.0 - is_good], size=shape) if signal.whole else rng.choice(scores, size=shape)
        )
        if signal.gaps and len(shape) == 1:
            drawn = np.where(rng.random(shape) < 0.15, np.nan, drawn)
        signals[name] = np.asarray(drawn, dtype=float)
    if "considered" in signals:
        signals["considered"][:, :1] = 1.0
        share = np.stack([signals[label] for label in ("entailment", "neutral", "contradiction")]) + 0.01
        signals |= dict(zip(("entailment", "neutral", "contradiction"), share / share.sum(0), strict=True))
    if "last" in signals:
        signals["last"] = signals["first"] * 2
    return signals
