"""The decision flow, once, on arrays: a question, a set and a sweep are the same call. Pure.

Every array is (units, points), or has length 1 where it does not vary. A cell is one unit at one point. Each function
is one section of the flow: it ends some of the open cells, and the others go on to the next section. If a round is
missing, a cell remembers that and goes on as if the round could not be measured.
"""

from typing import Any

import numpy as np

from core.decide.facts import Facts
from core.decide.measured import NO_REASON
from core.decide.routes import BROKE, CORRECTED, FAILED, KINDS, NO_ROUND, PASSED, RAN, RECHECKED, ROUTES, SPLIT, STAGES
from core.thresholds import DUST


class Ends:
    """Where each cell ends; arrays (units, points).

    open: True for a cell that has not ended. route: index into ROUTES, SPLIT. stage: index into STAGES, the section
    that was reached last. query: the round of the query checks, NO_ROUND for a turn that asks nothing of the books.
    answer: the round of the judged answer. claims: False for an answer that claims nothing, so that of the answer
    checks only stage 1 counts. delivers: the round whose text is delivered, NO_ROUND for none. missing: the first round
    that the cell needed and lacks, else NO_ROUND. trail: (words, mask) of every step, if it is kept.
    """

    def __init__(self, shape: tuple[int, int], *, keep_trail: bool = False) -> None:
        self.open = np.ones(shape, dtype=bool)
        self.claims = np.ones(shape, dtype=bool)
        self.route = np.full(shape, ROUTES.index("refuse"), dtype=np.uint8)
        self.stage = np.zeros(shape, dtype=np.uint8)
        self.query, self.answer = np.zeros(shape, dtype=np.int8), np.zeros(shape, dtype=np.int8)
        self.delivers, self.missing = (np.full(shape, NO_ROUND, dtype=np.int8) for _ in range(2))
        self.trail: list[tuple[str, np.ndarray]] | None = [] if keep_trail else None

    def step(self, *words: str, where: Any = True, stage: str | None = None) -> None:
        """The open cells of `where` take a step, perhaps into another section."""
        now = self.open & where
        if stage is not None:
            self.stage[now] = STAGES.index(stage)
        if self.trail is not None:
            self.trail += [(word, now) for word in words]

    def need(self, where: Any, round_: Any) -> None:
        """The open cells of `where` need this round, which was never measured."""
        self.missing = np.where(self.open & where & (self.missing < 0), round_, self.missing)

    def end(self, where: Any, route: str | np.ndarray, delivers: Any = NO_ROUND) -> None:
        """The open cells of `where` end on this route."""
        now = self.open & where
        code = ROUTES.index(route) if isinstance(route, str) else route
        self.route = np.where(now, code, self.route)
        self.delivers = np.where(now, delivers, self.delivers)
        if self.trail is not None:
            self.trail += [(name, now & (self.route == n)) for n, name in enumerate(ROUTES)]
        self.open &= ~now

    def steps(self, unit: int, point: int = 0) -> tuple[str, ...]:
        """The path of one cell in words, if the trail was kept."""
        return tuple(words for words, mask in self.trail or () if mask[unit, point])


def decide(f: Facts, *, keep_trail: bool = False) -> Ends:
    """Run the flow. Every unit must have its first round."""
    e = Ends(f.shape, keep_trail=keep_trail)
    for n, kind in enumerate(KINDS):
        e.step(f"kind: {kind.replace('_', ' ')}", where=f.kinds == n)
    e.query[np.broadcast_to(f.talks, f.shape)] = NO_ROUND
    _question(f, e)
    _search(f, e)
    _draft(f, e)
    _faults(f, e)
    _stage_two(f, e)
    return e


def _question(f: Facts, e: Ends) -> None:
    """Ask back for an unclear question, and split a question in parts."""
    asks, clarity = ~f.talks, f.state("clarity", 0)
    e.step("clear", where=asks & np.isin(clarity, RAN), stage="clarity")
    e.end(asks & (clarity == FAILED), "clarify")
    e.end(asks & (clarity == BROKE) & f.has_parts, "refuse")  # without parts the query checks handle it
    e.step("split", where=asks & f.has_parts, stage="parts")
    split = e.open & asks & f.has_parts
    e.route[split] = SPLIT
    e.open &= ~split


def _search(f: Facts, e: Ends) -> None:
    """Refine the search as long as it helps, and apply the query checks to its best round."""
    e.step("retrieve", "critic", where=~f.talks)
    best, top, goes_on = np.zeros(f.shape, dtype=np.int8), f.column("confidence", 0), ~f.talks
    for search in range(1, CORRECTED):
        goes_on = goes_on & e.open & (f.refine_rounds >= search)
        if not goes_on.any():
            break
        goes_on = goes_on & f.needs_search(search - 1)
        e.need(goes_on & ~f.is_measured(search), search)
        goes_on = goes_on & f.is_measured(search)
        e.step(f"refine {search}", "critic", where=goes_on)
        confidence = f.column("confidence", search)
        is_better = goes_on & (confidence > top)
        best, top = np.where(is_better, search, best), np.where(is_better, confidence, top)
    asks = e.open & ~f.talks
    e.query, e.answer = np.where(asks, best, e.query), np.where(asks, best, e.answer)
    e.step("query checks", where=asks, stage="query checks")
    fails = asks & (f.reason("query", best, asks) < NO_REASON)
    if not fails.any():
        return
    # Where the scope decides first, stage 1 may still stop the answer, or let mere conversation go out.
    first = fails & f.scope_first
    interest = f.state("interest", best, first)
    talks = first & (interest == PASSED) & (f.column("sentences", best) > 0) & f.column("converses", best).astype(bool)
    e.step("write", where=first & ((interest == FAILED) | talks), stage="draft")
    e.step("stage 1", where=first & ((interest == FAILED) | talks), stage="stage 1")
    _hand_over(f, e, first & (interest == FAILED))
    _deliver_talk(e, talks)
    e.end(fails, "refuse")


def _draft(f: Facts, e: Ends) -> None:
    """Apply stage 1 to the draft, and deliver a draft that makes no claim."""
    if not e.open.any():
        return
    interest = f.state("interest", e.answer, e.open)
    e.step("write", stage="draft")
    e.step("stage 1", where=np.isin(interest, RAN), stage="stage 1")
    _hand_over(f, e, interest == FAILED)
    e.end(interest == BROKE, "refuse")
    is_empty = f.column("sentences", e.answer) == 0
    e.need(is_empty & f.column("awaited", e.answer).astype(bool), e.answer)  # a draft that is written on request
    e.end(is_empty, "refuse")
    claims_nothing = e.open & f.talks & ~f.column("claims", e.answer).astype(bool)
    e.claims &= ~claims_nothing
    e.end(claims_nothing, "deliver", e.answer)
    _deliver_talk(e, (interest == PASSED) & f.scope_first & f.column("converses", e.answer).astype(bool))
    e.step("answer checks", stage="answer checks")


def _faults(f: Facts, e: Ends) -> None:
    """End on an answer that failed its checks: a correction; if there is none, the sentences that pass; else refuse."""
    if not e.open.any():
        return
    broke, failed = f.faults(e.answer, e.open)
    e.end(broke, "refuse")
    e.end(failed & ~f.is_about_books, "refuse")
    e.end(failed & f.abstains(e.answer, e.open & failed), "refuse")
    if not (e.open & failed).any():
        return
    corrected, mends = CORRECTED + e.answer, failed & f.corrects
    e.step("correct", where=mends, stage="correction")
    is_measured = f.is_measured(corrected)
    e.need(mends & ~is_measured, corrected)
    has_answer = mends & is_measured & (f.column("sentences", corrected) > 0)
    e.step("answer checks", where=has_answer)
    if (has_answer := e.open & has_answer).any():
        passes = f.reason("answer", corrected, has_answer) == NO_REASON
        e.end(has_answer & passes, "deliver_corrected", corrected)
    if (rest := e.open & failed & f.gives_parts).any():
        e.end(rest & f.has_partial_answer(e.answer, rest), "deliver_part", e.answer)
    e.end(failed, "refuse")


def _stage_two(f: Facts, e: Ends) -> None:
    """Deliver the answer, recheck it with more documents, or hand it over.

    The answer of the recheck replaces the judged one if stage 2 scores it higher and it fails no blocking answer check.
    """
    if not e.open.any():
        return
    grounding = f.state("fact_grounding", e.answer, e.open)
    e.end(~np.isin(grounding, RAN) | ~f.grounding_blocks, "deliver", e.answer)
    if not e.open.any():
        return
    e.step("stage 2", stage="stage 2")
    _hand_over(f, e, grounding == FAILED)
    rechecked, again = RECHECKED + e.answer, e.open & f.rechecks
    again = again & f.is_medium(e.answer, again)
    e.step("recheck", where=again)
    is_measured = f.is_measured(rechecked)
    e.need(again & ~is_measured, rechecked)
    is_better = again & is_measured & (f.column("sentences", rechecked) > 0)
    if is_better.any():
        is_higher = f.grounding_score(rechecked, is_better) > f.grounding_score(e.answer, is_better) + DUST
        is_better = is_better & is_higher & (f.reason("answer", rechecked, is_better) == NO_REASON)
        e.step("answer checks", "stage 2", where=is_better)
        e.answer = np.where(is_better, rechecked, e.answer)
    e.end(True, "deliver", e.answer)


def _hand_over(f: Facts, e: Ends, where: np.ndarray) -> None:
    """Escalate to a person if escalation is on; otherwise refuse."""
    e.end(where, np.where(f.escalates, ROUTES.index("escalate"), ROUTES.index("refuse")))


def _deliver_talk(e: Ends, where: np.ndarray) -> None:
    """Deliver an answer that is only conversation; no check that reads passages applies to it."""
    now = e.open & where
    e.query = np.where(now, NO_ROUND, e.query)
    e.claims &= ~now
    e.end(now, "deliver", e.answer)
