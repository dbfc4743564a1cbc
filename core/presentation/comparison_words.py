"""Words for two presets that are compared on the same question set."""

from core.chain.display_rounding import number
from core.presentation.outcome_words import share
from core.tuning.curves import Comparison

_SIGNIFICANCE = 0.05


def comparison_lines(result: Comparison, first: str, second: str) -> list[str]:
    """Both results, the number of cases on which only one preset is right, and the McNemar test, as Markdown lines."""
    lines = [
        f"**{name}**: {t.as_it_should_be.count} of {t.n} right outcomes ({share(t.as_it_should_be)}), "
        f"{t.wrong + t.not_due_wrong} wrong answers, {t.over_refused} wrongly refused."
        for name, t in ((first, result.first), (second, result.second))
    ]
    discordant = result.only_first + result.only_second
    if not discordant:
        return [*lines, "There is no case on which only one of them is right."]
    verdict = "more than chance would do" if result.p < _SIGNIFICANCE else "no more than chance may do"
    p = "below 0.001" if result.p < 0.001 else number(result.p, 3)
    return [
        *lines,
        f"Of the {discordant} cases on which only one is right, {first} is right on **{result.only_first}** and "
        f"{second} on **{result.only_second}**: {verdict} (exact McNemar test, p = {p}).",
    ]
