"""The decision flow, which asks for facts one after the other and ends on a route. Pure: no model, no file, no clock.

Each function is one section of the flow, which ends the path or calls the next section. If a round is missing, the path
records that and continues as if the round could not be measured. `Facts` answers the questions of the flow, from one
trace under one preset or from a whole bank.
"""

from dataclasses import dataclass, replace
from typing import Literal, Protocol, get_args

INTEREST, FACT_GROUNDING, CLARITY, FACTS = "interest", "fact_grounding", "clarity", "fact_check"
SUPPORT, CONFIDENCE, TOPIC = "support", "confidence", "topic_relevance"

ROUNDS = ("first", "refined 1", "refined 2")
"""Names of the rounds of a search in the order in which they are measured."""

RoundKey = tuple[str, str]
"""Key of a round: its name, and the name of the round that it corrects or rechecks, "" for a search."""

State = Literal["not run", "passed", "watched", "blocked", "broke"]
"""State of a check: `watched` failed without blocking, `blocked` failed and blocks, `broke` could not be measured."""
STATES: tuple[State, ...] = ("not run", "passed", "watched", "blocked", "broke")


@dataclass(frozen=True, kw_only=True)
class DecidingRounds:
    """The rounds whose check results count at the end of a path.

    query: the round of the query checks; None for a turn that asks nothing of the books. answer: the round of the
    answer checks. claims: False for an answer that claims nothing: of the answer checks, only stage 1 then counts.
    """

    query: RoundKey | None
    answer: RoundKey
    claims: bool = True


class Facts(Protocol):
    """Every fact that the decision flow can ask for. A fact is an answer about a trace under a preset.
    core/chain/facts.py implements this class for a trace, core/sweep for a bank.
    """

    def kind(self) -> str:
        """The kind of turn: question, small_talk, about_last_turn or tool_result."""

    def asks_nothing(self) -> bool:
        """True for a turn that asks nothing of the books. It is False for every turn under a preset whose stage 1 does
        not block.
        """

    def has_parts(self) -> bool:
        """True for a question that asks several things."""

    def is_measured(self, round_key: RoundKey) -> bool:
        """True if the trace holds the round."""

    def has_answer(self, round_key: RoundKey) -> bool:
        """True if the answer of the round has a sentence."""

    def awaits_draft(self, round_key: RoundKey) -> bool:
        """True if the answer of the round is written only on request."""

    def makes_claims(self, round_key: RoundKey) -> bool:
        """False if stage 1 found nothing in the answer that needs a check."""

    def converses(self, round_key: RoundKey) -> bool:
        """True if the answer of the round is only conversation, which states nothing that a passage must support."""

    def state(self, rounds: DecidingRounds, name: str) -> State:
        """The state of the check `name` in `rounds`; "not run" if the rounds do not use the check."""

    def can_block(self, name: str) -> bool:
        """True if the check `name` can change the route: it exists, and its mode is "blocks"."""

    def switched_on(self, name: str, switch: str) -> bool:
        """True if the threshold `switch` of the check, which is 0 or 1, is 1; False if there is no such check."""

    def refine_rounds(self) -> int:
        """The number of refined searches that the preset allows."""

    def needs_search(self, searches: tuple[RoundKey, ...]) -> bool:
        """True if the last of these searches has too low an evidence confidence, and another search may give a higher
        one.
        """

    def best_search(self, searches: tuple[RoundKey, ...]) -> RoundKey:
        """The search with the highest evidence confidence; of equals the first."""

    def fails_query_checks(self, rounds: DecidingRounds) -> bool:
        """True if a query check forbids an answer."""

    def faults(self, rounds: DecidingRounds) -> Literal["none", "failed", "broke"]:
        """The state of the answer checks on the answer of `rounds`:
        - "broke" if a blocking check could not be measured;
        - else "failed" if a blocking check other than stage 2 failed;
        - else "none".
        """

    def passes_answer_checks(self, round_key: RoundKey) -> bool:
        """True if no answer check forbids the answer of this round."""

    def is_medium(self, rounds: DecidingRounds) -> bool:
        """True if stage 2 puts the answer into its medium tier."""

    def scores_higher(self, round_key: RoundKey, rounds: DecidingRounds) -> bool:
        """True if stage 2 scores the answer of this round higher than the answer of `rounds`."""

    def has_partial_answer(self, round_key: RoundKey) -> bool:
        """True if some sentences of the answer, but not all, can be delivered."""


Route = Literal["deliver", "deliver_part", "deliver_corrected", "clarify", "refuse", "escalate"]
ROUTES: tuple[Route, ...] = get_args(Route)

FIRST: RoundKey = (ROUNDS[0], "")
CORRECTABLE_KINDS = ("question", "about_last_turn")
"""Kinds of turn whose answers can be corrected from the books. Greetings and tool results are unrelated to them."""


Stage = Literal[
    "turn", "clarity", "query checks", "draft", "stage 1", "answer checks", "correction", "stage 2", "parts"
]  # fmt: skip
"""The section of the decision flow in which a path ended."""


@dataclass(frozen=True, kw_only=True)
class Path:
    """The route of a question, the steps that led to it, and the rounds whose results decided.

    route: "split" means that each part of the question is decided by itself. steps: the steps in words, for people to
    read. stage: the section of the decision flow that was reached last; code reads this instead of `steps`.
    delivery_key: the round whose text is delivered, None if nothing is delivered. missing: the first round that the
    flow needed and the trace lacks.
    """

    route: Route | Literal["split"]
    steps: tuple[str, ...]
    rounds: DecidingRounds
    stage: Stage = "turn"
    delivery_key: RoundKey | None = None
    missing: RoundKey | None = None

    @property
    def round_key(self) -> RoundKey:
        """Key of the judged round."""
        return self.rounds.answer

    def to(self, *steps: str, **changes: object) -> "Path":
        """Return this path extended by `steps`, with `changes` to its fields."""
        return replace(self, steps=(*self.steps, *steps), **changes)

    def needs(self, round_key: RoundKey) -> "Path":
        """Return this path with `round_key` as its missing round; if a round is missing already, return the path
        unchanged.
        """
        return replace(self, missing=self.missing or round_key)

    def ends(self, route: Route, delivery_key: RoundKey | None = None) -> "Path":
        return self.to(route, route=route, delivery_key=delivery_key)


def walk(facts: Facts) -> Path:
    """Run the decision flow on `facts` and return its path. The trace behind `facts` must hold at least its first
    round.
    """
    steps = (f"kind: {facts.kind().replace('_', ' ')}",)
    if facts.asks_nothing():
        return _decide_draft(facts, Path(route="refuse", steps=steps, rounds=DecidingRounds(query=None, answer=FIRST)))
    path = Path(route="refuse", steps=steps, rounds=DecidingRounds(query=FIRST, answer=FIRST))
    clarity = facts.state(path.rounds, CLARITY)
    if clarity in ("passed", "watched", "blocked"):
        path = path.to("clear", stage="clarity")
    if clarity == "blocked":
        return path.ends("clarify")
    if clarity == "broke" and facts.has_parts():  # without parts, the query checks handle it after the search
        return path.ends("refuse")
    return path.to("split", route="split", stage="parts") if facts.has_parts() else _decide_search(facts, path)


def _decide_search(facts: Facts, path: Path) -> Path:
    """Refine the search as long as it helps, and apply the query checks to its best round."""
    searches, path = [FIRST], path.to("retrieve", "critic")
    for name in ROUNDS[1 : facts.refine_rounds() + 1]:
        if not facts.needs_search(tuple(searches)):
            break
        if not facts.is_measured((name, "")):
            path = path.needs((name, ""))
            break
        searches.append((name, ""))
        path = path.to(f"refine {len(searches) - 1}", "critic")
    best = facts.best_search(tuple(searches))
    path = path.to("query checks", stage="query checks", rounds=DecidingRounds(query=best, answer=best))
    if not facts.fails_query_checks(path.rounds):
        return _decide_draft(facts, path)
    return _decide_scope(facts, path) if _scope_decides_first(facts) else path.ends("refuse")


def _scope_decides_first(facts: Facts) -> bool:
    """True if stage 1 blocks and the preset lets it decide even on an answer whose search failed the query checks."""
    return facts.can_block(INTEREST) and facts.switched_on(INTEREST, "decides_first")


def _decide_scope(facts: Facts, path: Path) -> Path:
    """Apply stage 1 to an answer whose search failed a query check:
    - stage 1 blocks the answer: escalate, or refuse if escalation is off;
    - the answer is only conversation: deliver it;
    - else refuse.
    """
    interest = facts.state(path.rounds, INTEREST)
    stage_one = path.to("write", stage="draft").to("stage 1", stage="stage 1")
    if interest == "blocked":
        return _hand_over(facts, stage_one)
    if interest == "passed" and facts.has_answer(path.round_key) and facts.converses(path.round_key):
        return _deliver_talk(stage_one)
    return path.ends("refuse")


def _deliver_talk(path: Path) -> Path:
    """Deliver an answer that is only conversation; no check that reads passages applies to it."""
    path = path.to(rounds=replace(path.rounds, query=None, claims=False))
    return path.ends("deliver", path.round_key)


def _decide_draft(facts: Facts, path: Path) -> Path:
    """Apply stage 1 to the draft, and deliver a draft that makes no claim. Any other draft goes on to the answer
    checks.
    """
    interest, path = facts.state(path.rounds, INTEREST), path.to("write", stage="draft")
    if interest in ("passed", "watched", "blocked"):
        path = path.to("stage 1", stage="stage 1")
    if interest == "blocked":
        return _hand_over(facts, path)
    if interest == "broke":
        return path.ends("refuse")
    if not facts.has_answer(path.round_key):  # a draft that is written only on request is a round still to be measured
        return (path.needs(path.round_key) if facts.awaits_draft(path.round_key) else path).ends("refuse")
    if facts.asks_nothing() and not facts.makes_claims(path.round_key):
        path = path.to(rounds=replace(path.rounds, claims=False))
        return path.ends("deliver", path.round_key)
    if interest == "passed" and _scope_decides_first(facts) and facts.converses(path.round_key):
        return _deliver_talk(path)
    path = path.to("answer checks", stage="answer checks")
    faults = facts.faults(path.rounds)
    if faults == "broke":
        return path.ends("refuse")
    return _decide_correction(facts, path) if faults == "failed" else _decide_grounding(facts, path)


def _decide_correction(facts: Facts, path: Path) -> Path:
    """Decide on an answer that failed its checks: deliver a correction; if there is none, the sentences that pass; if
    no sentence passes, refuse.
    """
    if facts.kind() not in CORRECTABLE_KINDS:
        return path.ends("refuse")
    if (facts.can_block(FACTS) or facts.can_block(SUPPORT)) and facts.switched_on(FACTS, "correction"):
        correction_key, path = ("corrected", path.round_key[0]), path.to("correct", stage="correction")
        if not facts.is_measured(correction_key):
            path = path.needs(correction_key)
        elif facts.has_answer(correction_key):
            path = path.to("answer checks")
            if facts.passes_answer_checks(correction_key):
                return path.ends("deliver_corrected", correction_key)
    if facts.has_partial_answer(path.round_key):
        return path.ends("deliver_part", path.round_key)
    return path.ends("refuse")


def _decide_grounding(facts: Facts, path: Path) -> Path:
    """Apply stage 2: deliver the answer, recheck it with more documents, or escalate.

    The answer of the recheck replaces the judged one if stage 2 scores it higher and it fails no blocking answer check.
    """
    grounding = facts.state(path.rounds, FACT_GROUNDING)
    if grounding in ("not run", "broke") or not facts.can_block(FACT_GROUNDING):
        return path.ends("deliver", path.round_key)
    path = path.to("stage 2", stage="stage 2")
    if grounding == "blocked":
        return _hand_over(facts, path)
    if facts.is_medium(path.rounds) and facts.switched_on(FACT_GROUNDING, "recheck"):
        recheck_key, path = ("rechecked", path.round_key[0]), path.to("recheck")
        if not facts.is_measured(recheck_key):
            path = path.needs(recheck_key)
        elif (
            facts.has_answer(recheck_key)
            and facts.passes_answer_checks(recheck_key)
            and facts.scores_higher(recheck_key, path.rounds)
        ):
            path = path.to("answer checks", "stage 2", rounds=replace(path.rounds, answer=recheck_key))
    return path.ends("deliver", path.round_key)


def _hand_over(facts: Facts, path: Path) -> Path:
    """Escalate to a person if escalation is on; otherwise refuse."""
    return path.ends("escalate" if facts.switched_on(FACT_GROUNDING, "escalation") else "refuse")
