"""What is said on each route where no answer goes out, or not the whole of it."""

from collections.abc import Mapping, Sequence

from core.case import Trace

REFUSAL = "I don't know based on NCERT textbooks."

MESSAGES: Mapping[str, str] = {
    "refuse": REFUSAL,
    "fallback": "I'm not confident that I can give an accurate answer to this.",
    "escalate": "I'm not confident that I can give an accurate answer to this, so I am handing it over to a person.",
    "clarify": "Could you please say more exactly what you mean?",
}
"""The words of the documents that the routes come from; a domain may have others (Trace.messages)."""

ENDS: Mapping[str, str] = {
    "deliver": "Answered", "deliver_part": "Answered in part", "deliver_corrected": "Answered, corrected",
    "clarify": "Asked back", "refuse": "Refused", "escalate": "Handed over",
}  # fmt: skip
"""Each route in a word or two."""


def said(trace: Trace, name: str) -> str:
    """The message called `name`, in the words of the trace's own domain when it has some."""
    return trace.messages.get(name) or MESSAGES[name]


def clarifying(trace: Trace) -> str:
    """A question back that names what the library could mean."""
    asks = said(trace, "clarify")
    return f"{asks} Do you mean {one_of(trace.meanings)}?" if trace.meanings else asks


def left_out(count: int) -> str:
    """What is said at the end of an answer from which sentences were left out; "" when none was."""
    if not count:
        return ""
    what = "One sentence was" if count == 1 else f"{count} sentences were"
    return f"{what} left out, because the passages do not bear {'it' if count == 1 else 'them'} out."


def not_answered(queries: Sequence[str]) -> str:
    """What is said of the parts of a question that got no answer; "" when all did."""
    return " ".join(f"The books do not let me answer this part: “{query}”" for query in queries)


def one_of(names: Sequence[str]) -> str:
    """Names as a choice: "a, b or c"."""
    return " or ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
