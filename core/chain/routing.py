"""The decision flow: the path of a question through the chain. Pure: no model, no file, no clock.

Each function is one section of the path, which ends it or calls the next section. If a round is missing, the path
records that and continues as if the round could not be measured. The facts come from one trace under one preset, or
from a whole bank.
"""

from dataclasses import dataclass, replace
from typing import Literal, Protocol, get_args

INTEREST, GROUNDING, CLARITY, FACTS = "interest", "fact_grounding", "clarity", "fact_check"
SUPPORT, CONFIDENCE, TOPIC = "support", "confidence", "topic_relevance"

ROUNDS = ("first", "refined 1", "refined 2")
"""Names of the rounds of a search in the order in which they are measured."""

Place = tuple[str, str]
"""Key of a round: its name, and the name of the round that it continues, "" for a search."""

State = Literal["not run", "passed", "watched", "blocked", "broke"]
"""State of a check: `watched` failed without blocking, `blocked` failed and blocks, `broke` could not be measured."""
STATES: tuple[State, ...] = ("not run", "passed", "watched", "blocked", "broke")


@dataclass(frozen=True, kw_only=True)
class Look:
    """The rounds whose results count at the end of a path.

    query: round of the query checks, None for a turn that asks nothing of the books. answer: round of the answer
    checks. claims: False for an answer that claims nothing; only stage 1 then counts.
    """

    query: Place | None
    answer: Place
    claims: bool = True


class Asking(Protocol):
    """Every fact that the decision flow depends on. facts.py implements it for a trace, core/sweep for a bank."""

    def kind(self) -> str:
        """The kind of turn."""

    def talks(self) -> bool:
        """True for a turn that asks nothing of the books. If stage 1 does not block, every turn is a question."""

    def in_parts(self) -> bool:
        """True for a question that asks several things."""

    def there(self, round_key: Place) -> bool:
        """True if the round was measured."""

    def written(self, round_key: Place) -> bool:
        """True if the answer of the round has a sentence."""

    def awaited(self, round_key: Place) -> bool:
        """True if the answer of the round is written only on request."""

    def claims(self, round_key: Place) -> bool:
        """False if stage 1 found nothing in the answer that needs a check."""

    def converses(self, round_key: Place) -> bool:
        """True if stage 1 found that the answer only talks: it states nothing."""

    def state(self, look: Look, name: str) -> State:
        """State of a check; "not run" if this path does not use it."""

    def in_force(self, name: str) -> bool:
        """True if the check can change the route: it exists, and it blocks."""

    def switched_on(self, name: str, switch: str) -> bool:
        """True if a switch of the check is on; False if there is no such check."""

    def refinements(self) -> int:
        """How many refined searches are allowed."""

    def wants_another(self, searches: tuple[Place, ...]) -> bool:
        """True if the last of these searches is too weak and another may help."""

    def best(self, searches: tuple[Place, ...]) -> Place:
        """The search with the highest confidence, the first of equals."""

    def unfit(self, look: Look) -> bool:
        """True if a query check forbids an answer."""

    def faults(self, look: Look) -> Literal["none", "failed", "broke"]:
        """ "broke" if an answer check broke, else "failed" if one that blocks failed; stage 2 alone does not count."""

    def sound(self, round_key: Place) -> bool:
        """True if no answer check forbids the answer of this round."""

    def middling(self, look: Look) -> bool:
        """True if stage 2 puts the answer into its medium tier."""

    def better(self, round_key: Place, look: Look) -> bool:
        """True if stage 2 scores the answer of this round higher than the one of `look`."""

    def part(self, round_key: Place) -> bool:
        """True if some sentences of the answer can go out without the others."""


Route = Literal["deliver", "deliver_part", "deliver_corrected", "clarify", "refuse", "escalate"]
ROUTES: tuple[Route, ...] = get_args(Route)

FIRST: Place = (ROUNDS[0], "")
CORRECTED = ("question", "about_last_turn")
"""Kinds of turn whose answers can be corrected from the books. Greetings and tool results are unrelated to them."""


@dataclass(frozen=True, kw_only=True)
class Missing:
    """A round that was never measured: its name, and the round that it continues."""

    name: str
    of: str = ""


@dataclass(frozen=True, kw_only=True)
class Path:
    """The route of a question, the steps that led there, and the results that decided. "split" hands it to its parts.

    out: the round whose text goes out, None if nothing does. missing: the first round that was needed and not
    measured.
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
        """This path extended by `steps`, with `changes` to its fields."""
        return replace(self, steps=(*self.steps, *steps), **changes)

    def ends(self, route: Route, out: Place | None = None) -> "Path":
        return self.to(route, route=route, out=out)

    def delivered(self) -> "Path":
        """This path ended by delivering the answer as it is."""
        return self.ends("deliver", self.place)


def walk(facts: Asking) -> Path:
    """Run the decision flow and return its path. The facts are of a trace that holds at least its first round."""
    head = (f"kind: {facts.kind().replace('_', ' ')}",)
    if facts.talks():
        return _decide_draft(facts, Path(route="refuse", steps=head, look=Look(query=None, answer=FIRST)))
    return _decide_question(facts, Path(route="refuse", steps=head, look=Look(query=FIRST, answer=FIRST)))


def _decide_question(facts: Asking, path: Path) -> Path:
    """Decide whether the question is clear, and whether it has parts."""
    clarity = facts.state(path.look, CLARITY)
    if clarity in ("passed", "watched", "blocked"):
        path = path.to("clear")
    if clarity == "blocked":
        return path.ends("clarify")
    if clarity == "broke" and facts.in_parts():  # without parts, the query checks handle it after the search
        return path.ends("refuse")
    return path.to("split", route="split") if facts.in_parts() else _decide_search(facts, path)


def _decide_search(facts: Asking, path: Path) -> Path:
    """Refine the search as long as it helps, and apply the query checks to its best round."""
    searches, path = [path.place], path.to("retrieve", "critic")
    for name in ROUNDS[1 : facts.refinements() + 1]:
        if not facts.wants_another(tuple(searches)):
            break
        if not facts.there((name, "")):
            path = path.to(missing=Missing(name=name))
            break
        searches.append((name, ""))
        path = path.to(f"refine {len(searches) - 1}", "critic")
    best = facts.best(tuple(searches))
    path = path.to("query checks", look=Look(query=best, answer=best))
    if not facts.unfit(path.look):
        return _decide_draft(facts, path)
    return _decide_scope(facts, path) if _scope_decides_first(facts) else path.ends("refuse")


def _scope_decides_first(facts: Asking) -> bool:
    """True if stage 1 decides on an answer even where the search found too little."""
    return facts.in_force(INTEREST) and facts.switched_on(INTEREST, "decides_first")


def _decide_scope(facts: Asking, path: Path) -> Path:
    """Apply stage 1 to an answer that the passages cannot support: hand it over, let mere talk out, or refuse."""
    interest = facts.state(path.look, INTEREST)
    if interest == "blocked":
        return _hand_over(facts, path.to("write", "stage 1"))
    if interest == "passed" and facts.written(path.place) and facts.converses(path.place):
        return _talk(path.to("write", "stage 1"))
    return path.ends("refuse")


def _talk(path: Path) -> Path:
    """Deliver an answer that only talks; no passage is compared with it."""
    return path.to(look=replace(path.look, query=None, claims=False)).delivered()


def _decide_draft(facts: Asking, path: Path) -> Path:
    """Apply stage 1 to the draft. It may end the path, or deliver a turn that claims nothing."""
    interest = facts.state(path.look, INTEREST)
    path = path.to("write", *(["stage 1"] if interest in ("passed", "watched", "blocked") else []))
    if interest == "blocked":
        return _hand_over(facts, path)
    if interest == "broke" or not facts.written(path.place):
        return _end_without_draft(path) if interest != "broke" and facts.awaited(path.place) else path.ends("refuse")
    if facts.talks() and not facts.claims(path.place):
        return path.to(look=replace(path.look, claims=False)).delivered()
    if interest == "passed" and _scope_decides_first(facts) and facts.converses(path.place):
        return _talk(path)
    return _decide_answer(facts, path.to("answer checks"))


def _end_without_draft(path: Path) -> Path:
    """End with a refusal because the draft is written only on request and is missing."""
    name, parent = path.place
    return path.to(missing=path.missing or Missing(name=name, of=parent)).ends("refuse")


def _decide_answer(facts: Asking, path: Path) -> Path:
    """Apply the answer checks: deliver, correct, or deliver a part."""
    faults = facts.faults(path.look)
    if faults == "broke":
        return path.ends("refuse")
    return _decide_correction(facts, path) if faults == "failed" else _decide_grounding(facts, path)


def _decide_correction(facts: Asking, path: Path) -> Path:
    """Decide on an answer that fails: deliver a correction, else the part that passes, else refuse."""
    if facts.kind() not in CORRECTED:
        return path.ends("refuse")
    if (facts.in_force(FACTS) or facts.in_force(SUPPORT)) and facts.switched_on(FACTS, "correction"):
        corrected_key = ("corrected", path.place[0])
        path = path.to("correct")
        if not facts.there(corrected_key):
            path = path.to(missing=path.missing or Missing(name=corrected_key[0], of=corrected_key[1]))
        elif facts.written(corrected_key):
            path = path.to("answer checks")
            if facts.sound(corrected_key):
                return path.ends("deliver_corrected", corrected_key)
    return path.ends("deliver_part", path.place) if facts.part(path.place) else path.ends("refuse")


def _decide_grounding(facts: Asking, path: Path) -> Path:
    """Apply stage 2: deliver, check again with more documents, or hand over."""
    grounding = facts.state(path.look, GROUNDING)
    if grounding in ("not run", "broke") or not facts.in_force(GROUNDING):
        return path.delivered()
    path = path.to("stage 2")
    if grounding == "blocked":
        return _hand_over(facts, path)
    if facts.middling(path.look) and facts.switched_on(GROUNDING, "recheck"):
        path = _decide_recheck(facts, path)
    return path.delivered()


def _decide_recheck(facts: Asking, path: Path) -> Path:
    """Judge the answer again with more documents. The new round counts if it scores higher and nothing in it fails."""
    recheck_key, path = ("rechecked", path.place[0]), path.to("recheck")
    if not facts.there(recheck_key):
        return path.to(missing=path.missing or Missing(name=recheck_key[0], of=recheck_key[1]))
    if not (facts.written(recheck_key) and facts.sound(recheck_key) and facts.better(recheck_key, path.look)):
        return path
    return path.to("answer checks", "stage 2", look=replace(path.look, answer=recheck_key))


def _hand_over(facts: Asking, path: Path) -> Path:
    """Hand over to a person if escalation is on; otherwise refuse."""
    return path.ends("escalate" if facts.switched_on(GROUNDING, "escalation") else "refuse")
