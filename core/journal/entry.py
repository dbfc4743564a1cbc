"""A decision as it is written into the journal, as it is listed, and as it is opened again."""

import json
import time
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from core.banks.question_lists import first_shown, page_of
from core.case import Trace
from core.chain import Verdict
from core.chain.serialization import dumps, loads, question_row
from core.check import mode_of
from core.checks import all_checks, all_thresholds, validated
from core.journal.sqlite_file import JournalError
from core.presets import values
from core.settings import Settings
from core.thresholds import Preset

COVERAGE = ("insufficient_context", "off_topic", "outside_scope", "low_confidence")
"""The reasons of a refusal that more books would answer."""
MOST_BYTES = 16_000_000
"""A trace that is longer is left out; one question takes some ten thousand bytes."""
WITHHELD = "Questions were kept out of the journal then"
TOO_LONG = "Its trace was too long to be kept"


@dataclass(frozen=True, kw_only=True)
class Decided:
    """One decision as the journal lists it. Times are seconds since 1970; what is not there is None.

    question: None where questions were kept out. understood: what a follow-up was taken to ask. class_number, subject:
    as they were asked for; of an answered question without them, those of the passage that the answer cites first.
    document, page: of that passage, or of the best one that was found. given: the answer came from outside.
    handed_over: a person was asked for, by the question or by a part of it; attended: when one had looked. should_be:
    what a person said it should have been.
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


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A decision with all that it takes to decide it again. trace: compressed, None when it is left out, with `why`.

    lacking: the questions in it that were refused for want of coverage, each with its reason.
    """

    decided: Decided
    trace: bytes | None
    why: str
    preset: str
    models: str
    profile: str
    settings: str
    lacking: tuple[tuple[str, str], ...]

    def without_question(self) -> "Entry":
        """The same decision without its question, and without all that could tell it."""
        decided = replace(self.decided, question=None, understood=None, answer=None, document=None, page=None)
        return replace(self, decided=decided, trace=None, why=WITHHELD, lacking=())


def entry_of(
    trace: Trace, verdict: Verdict, preset: Preset, *, profile: str, settings: Settings, source: str, at: float | None
) -> Entry:
    """What is written of a question that ended with `verdict` under `preset`. at: now, unless another time is given."""
    packed = zlib.compress(text) if len(text := dumps(trace).encode("utf-8", "surrogatepass")) <= MOST_BYTES else None
    return Entry(
        decided=_decided(trace, verdict, preset.name, source, time.time() if at is None else at),
        trace=packed, why="" if packed else TOO_LONG, preset=in_full(preset), models=_json(trace.models),
        profile=profile, settings=_json(asdict(settings)),
        lacking=tuple((_clean(question), reason) for question, reason in _lacking(trace, verdict)),
    )  # fmt: skip


def in_full(preset: Preset) -> str:
    """A preset with every threshold and every mode as JSON, those that stand at their defaults too."""
    modes = {c.name: mode_of(c, preset) for c in all_checks()}
    return _json({"name": preset.name, "help": preset.help, "thresholds": values(preset), "modes": modes})


def _decided(trace: Trace, verdict: Verdict, preset: str, source: str, at: float) -> Decided:
    scope, best = trace.question.scope, first_shown(verdict)
    cited = best.passage if best and verdict.answered and trace.rounds[0].case.kind == "question" else None
    return Decided(
        at=at, source=source, question=_clean(trace.question.query), route=verdict.route,
        class_number=scope.class_number or (cited.class_number if cited else None),
        subject=_clean(scope.subject or (cited.subject if cited else "")),
        reason=verdict.primary_reason, confidence=verdict.confidence, answer=_clean(verdict.answer),
        document=_clean(best.passage.name) if best else None, page=page_of(verdict, best) if best else None,
        given=trace.question.answer is not None, preset=preset, seconds=trace.seconds,
        handed_over=any(v.route == "escalate" for v in (verdict, *verdict.parts)),
        understood=_clean(trace.question.understood) or None,
    )  # fmt: skip


def _lacking(trace: Trace, verdict: Verdict) -> Iterator[tuple[str, str]]:
    """What was refused for want of coverage: the question, or those of its parts that were; never for its contexts."""
    if trace.question.contexts is not None:
        return
    for one, question in [(p, p.round.case.question) for p in verdict.parts] or [(verdict, trace.question)]:
        if one.route == "refuse" and one.primary_reason in COVERAGE:
            yield question.standalone, one.primary_reason


def _clean(text: str) -> str:
    """Text that a file in UTF-8 can hold: half a character, which JSON may bring along, is shown as one unknown."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value)


@dataclass(frozen=True, kw_only=True)
class Opened:
    """A verdict is a function of its trace and its preset, which has every threshold and mode of then.

    settings: what it was measured with, by name; some of them may no longer be known.
    """

    decided: Decided
    trace: Trace
    preset: Preset
    profile: str
    settings: Mapping[str, Any]

    @property
    def row(self) -> dict[str, Any]:
        """What was asked, as a bank holds it."""
        return question_row(self.trace.question)


def opened(decided: Decided, stored: Mapping[str, Any]) -> Opened:
    """A decision from what was stored of it; JournalError when that cannot be read, or was left out."""
    if stored["trace"] is None:
        raise JournalError(f"{stored['why']}, so this decision cannot be opened; ask the question again.")
    try:
        return Opened(
            decided=decided, trace=_unpacked(stored["trace"]), preset=preset_of(json.loads(stored["preset"])),
            profile=stored["profile"], settings=dict(json.loads(stored["settings"])),
        )  # fmt: skip
    except (ValueError, KeyError, TypeError, AttributeError, zlib.error) as error:
        raise JournalError(f"This decision can no longer be opened ({error}); ask its question again.") from error


def preset_of(stored: Mapping[str, Any]) -> Preset:
    """A preset as it stood then. What is no longer there is left out; a check that was not there then is off."""
    thresholds = {key: value for key, value in stored["thresholds"].items() if key in all_thresholds()}
    modes = {c.name: stored["modes"].get(c.name, "off") for c in all_checks()}
    return validated(Preset(name=stored["name"], help=stored["help"], thresholds=thresholds, modes=modes))


def _unpacked(packed: bytes) -> Trace:
    unpacking = zlib.decompressobj()
    text = unpacking.decompress(packed, MOST_BYTES)
    if not unpacking.eof:
        raise JournalError("its trace was cut off, or is longer than any that is kept")
    return loads(text.decode("utf-8", "surrogatepass"))
