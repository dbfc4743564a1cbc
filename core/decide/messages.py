"""The messages for routes on which no answer goes out, or not all of it."""

from collections.abc import Mapping, Sequence

from core.case import Trace
from core.check import mode_of
from core.checks import all_checks, check_of
from core.question import HINDI
from core.settings.domains import domain
from core.thresholds import Preset
from core.words import joined

MESSAGES: Mapping[str, str] = domain().messages
"""The messages of the default domain, for traces without messages of their own (Trace.messages)."""

REFUSAL = MESSAGES["refuse"]

REFUSAL_BY_DOCUMENT: Mapping[str, str] = {"C": "abstain", "D": "fallback", "E": "rephrase"}
"""The name of the refusal message where all blocking checks come from one source document, by its letter; other
documents use the message of A.
"""


def message(trace: Trace, name: str) -> str:
    """The message with this name: the domain's own text, or that of the default domain if it has none."""
    return trace.messages.get(name) or MESSAGES[name]


def partial_answer(trace: Trace, text: str) -> str:
    """The partial answer `text`, introduced by source document A's phrase for it."""
    return f"{message(trace, 'partly')}\n\n{text}"


def refusal(trace: Trace, preset: Preset, *, abstained: bool = False) -> str:
    """The message of a refusal.

    If the books are in another language than the question, the message says so. Otherwise it is the message of source
    document C if abstention is on and a layer of C stopped the answer (`abstained`); the message of another source
    document if all blocking checks come from that one.
    """
    if language_message := _language_message(trace):
        return language_message
    if abstained and check_of("hedging").bind(preset).abstention >= 1:
        return message(trace, "abstain")
    documents = {check.source_document for check in all_checks() if mode_of(check, preset) == "blocks"}
    return message(trace, REFUSAL_BY_DOCUMENT.get(documents.pop(), "refuse") if len(documents) == 1 else "refuse")


def fallback(trace: Trace) -> str:
    """The message if stage 1 or stage 2 stops an answer and no person takes over."""
    return _language_message(trace) or message(trace, "fallback")


def handover(trace: Trace) -> str:
    """The message that a person will answer. If the books are in another language than the question, a message on that
    comes first.
    """
    return " ".join(filter(None, (_language_message(trace), message(trace, "escalate"))))


def clarification(trace: Trace) -> str:
    """The question with which the chain asks back: it offers the possible meanings. If the books are in another
    language than the question, the message on that instead.
    """
    if language_message := _language_message(trace):
        return language_message
    prompt = message(trace, "clarify")
    return f"{prompt} Do you mean {joined(trace.meanings, 'or')}?" if trace.meanings else prompt


def omission_note(count: int) -> str:
    """The note on sentences that were left out of an answer; "" for none."""
    if not count:
        return ""
    subject = "One sentence was" if count == 1 else f"{count} sentences were"
    return f"{subject} left out because the book does not support {'it' if count == 1 else 'them'}."


NOT_AVAILABLE = "This information is not available in the provided context."
"""The sentence of source document E for what the passages do not hold."""


def unanswered_note(trace: Trace, queries: Sequence[str]) -> str:
    """The note on parts of a question without an answer; "" if all have one."""
    if not queries:
        return ""
    return " ".join([*(f"{message(trace, 'part')} “{query}”" for query in queries), NOT_AVAILABLE])


def _language_message(trace: Trace) -> str:
    """The message that the books are in another language, in Hindi for a Hindi question; "" if they are not."""
    language = trace.rounds[0].case.language if trace.rounds else ""
    return message(trace, "language_hindi" if language == HINDI else "language") if language else ""
