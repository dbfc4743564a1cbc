"""What is said on each route where no answer goes out, or not the whole of it."""

from collections.abc import Mapping, Sequence

from core.case import Trace
from core.check import mode_of
from core.checks import all_checks
from core.settings.domains import domain
from core.text.words import HINDI
from core.thresholds import Preset

MESSAGES: Mapping[str, str] = domain().messages
"""What the first domain says, where a trace has no words of its own (Trace.messages)."""

REFUSAL = MESSAGES["refuse"]

REFUSED_BY: Mapping[str, str] = {"C": "abstain", "D": "fallback", "E": "rephrase"}
"""The message of a refusal where only one document's checks block; the others have none of their own but seed A's."""

ENDS: Mapping[str, str] = {
    "deliver": "Answered", "deliver_part": "Answered in part", "deliver_corrected": "Answered, corrected",
    "clarify": "Asked back", "refuse": "Refused", "escalate": "Handed over",
}  # fmt: skip
"""Each route in a word or two."""


def said(trace: Trace, name: str) -> str:
    """The message called `name`, in the words of the trace's own domain when it has some."""
    return trace.messages.get(name) or MESSAGES[name]


def refusal(trace: Trace, preset: Preset) -> str:
    """What is said instead of an answer: that the books are in another language, else the words of the document whose
    checks alone block under `preset`, else seed A's."""
    if told := _of_language(trace):
        return told
    seeds = {check.seed for check in all_checks() if mode_of(check, preset) == "blocks"}
    return said(trace, REFUSED_BY.get(seeds.pop(), "refuse") if len(seeds) == 1 else "refuse")


def fallback(trace: Trace) -> str:
    """What is said where stage 1 or 2 of seed D stops an answer and nobody takes it over."""
    return _of_language(trace) or said(trace, "fallback")


def handed_over(trace: Trace) -> str:
    """That a person takes the question over; before it, where the question is in another language, that it is."""
    return " ".join(filter(None, (_of_language(trace), said(trace, "escalate"))))


def clarifying(trace: Trace) -> str:
    """A question back that names what the library could mean; for a question in another language, that it is."""
    if told := _of_language(trace):
        return told
    asks = said(trace, "clarify")
    return f"{asks} Do you mean {one_of(trace.meanings)}?" if trace.meanings else asks


def left_out(count: int) -> str:
    """What is said at the end of an answer from which sentences were left out; "" when none was."""
    if not count:
        return ""
    what = "One sentence was" if count == 1 else f"{count} sentences were"
    return f"{what} left out, because the passages do not bear {'it' if count == 1 else 'them'} out."


def marks_put_right(moved: Sequence[str]) -> str:
    """The note at the end of an answer on the marks that were changed; "" for none. moved: each as "[3] became [1]"."""
    return f"Citations put right: {', '.join(moved)}." if moved else ""


def not_answered(trace: Trace, queries: Sequence[str]) -> str:
    """What is said of the parts of a question that got no answer; "" when all did."""
    return " ".join(f"{said(trace, 'part')} “{query}”" for query in queries)


def one_of(names: Sequence[str]) -> str:
    """Names as a choice: "a, b or c"."""
    return " or ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def _of_language(trace: Trace) -> str:
    """That the books are in another language than the question, in Hindi where that is it; "" where they are not."""
    language = trace.rounds[0].case.language if trace.rounds else ""
    return said(trace, "language_hindi" if language == HINDI else "language") if language else ""
