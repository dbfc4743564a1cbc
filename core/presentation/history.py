"""Words and rows of the History page: decisions as a table, one in full, and missing topics."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from core.evaluation.counts import Rate
from core.presentation.review import label_of_route, right_label
from core.presentation.set_words import share
from core.reply.display_rounding import whole
from core.words import ROUTES, SHOULD, count_of, reason_text, route_text

if TYPE_CHECKING:  # needed for annotations alone
    from core.journal import DecisionRow
    from core.journal.coverage_gaps import Gap

WITHHELD = "(question not stored)"
"""Shown instead of a question that the journal does not keep."""
_MANY = 20
"""Number of ratings from which on a percentage says more than the counts."""


def decision_reason(decision: "DecisionRow") -> str:
    """The reason of a decision; for an answer that goes out, what was wrong with the original. "" for none."""
    words = reason_text(decision.reason) if decision.reason else ""
    return f"original answer: {words}" if words and decision.route.startswith("deliver") else words


def question_text(decision: "DecisionRow") -> str:
    """The question, and what it was understood as if that differs; WITHHELD if the journal did not keep it."""
    if decision.question is None:
        return WITHHELD
    return " → ".join(filter(None, (decision.question, decision.understood)))


def evidence_score(decision: "DecisionRow") -> int | None:
    """The evidence score, 0 to 100, rounded down; None if nothing was searched.

    An answer without a page, such as a reply to a greeting, has no score; older journals stored 0 for such an answer.
    """
    is_talk = decision.question is not None and decision.document is None and decision.route.startswith("deliver")
    if decision.confidence is None or is_talk:
        return None
    return whole(decision.confidence)


def decision_columns(decisions: Sequence["DecisionRow"]) -> dict[str, list[Any]]:
    """The table of these decisions, column by column, a cell for each decision."""
    return {
        "When": [f"{datetime.fromtimestamp(d.at):%d %b %H:%M}" for d in decisions],
        "Question": [question_text(d) for d in decisions], "Outcome": [route_text(d.route) for d in decisions],
        "Reason": [decision_reason(d) or None for d in decisions],
        "Evidence": [evidence_score(d) for d in decisions],
        "Review": [_review_text(d) for d in decisions],
    }  # fmt: skip


def _review_text(decision: "DecisionRow") -> str | None:
    """A person's opinion on a decision: "right", or the outcome it should have had; None if there is none yet."""
    if not decision.should_be:
        return decision.note
    is_right = decision.should_be == right_label(decision)
    opinion = "✓ right" if is_right else f"✗ {SHOULD.get(decision.should_be, decision.should_be)}"
    return f"{opinion}: {decision.note}" if decision.note else opinion


def trust_sentence(ratings: Mapping[tuple[str, bool, str], int]) -> str:
    """A sentence with the trust score, the share of rated decisions that users called right; without ratings, how to
    rate.

    ratings: the result of core.journal.Journal.ratings, (route, whether the answer was given, label) -> number.
    """
    if not ratings:
        return "No trust score yet, because nobody has rated a decision. Rate one with the thumbs below its answer."
    right = sum(n for (route, given, label), n in ratings.items() if label == label_of_route(route, is_given=given))
    rated = Rate(count=right, n=sum(ratings.values()))
    if rated.n < _MANY:
        return f"{count_of(rated.n, 'decision')} rated: {rated.count} right."
    return f"Trust score: {rated.count} of {rated.n} rated decisions were called right ({share(rated)})."


def facts(decision: "DecisionRow", book: str) -> dict[str, str]:
    """{label: text} of the further facts that the journal stores about a decision, such as class, page and evidence.

    book: the title of its document, "" without one.
    """
    score = evidence_score(decision)
    page = f", page {decision.page}" if decision.page else ""
    page_label = "Page" if decision.route.startswith("deliver") else "Closest page"
    texts = {
        "When": f"{datetime.fromtimestamp(decision.at):%d %B %Y, %H:%M}",
        "Class": str(decision.class_number or ""), "Subject": decision.subject,
        page_label: f"{book}{page}" if book else "",
        "Evidence": "" if score is None else f"{score:g} of 100", "Preset": decision.preset,
        "Answer": "pasted" if decision.given else "", "Asked in": decision.source,
        "Time": f"{decision.seconds:.1f} s" if decision.seconds else "",
    }  # fmt: skip
    return {label: text for label, text in texts.items() if text}


def summary(counts: Mapping[str, int]) -> str:
    """The number of decisions, in all and on each route, in words. counts: route -> number."""
    total = sum(counts.values())
    texts = [f"{counts[route]:,} {sign.words}" for route, sign in ROUTES.items() if counts.get(route)]
    return ": ".join(filter(None, (count_of(total, "decision"), ", ".join(texts))))


def gap_columns(gaps: Sequence["Gap"]) -> dict[str, list[Any]]:
    """The table of missing topics, column by column, a cell for each topic."""
    return {
        "Asked": [gap.asked for gap in gaps], "Question": [gap.question for gap in gaps],
        "Also asked as": [_other_wordings(gap) for gap in gaps],
        "Why refused": [", ".join(map(reason_text, gap.reasons)) for gap in gaps],
        "Last asked": [f"{datetime.fromtimestamp(gap.last):%d %b %Y}" for gap in gaps],
    }  # fmt: skip


def gap_title(gaps: Sequence["Gap"]) -> str:
    """The title of the table of missing topics: the number of topics and of refused questions. Not
    all questions without an answer are among them: some are unclear, or another check stopped the answer."""
    refusals, topics = sum(gap.asked for gap in gaps), len(gaps)
    topic_text = f" on {count_of(topics, 'topic')}" if topics < refusals else ""
    return f"{count_of(refusals, 'question')}{topic_text} that the books do not cover"


def _other_wordings(gap: "Gap") -> str | None:
    """Up to three other wordings of a gap and the number of the rest; None if there is no other."""
    others = [q if len(q) <= 80 else f"{q[:79].rstrip()}…" for q in gap.questions if q != gap.question]
    more = f" and {len(others) - 3} more" if len(others) > 3 else ""
    return " · ".join(others[:3]) + more if others else None
