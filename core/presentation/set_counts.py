"""The counts of a question set in words: the title of its chart, its sentences, and the comparison of two presets."""

from collections.abc import Sequence

from core.banks.bank_counts import Change, Comparison
from core.evaluation.counts import Counts
from core.evaluation.outcomes import Rate
from core.presentation.outcome_words import DIRECTION_WORDS, count_of, share
from core.reply.display_rounding import number

_SIGNIFICANCE = 0.05
"""A p-value below it says that two presets differ by more than chance."""


def sentences(t: Counts) -> list[str]:
    """The outcomes of a set in sentences, as Markdown, each share with its n and its 95 % interval."""
    lines = []
    if t.due:
        fair_text = f" (**{t.fair}** of these in part, or at greater length than needed)" if t.fair else ""
        lines.append(
            f"Of **{t.due}** questions that should be answered, **{t.right + t.fair}** are answered "
            f"correctly{fair_text}, **{t.wrong}** are answered wrongly ({share(Rate(count=t.wrong, n=t.due))}), and "
            f"**{t.over_refused}** are wrongly refused ({share(t.over_refusal)})."
        )
    if t.others:
        lines.append(
            f"Of **{t.others}** questions that should not be answered, **{t.held + t.not_due_fair}** are refused or "
            f"sent back for clarification, and **{t.not_due_wrong}** are answered "
            f"({share(Rate(count=t.not_due_wrong, n=t.others))})."
        )
    if t.unsaid:
        lines.append(
            f"{count_of(t.unsaid, 'case')} not counted: these limits lead to a search that was never measured, the "
            "question could not be asked, or no label says what is right."
        )
    return lines or ["No case can be counted under these limits."]


def headline(t: Counts) -> str:
    """The finding of the set in one line, for the title of its chart."""
    if not t.n:
        return "No question of this set can be counted yet"
    wrong = count_of(t.wrong_answer.count, "wrong answer")
    refused = count_of(t.over_refused, "question")
    return f"{t.as_it_should_be.count} of {t.n} handled correctly; {wrong} given, {refused} wrongly refused"


def changes_heading(changes: Sequence[Change]) -> str:
    """A heading that says how many questions changed, and how many of them for the better or the worse."""
    if not changes:
        return "No outcomes changed"
    counted = {d: sum(c.direction == d for c in changes) for d in (1, -1, 0)}
    return f"{len(changes):,} changed: {', '.join(f'{n} {DIRECTION_WORDS[d][2:]}' for d, n in counted.items() if n)}"


def comparison_lines(result: Comparison, first: str, second: str) -> list[str]:
    """Both results, the number of cases on which only one preset is right, and the McNemar test, as Markdown lines.

    first, second: the names of the presets before and after.
    """
    lines = [
        f"**{name}**: {t.as_it_should_be.count} of {t.n} right outcomes ({share(t.as_it_should_be)}), "
        f"{t.wrong_answer.count} wrong answers, {t.over_refused} wrongly refused."
        for name, t in ((first, result.before), (second, result.after))
    ]
    discordant = result.only_before + result.only_after
    if not discordant:
        return [*lines, "There is no case on which only one of them is right."]
    verdict = "more than chance would do" if result.p < _SIGNIFICANCE else "no more than chance may do"
    p = "below 0.001" if result.p < 0.001 else number(result.p, 3)
    return [
        *lines,
        f"Of the {discordant} cases on which only one is right, {first} is right on **{result.only_before}** and "
        f"{second} on **{result.only_after}**: {verdict} (exact McNemar test, p = {p}).",
    ]
