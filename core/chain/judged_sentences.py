"""Each sentence of an answer as it was judged: where it comes from, what the passages say of it, what is against it,
and what becomes of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from core.case import Round, Sentence
from core.chain.check_results import in_force
from core.chain.correction import Rewrite, abstentions, rewritten
from core.chain.delivery import objections, restricted
from core.chain.right_marks import bearing_passages
from core.chain.routing import SUPPORT
from core.check import Bound, Check
from core.checks.citations import found_by_meaning
from core.checks.entailment import labelled, read_of, said_by_passages
from core.checks.support import quoted_for
from core.judgements import LABELS
from core.text.conditions import mismatches, speaks_of_another
from core.text.sentences import sentences
from core.text.words import overlap
from core.thresholds import Preset

if TYPE_CHECKING:
    from core.chain.verdicts import Verdict

WORDS = {"entailment": "says it", "neutral": "leaves it open", "contradiction": "says otherwise"}
"""What a passage does with a sentence, in plain words, by NLI label."""
MOST = 40
"""Most sentences that are looked at one by one without the guardrail."""


@dataclass(frozen=True, kw_only=True)
class JudgedSentence:
    """One sentence with its citations and its NLI label. label is None when NLI did not run.

    citations: places of passages from 1, those marked, or those found by us (`attributed`). supported: the passages
    bear it out, by the check `support` where that blocks, else by the label. source: the sentence of the passages that
    decided, "" where none was read. abstains: it only says that there is no answer, and has no label.
    """

    text: str
    citations: tuple[int, ...]
    attributed: bool
    label: str | None
    entailment: float | None
    neutral: float | None
    contradiction: float | None
    supported: bool = False
    source: str = ""
    abstains: bool = False


def judged_sentences(measured: Round, preset: Preset) -> tuple[JudgedSentence, ...]:
    """The sentences of the draft of one round, in order."""
    labels, supported, abstains = _labels(measured), _supported(measured, preset), abstentions(measured)
    return tuple(
        JudgedSentence(
            text=sentence.text, **_citations(measured, n, sentence, preset), supported=bool(supported[n]),
            source=source_of(measured, n),
            label=label, entailment=probabilities[0], neutral=probabilities[1], contradiction=probabilities[2],
            abstains=bool(abstains[n]),
        )
        for n, (sentence, (label, probabilities)) in enumerate(zip(measured.case.sentences, labels, strict=True))
    )  # fmt: skip


def _supported(measured: Round, preset: Preset) -> np.ndarray:
    """For each sentence whether the passages bear it out: (sentence,)."""
    signals = measured.signals.get(SUPPORT)
    if signals is None or not in_force(SUPPORT, preset):
        return said_by_passages(measured)
    return signals["probability"] >= Check.registry[SUPPORT].bind(preset).min_support


def source_of(measured: Round, n: int) -> str:
    """The sentence of the passages that decided on sentence `n`, two where it needs both; "" where none was read."""
    signals = measured.signals.get(SUPPORT)
    return "" if signals is None else quoted_for(measured.case, Bound(**signals), n)


def deciding(measured: Round, place: int) -> dict[int, int]:
    """Sentence of the passage at `place` -> sentence of the answer that it decided, by what language inference read."""
    found: dict[int, int] = {}
    signals = measured.signals.get("entailment")
    for s, windows in enumerate(measured.windows):
        if signals is not None and signals["considered"][s][place]:
            found |= {i: s for i in windows[place] if i not in found}
    return found


def cited_page(measured: Round, place: int, sentences: Sequence[Sentence | JudgedSentence]) -> int:
    """The page on which begins what `sentences` cite of the passage at `place`: the sentence that they quote, else the
    one that decided, else the first that was read."""
    evidence = measured.case.evidence[place]
    said = {s.text for s in sentences if place + 1 in s.citations}
    quoted = [i for i, text in enumerate(evidence.passage.sentences) if text in said]
    matter = quoted or sorted(deciding(measured, place)) or evidence.kept
    return evidence.passage.pages[matter[0]] if matter else evidence.passage.page


def _citations(measured: Round, n: int, sentence: Sentence, preset: Preset) -> dict:
    """The marks of a sentence, or the passages that we found for it where it has none."""
    signals = measured.signals.get("citations")
    bound = Check.registry["citations"].bind(preset)
    bare = not sentence.citations and not sentence.unreadable
    if signals is None or not bare or not measured.case.evidence:
        return {"citations": sentence.citations, "attributed": False}
    bearing = bearing_passages(measured, n) if found_by_meaning(Bound(**signals), bound)[n] else ()
    by_words = (int(signals["nearest"][n]) + 1,) if signals["attribution"][n] >= bound.min_attribution else ()
    return {"citations": bearing or by_words, "attributed": bool(bearing or by_words)}


def _labels(measured: Round) -> list[tuple[str | None, tuple]]:
    """(label, its three probabilities) of each sentence; None for what NLI did not read."""
    read, unread = read_of(measured), (None, (None, None, None))
    if read is None:
        return [unread] * len(measured.case.sentences)
    found = zip(labelled(read), read.tolist(), strict=True)
    return [unread if i < 0 else (LABELS[i], tuple(row)) for i, row in found]


@dataclass(frozen=True, kw_only=True)
class Contrast:
    """One sentence without the guardrail beside with it.

    state: the passages say it, leave it open though nothing stops it, or it fails. One that only says that there is no
    answer is left open.

    why: what stands against it. instead: what the passage of this number says otherwise, "" and 0 without one.
    """

    text: str
    state: Literal["said", "open", "fails"]
    why: str = ""
    instead: str = ""
    passage: int = 0


def contrasts(verdict: "Verdict", preset: Preset) -> tuple[Contrast, ...]:
    """Every sentence of the judged answer, of all parts of a question; at most MOST of each."""
    if verdict.parts:
        return tuple(c for part in verdict.parts for c in contrasts(part, preset))
    measured, sentences = verdict.round, verdict.sentences[:MOST]
    if not sentences:
        return ()
    if verdict.route == "deliver":
        return tuple(Contrast(text=s.text, state="said" if s.supported else "open") for s in sentences)
    if len(sentences) < len(verdict.sentences):
        measured = restricted(measured, range(len(sentences)))
    rows = zip(sentences, objections(measured, preset), rewritten(measured), strict=True)
    return tuple(_contrast(measured, n, s, why, again) for n, (s, why, again) in enumerate(rows))


def _contrast(measured: Round, n: int, sentence: JudgedSentence, why: str, again: Rewrite) -> Contrast:
    """Sentence `n`, with `why` against it, and what a correction makes of it."""
    instead, passage = ("", 0) if not why or sentence.supported else _put_right(again)
    if why and not instead and _denied(measured, n, sentence):
        instead, passage = _otherwise(measured, n)
    state = "fails" if why else "open" if sentence.abstains else "said"
    return Contrast(text=sentence.text, state=state, why=why, instead=instead, passage=passage)


def _denied(measured: Round, n: int, sentence: JudgedSentence) -> bool:
    """Whether the passages say otherwise than sentence `n`: by the evidence nearest in meaning, else by the label."""
    signals = measured.signals.get(SUPPORT)
    if signals is None:
        return sentence.label == "contradiction"
    return bool(signals["denies"][n] > signals["says"][n] or signals["rivals"][n] > 0)


def _put_right(again: Rewrite) -> tuple[str, int]:
    """The sentence of a passage that a correction puts in the place of another, and the passage's number from 1; "" and
    0 without one."""
    after = again.after
    if after is None or after.text == again.before.text or not after.citations:
        return "", 0
    return after.text, after.citations[0]


def _otherwise(measured: Round, n: int) -> tuple[str, int]:
    """The sentence of a passage that says otherwise than sentence `n`, and the passage's number from 1: the one that is
    nearest in meaning, else of the passage that contradicts it the most the one that shares most of its words. "" and 0
    where it speaks of another thing than the question: the speed of sound in air denies nothing of that in water."""
    if bearing := bearing_passages(measured, n):
        source, said = source_of(measured, n), measured.case.sentences[n].text
        closest = max(sentences(source), key=lambda text: overlap(said, text), default="")
        question = measured.case.question.standalone
        other = mismatches(question, closest) or speaks_of_another(question, said, closest)
        return ("", 0) if other else (source, bearing[0])
    signals = measured.signals["entailment"]
    against = np.where(signals["considered"][n] > 0, signals["contradiction"][n], -1.0)
    place = int(against.argmax())
    window = measured.windows[n][place] if measured.windows else ()
    passage, said = measured.case.passages[place], measured.case.sentences[n].text
    if not window:
        return "", 0
    return passage.sentences[max(window, key=lambda i: overlap(said, passage.sentences[i]))], place + 1
