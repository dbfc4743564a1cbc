"""One condition of a question that an answer does not meet."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Unmet:
    """A condition of a question that an answer does not meet.

    kind: "quantity", "name", "term", "comparison", "superlative", "opposite", "subject" or "circumstance". condition:
    the words of the question. rival: what the answer says instead; "" if the answer only leaves the condition out.
    """

    kind: str
    condition: str
    rival: str = ""

    @property
    def is_mismatch(self) -> bool:
        """True if the answer says something else instead, which is a sure sign of another question; to leave the
        condition out is a weak sign."""
        return bool(self.rival)

    @property
    def text(self) -> str:
        """The condition in a sentence for people."""
        if self.rival:
            return f"The question asks about {self.condition}; this answer is about {self.rival}."
        return f"The question asks about {self.condition}, which this answer does not name."
