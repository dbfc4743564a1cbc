"""The way of a question through the chain, from the facts that decide it. Pure: no model, no file, no clock.

Each function is a stretch of the way and ends it or hands on to the next; where a round is missing it says so, and
goes on as if that round could not be had. What it asks is answered by one trace under one preset, or by a whole bank.
"""

from dataclasses import dataclass, replace
from typing import Literal, Protocol, get_args

INTEREST, GROUNDING, CLARITY, FACTS = "interest", "fact_grounding", "clarity", "fact_check"
SUPPORT, CONFIDENCE, TOPIC = "support", "confidence", "topic_relevance"

ROUNDS = ("first", "refined 1", "refined 2")
"""Names of the rounds that a search may take, in the order in which they are measured."""

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
    """Every fact that the way depends on: facts.py beside it has those of a trace, core/sweep those of a bank."""

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


Route = Literal["deliver", "deliver_part", "deliver_corrected", "clarify", "refuse", "escalate"]
ROUTES: tuple[Route, ...] = get_args(Route)

FIRST: Place = (ROUNDS[0], "")
CORRECTED = ("question", "about_last_turn")
"""Kinds of turn whose answers the books can put right: a greeting and a tool's result have nothing to do with them."""


@dataclass(frozen=True, kw_only=True)
class Missing:
    """A round that was never measured: its name, and the round that it goes out from."""

    name: str
    of: str = ""


@dataclass(frozen=True, kw_only=True)
class Path:
    """Where a question ends, by which steps, and whose results stand; "split" hands it to its parts.

    place: the round that was judged. out: the round whose text goes out, None when nothing does.
    """

    route: Route | Literal["split"]
    steps: tuple[str, ...]
    look: Look
    out: Place | None = None
    missing: Missing | None = None

    @property
    def place(self) -> Place:
        return self.look.answer

    def to(self, *steps: str, **changes: object) -> "Path":
        """This path gone on by `steps`, with `changes`."""
        return replace(self, steps=(*self.steps, *steps), **changes)

    def ends(self, route: Route, out: Place | None = None) -> "Path":
        return self.to(route, route=route, out=out)

    def delivered(self) -> "Path":
        """This path ended by giving out the answer as it is."""
        return self.ends("deliver", self.place)


def walk(found: Asking) -> Path:
    """The way that the facts `found` lead, to its end; they are of a trace that holds at least its first round."""
    head = (f"kind: {found.kind().replace('_', ' ')}",)
    if found.talks():
        return _written(found, Path(route="refuse", steps=head, look=Look(query=None, answer=FIRST)))
    return _asked(found, Path(route="refuse", steps=head, look=Look(query=FIRST, answer=FIRST)))


def _asked(found: Asking, path: Path) -> Path:
    """A question: is it clear, and one?"""
    clarity = found.state(path.look, CLARITY)
    if clarity in ("passed", "watched", "blocked"):
        path = path.to("clear")
    if clarity == "blocked":
        return path.ends("clarify")
    if clarity == "broke" and found.in_parts():  # of one whole the query checks say so, after the search
        return path.ends("refuse")
    return path.to("split", route="split") if found.in_parts() else _searched(found, path)


def _searched(found: Asking, path: Path) -> Path:
    """The search, refined as long as it helps; the query checks on its best round."""
    searches, path = [path.place], path.to("retrieve", "critic")
    for name in ROUNDS[1 : found.refinements() + 1]:
        if not found.wants_another(tuple(searches)):
            break
        if not found.there((name, "")):
            path = path.to(missing=Missing(name=name))
            break
        searches.append((name, ""))
        path = path.to(f"refine {len(searches) - 1}", "critic")
    best = found.best(tuple(searches))
    path = path.to("query checks", look=Look(query=best, answer=best))
    return path.ends("refuse") if found.unfit(path.look) else _written(found, path)


def _written(found: Asking, path: Path) -> Path:
    """The draft before stage 1, which may end it, and lets a turn through that claims nothing."""
    interest = found.state(path.look, INTEREST)
    path = path.to("write", *(["stage 1"] if interest in ("passed", "watched", "blocked") else []))
    if interest == "blocked":
        return _handed_over(found, path)
    if interest == "broke" or not found.written(path.place):
        return _awaiting(path) if interest != "broke" and found.awaited(path.place) else path.ends("refuse")
    if found.talks() and not found.claims(path.place):
        return path.to(look=replace(path.look, claims=False)).delivered()
    return _checked(found, path.to("answer checks"))


def _awaiting(path: Path) -> Path:
    """A draft that nobody asked for until now; as long as it is not there, nothing goes out."""
    name, of = path.place
    return path.to(missing=path.missing or Missing(name=name, of=of)).ends("refuse")


def _checked(found: Asking, path: Path) -> Path:
    """The answer checks: all passed, or correct, or give out a part."""
    faults = found.faults(path.look)
    if faults == "broke":
        return path.ends("refuse")
    return _mended(found, path) if faults == "failed" else _grounded(found, path)


def _mended(found: Asking, path: Path) -> Path:
    """An answer that cannot go out as it is: in the passages' own words, else as far as it holds, else not at all."""
    if found.kind() not in CORRECTED:
        return path.ends("refuse")
    if (found.in_force(FACTS) or found.in_force(SUPPORT)) and found.switched_on(FACTS, "correction"):
        again = ("corrected", path.place[0])
        path = path.to("correct")
        if not found.there(again):
            path = path.to(missing=path.missing or Missing(name=again[0], of=again[1]))
        elif found.written(again):
            path = path.to("answer checks")
            if found.sound(again):
                return path.ends("deliver_corrected", again)
    return path.ends("deliver_part", path.place) if found.part(path.place) else path.ends("refuse")


def _grounded(found: Asking, path: Path) -> Path:
    """Stage 2: deliver, look again with more documents, or hand over."""
    grounding = found.state(path.look, GROUNDING)
    if grounding in ("not run", "broke") or not found.in_force(GROUNDING):
        return path.delivered()
    path = path.to("stage 2")
    if grounding == "blocked":
        return _handed_over(found, path)
    if found.middling(path.look) and found.switched_on(GROUNDING, "recheck"):
        path = _rechecked(found, path)
    return path.delivered()


def _rechecked(found: Asking, path: Path) -> Path:
    """One more look, at more documents; it counts when it is better and nothing in it fails."""
    again, path = ("rechecked", path.place[0]), path.to("recheck")
    if not found.there(again):
        return path.to(missing=path.missing or Missing(name=again[0], of=again[1]))
    if not (found.written(again) and found.sound(again) and found.better(again, path.look)):
        return path
    return path.to("answer checks", "stage 2", look=replace(path.look, answer=again))


def _handed_over(found: Asking, path: Path) -> Path:
    """To a person when escalation is on; otherwise it is a refusal."""
    return path.ends("escalate" if found.switched_on(GROUNDING, "escalation") else "refuse")
