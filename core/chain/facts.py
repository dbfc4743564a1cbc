"""What the way of a question asks of what was measured: the few facts that decide it, and by what name each goes."""

from dataclasses import dataclass
from typing import Literal, Protocol

INTEREST, GROUNDING, CLARITY, FACTS = "interest", "fact_grounding", "clarity", "fact_check"
CONFIDENCE, TOPIC, CITATIONS, ENTAILMENT = "confidence", "topic_relevance", "citations", "entailment"

Place = tuple[str, str]
"""A round of a trace: its name, and the name of the round that it goes out from, "" for a search."""

State = Literal["not run", "passed", "watched", "blocked", "broke"]
"""How a check stands: `watched` failed without a say, `blocked` failed with one, `broke` could not be measured."""
STATES: tuple[State, ...] = ("not run", "passed", "watched", "blocked", "broke")


@dataclass(frozen=True, kw_only=True)
class Look:
    """Whose results stand: query checks of one round, answer checks of another, and which of them nobody asks.

    query: None on a way that asks nothing of the books. claims: False for an answer that claims nothing, of whose
    checks only stage 1 is asked.
    """

    query: Place | None
    answer: Place
    claims: bool = True


class Asking(Protocol):
    """Every fact that the way depends on: findings.py beside it has those of a trace, core/sweeping those of a bank."""

    def kind(self) -> str:
        """The kind of turn."""

    def talks(self) -> bool:
        """True for a turn that asks nothing of the books; where stage 1 only watches, every turn is a question."""

    def in_parts(self) -> bool:
        """True for a question that asks several things."""

    def there(self, place: Place) -> bool:
        """True when the round was measured."""

    def written(self, place: Place) -> bool:
        """True when the answer of the round has a sentence."""

    def awaited(self, place: Place) -> bool:
        """True when the answer of the round is written only once somebody asks for it."""

    def claims(self, place: Place) -> bool:
        """False when stage 1 found nothing in the answer that needs a check."""

    def state(self, look: Look, name: str) -> State:
        """How the check called `name` stands; not run where nobody asks it."""

    def in_force(self, name: str) -> bool:
        """True when the check called `name` may change the route: it is there, and it blocks."""

    def switched_on(self, name: str, switch: str) -> bool:
        """True when a switch of the check called `name` is on; off where there is no such check."""

    def refinements(self) -> int:
        """How many refined searches are allowed."""

    def wants_another(self, places: tuple[Place, ...]) -> bool:
        """True when the last of these searches is too weak and another may still help."""

    def best(self, places: tuple[Place, ...]) -> Place:
        """Of these searches the one with the highest confidence, the first of equals."""

    def unfit(self, look: Look) -> bool:
        """True when a query check forbids an answer."""

    def faults(self, look: Look) -> Literal["none", "failed", "broke"]:
        """Whether an answer check broke, else whether one that blocks failed; stage 2 alone is no fault yet."""

    def sound(self, place: Place) -> bool:
        """True when no answer check forbids the answer of this round."""

    def middling(self, look: Look) -> bool:
        """True when stage 2 puts the answer into its medium tier."""

    def better(self, place: Place, look: Look) -> bool:
        """True when stage 2 gives the answer of this round more than the one of `look`."""

    def part(self, place: Place) -> bool:
        """True when some sentences of the answer can go out without the others."""
