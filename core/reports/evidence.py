"""What a report says of the checks, the sentences and the passages of one verdict. All text of others is escaped."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape

import numpy as np

from core.case import SCORES, Evidence, Passage
from core.chain import CheckResult, Verdict
from core.chain.check_results import passed
from core.chain.delivery import Change
from core.chain.judged_sentences import WORDS, JudgedSentence, deciding
from core.chain.number_format import compared, number
from core.check import GROUPS, Check
from core.nli import LABELS, decided
from core.reports.html_page import table, two
from core.reports.pages import used

STATES = {"passed": ("good", "✓ passed"), "failed": ("bad", "✗ failed"), "not_run": ("quiet", "○ not run")}
"""Colour, and shape with word, of each state."""
_LABELS = {"entailment": ("good", "✓"), "neutral": ("quiet", "○"), "contradiction": ("bad", "✗")}
_MODES = {"blocks": "blocks", "watches": "watches only", "off": "off"}
_MOST_READ = 3
"""Passages that are quoted for each sentence, the one that gave the label first."""
_MOST_SENTENCES = 100


def checks(results: Mapping[str, CheckResult]) -> Iterator[str]:
    """A table for each stage: every check with its state or the cause why it did not run."""
    heads = (("check", 23), ("state", 12), ("found", 8), ("asked for", 15), ("margin", 8), ("why", 34))
    for stage, title in GROUPS.items():
        mine = [r for r in results.values() if r.stage == stage]
        yield f"<h3>{escape(title)}: {passed(mine)}</h3>"
        yield table(heads, (_check(r) for r in mine))


def _check(result: CheckResult) -> list[str]:
    check = Check.registry[result.name]
    look, words = STATES[result.state]
    cause = {"error": ", it broke", None: ""}.get(result.cause, f", {result.cause}")
    state = f'<b class="{look}">{escape(words + cause)}</b><br><small>{escape(_MODES[result.mode])}</small>'
    about = [two(check.plain, f"{result.name}, {_source(check)}"), state]
    if result.margin is None:
        return [*about, "", "", "", escape(result.why)]
    drawn = compared(result, check)
    asked = f"{drawn.relation} {drawn.limit} {drawn.unit}"
    return [*about, escape(drawn.value), escape(asked), escape(drawn.margin), escape(result.why)]


def _source(check: Check) -> str:
    return "ours" if check.seed == "ours" else f"seed {check.seed}"


def sentences(verdict: Verdict) -> Iterator[str]:
    """Each sentence of the judged answer with its label, what became of it, and the words that it was read against."""
    if not verdict.sentences:
        yield "<p>No answer was written, so there is no sentence to read.</p>"
    changes = verdict.changes if len(verdict.changes) == len(verdict.sentences) else (None,) * len(verdict.sentences)
    for n, (sentence, change) in enumerate(zip(verdict.sentences, changes, strict=True)):
        if n == _MOST_SENTENCES:
            yield f"<p>The other {len(verdict.sentences) - n} sentences are left out here.</p>"
            return
        yield '<section class="sentence">'
        yield f"<h3>Sentence {n + 1} {_label(sentence)}</h3>"
        yield f"<blockquote>{escape(sentence.text)}{_marks(sentence)}</blockquote>"
        yield from _became(change)
        yield from _read_against(verdict, n)
        yield "</section>"


def _label(sentence: JudgedSentence) -> str:
    """What language inference says of a sentence, in plain words with its three probabilities beside them."""
    if sentence.label is None:
        return '<span class="quiet">○ not read against the passages</span>'
    look, shape = _LABELS[sentence.label]
    listed = ", ".join(f"{label} {number(getattr(sentence, label))}" for label in LABELS)
    return f'<span class="{look}">{shape} the evidence {WORDS[sentence.label]}</span> <small>{listed}</small>'


def _marks(sentence: JudgedSentence) -> str:
    marks = "".join(f" [{c}]" for c in sentence.citations)
    note = "source found by us" if sentence.attributed else "" if marks else "no source"
    return f"{marks} <small>({note})</small>" if note else marks


def _became(change: Change | None) -> Iterator[str]:
    if change and change.done == "left_out":
        yield f'<p class="bad">✗ Left out. {escape(change.why)}</p>'
    if change and change.done == "changed":
        yield f'<p class="good">✓ Said instead: {escape(change.after)}</p>'


def _read_against(verdict: Verdict, n: int) -> Iterator[str]:
    """The words of the passages that sentence `n` was read against, the passage that gave its label first."""
    signals, windows = verdict.round.signals.get("entailment"), verdict.round.windows
    if signals is None or n >= len(windows):
        return
    considered = np.flatnonzero(signals["considered"][n])
    read = np.stack([signals[x][n] for x in LABELS], -1)  # (passage, label)
    most_decided = sorted(considered, key=lambda p: -decided(read[p]))[:_MOST_READ]
    lines = [_quoted(verdict.round.case.evidence[p], int(p), windows[n][p], read[p]) for p in most_decided]
    yield "<ul>" + "".join(f"<li>{line}</li>" for line in lines) + "</ul>"


def _quoted(evidence: Evidence, place: int, window: Sequence[int], probabilities: Sequence[float]) -> str:
    passage, best = evidence.passage, int(np.argmax(probabilities))
    text = " ".join(passage.sentences[i] for i in window)
    where = escape(f"[{place + 1}] {passage.document}, page {passage.pages[window[0]] if window else passage.page}")
    return f"{where} <b>{WORDS[LABELS[best]]}</b> ({number(float(probabilities[best]))}): “{escape(text)}”"


def passages(verdict: Verdict) -> Iterator[str]:
    """The scores of all passages, then the text of those that were cited or decided a sentence."""
    evidence = verdict.round.case.evidence
    if not evidence:
        yield "<p>Nothing was found.</p>"
        return
    heads = (("passage", 44), *((name, 14) for name in SCORES))
    yield table(heads, ([_where(n, e.passage), *_scores(e)] for n, e in enumerate(evidence, 1)))
    meaning = "; ".join(f"{name}: {words}" for name, words in SCORES.items())
    yield f"<p><small>{escape(meaning)}. Marked below: what was read; bold: what decided a sentence.</small></p>"
    for place in used(verdict):
        e, decided = evidence[place], deciding(verdict.round, place)
        text = " ".join(_marked(s, i in e.kept, decided.get(i)) for i, s in enumerate(e.passage.sentences))
        yield f'<div class="passage"><p><b>{_where(place + 1, e.passage)}</b></p>\n<p>{text}</p></div>'


def _marked(text: str, kept: bool, decided: int | None) -> str:
    text = escape(text)
    if decided is not None:
        text = f"<b>{text}</b> <small>(sentence {decided + 1})</small>"
    return f"<mark>{text}</mark>" if kept else text


def _where(place: int, passage: Passage) -> str:
    about = [
        f"class {passage.class_number}" if passage.class_number else "", passage.subject,
        f"chapter {passage.chapter}" if passage.chapter else "", passage.section,
    ]  # fmt: skip
    return two(f"[{place}] {passage.document}, page {passage.page}", " · ".join(a for a in about if a))


def _scores(evidence: Evidence) -> list[str]:
    return [number(getattr(evidence, name)) for name in SCORES]
