"""What the examples of all seeds have in common."""

from dataclasses import dataclass

COOKIES = "How do I make chocolate chip cookies?"
MODEL = "language model: "
"""How the difference begins that a better language model would end."""


@dataclass(frozen=True, kw_only=True)
class Example:
    """One example of a seed, run with the models that ship.

    seed: the outcome that it prints, in its own words. ours: what comes out here instead, "" where it is the same.
    difference: why, begun by MODEL where a better language model would end it; "" where it is the same. nli: True where
    the outcome hangs on the language model, so that the row is gone over again when another one is trained.
    """

    seed: str
    ours: str = ""
    difference: str = ""
    nli: bool = False

    @property
    def outcome(self) -> str:
        """What must come out."""
        return self.ours or self.seed
