"""A decision in three forms: as the journal stores it, as it is listed, and as it is opened again."""

import json
import time
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from core.case import Trace
from core.checks import all_checks, all_thresholds, validate_preset
from core.decide import Verdict
from core.journal.journal_file import JournalError
from core.presets import preset_row
from core.reply.serialization import dumps, loads, question_row
from core.settings import Settings
from core.thresholds import Preset

COVERAGE = ("insufficient_context", "off_topic", "outside_scope", "low_confidence")
"""Reasons of refusals that more books could resolve."""
MOST_BYTES = 16_000_000
"""Maximum size of a trace as JSON, in bytes; a longer one is not stored. A typical one has some ten thousand bytes."""
WITHHELD = "Questions were kept out of the journal then"
TOO_LONG = "Its trace was too long to be kept"


@dataclass(frozen=True, kw_only=True)
class DecisionRow:
    """One decision as the journal lists it. Times are seconds since 1970; missing values are None.

    at: time of the decision. source: where the question came from. question: None if the journal stores no questions.
    understood: a follow-up completed from the history, or the question without the words around it; None if the
    question stays as it is.
    class_number, subject: as requested; if not requested, those of the first passage that the answer cites. document,
    page: of the first passage that the answer cites, or of the best one found.
    given: True if the caller supplied the answer. handed_over: True if the question or one of its parts was escalated
    to a person. attended: when a person looked at it.
    should_be: the outcome that a person chose as the right one. note: what that person wrote about it. topic: cosine
    of the closest passage in the class and subject of the scope; None if nothing was searched, or if an older version
    stored the decision.
    """

    at: float
    source: str
    question: str | None
    class_number: int | None
    subject: str
    route: str
    reason: str | None
    confidence: float | None
    answer: str | None
    document: str | None
    page: int | None
    given: bool
    preset: str
    seconds: float
    handed_over: bool
    understood: str | None = None
    id: int = 0
    attended: float | None = None
    should_be: str | None = None
    topic: float | None = None
    note: str | None = None


CONTENT_COLUMNS = ("trace", "why", "preset", "models", "profile", "settings")
"""The trace of a decision, compressed, or None if it is not stored for the reason in `why`; its preset, the models that
measured, the name of their profile, and the settings, as JSON."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A decision with everything needed to decide it again.

    content: by CONTENT_COLUMNS. lacking: (question, reason) of each refusal in this decision that more books could
    prevent.
    """

    decision_row: DecisionRow
    content: Mapping[str, Any]
    lacking: tuple[tuple[str, str], ...]


def entry_of(
    trace: Trace, verdict: Verdict, preset: Preset, *, profile: str, settings: Settings, source: str, at: float | None
) -> Entry:
    """The entry for a question that ended with `verdict` under `preset`. at: seconds since 1970; None for now."""
    text = dumps(trace).encode("utf-8", "surrogatepass")
    trace_data = zlib.compress(text) if len(text) <= MOST_BYTES else None
    # A question in parts may lack books for each part; contexts of the caller are no books.
    asked = [(part, part.round.case.question) for part in verdict.parts] or [(verdict, trace.question)]
    refused = [(q, v.primary_reason) for v, q in asked if v.route == "refuse" and v.primary_reason in COVERAGE]
    return Entry(
        decision_row=decision_row_of(trace, verdict, preset.name, source, time.time() if at is None else at),
        content={
            "trace": trace_data, "why": "" if trace_data else TOO_LONG, "preset": json.dumps(preset_row(preset)),
            "models": json.dumps(trace.models), "profile": profile, "settings": json.dumps(asdict(settings)),
        },
        lacking=tuple((_clean(q.standalone), reason) for q, reason in refused if q.contexts is None),
    )  # fmt: skip


def decision_row_of(trace: Trace, verdict: Verdict, preset: str, source: str, at: float) -> DecisionRow:
    """The row of the journal for one decision. preset: its name. at: seconds since 1970."""
    scope, best = trace.question.scope, verdict.source
    is_talk = bool(trace.rounds) and trace.rounds[0].case.kind != "question"  # nothing was searched for it
    cited = best.passage if best and verdict.answered and not is_talk else None
    # For a question in parts, the topic match is that of its first part.
    searched = next((part for part in (trace, *trace.parts) if part.rounds), None)
    closest = searched.rounds[0].case.closest if searched else None
    topic = closest.asked if closest else None
    return DecisionRow(
        at=at, source=source, question=_clean(trace.question.query), route=verdict.route,
        class_number=scope.class_number or (cited.class_number if cited else None),
        subject=_clean(scope.subject or (cited.subject if cited else "")),
        reason=verdict.primary_reason, confidence=None if is_talk else verdict.confidence,
        answer=_clean(verdict.answer),
        document=_clean(best.passage.name) if best else None, page=verdict.source_page,
        given=trace.question.answer is not None, preset=preset, seconds=trace.seconds,
        handed_over=any(v.route == "escalate" for v in (verdict, *verdict.parts)),
        understood=_clean(trace.question.understood) or None, topic=None if is_talk else topic,
    )  # fmt: skip


def _clean(text: str) -> str:
    """Text that can be stored as UTF-8: a lone surrogate becomes "?"."""
    return text.encode("utf-8", "replace").decode("utf-8")


@dataclass(frozen=True, kw_only=True)
class StoredDecision:
    """A decision opened from the journal. Its verdict can be computed again: `preset` has the limits and modes with
    which it was decided.

    settings: the settings of the measurement, by name; some may no longer exist.
    """

    decision_row: DecisionRow
    trace: Trace
    preset: Preset
    profile: str
    settings: Mapping[str, Any]

    @property
    def row(self) -> dict[str, Any]:
        """The question of the decision, as a row of a bank."""
        return question_row(self.trace.question)


def open_decision(decision_row: DecisionRow, content: Mapping[str, Any]) -> StoredDecision:
    """Open a stored decision. content: by CONTENT_COLUMNS. Raises JournalError if it cannot be read or has no trace."""
    if content["trace"] is None:
        raise JournalError(f"{content['why']}, so this decision cannot be opened; ask the question again.")
    try:
        decompressor = zlib.decompressobj()
        text = decompressor.decompress(content["trace"], MOST_BYTES)
        if not decompressor.eof:
            raise JournalError("its trace was cut off, or is longer than any that is kept")
        stored_trace = loads(text.decode("utf-8", "surrogatepass"))
        return StoredDecision(
            decision_row=decision_row, trace=stored_trace,
            preset=preset_of(json.loads(content["preset"])),
            profile=content["profile"], settings=dict(json.loads(content["settings"])),
        )  # fmt: skip
    except (ValueError, KeyError, TypeError, AttributeError, zlib.error) as error:
        raise JournalError(f"This decision can no longer be opened ({error}); ask its question again.") from error


def preset_of(content: Mapping[str, Any]) -> Preset:
    """The preset of a stored decision. Thresholds that no longer exist are left out; a check that is newer than the
    decision is off.
    """
    thresholds = {key: value for key, value in content["thresholds"].items() if key in all_thresholds()}
    modes = {c.name: content["modes"].get(c.name, "off") for c in all_checks()}
    return validate_preset(Preset(name=content["name"], help=content["help"], thresholds=thresholds, modes=modes))
