"""One condition of a question that an answer does not meet."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Unmet:
    """What a question asks about, and what the answer says in its place: "" where the answer only lacks it.

    kind: "quantity", "name", "comparison", "superlative", "opposite" or "circumstance".
    """

    kind: str
    asked: str
    said: str = ""

    @property
    def is_mismatch(self) -> bool:
        """True where the answer says something else in its place, which is a sure sign; a mere lack is a weak one."""
        return bool(self.said)

    @property
    def text(self) -> str:
        """What to say of it on a screen."""
        if self.said:
            return f"The question asks about {self.asked}; this answer is about {self.said}."
        return f"The question asks about {self.asked}, which this answer does not name."
