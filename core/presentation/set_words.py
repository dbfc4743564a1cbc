"""Sentences about a question set: how much of it is measured, its outcomes, what differs between two presets, and the
guarantee."""

from collections.abc import Mapping, Sequence

from core.banks.bank_counts import Change, Comparison
from core.checks import threshold_of
from core.evaluation.counts import Counts, Rate
from core.reply.display_rounding import beside, number
from core.tuning.curves import OperatingPoint
from core.tuning.guarantee import Guarantee, Promise
from core.words import count_of

DIRECTION_WORDS: Mapping[int, str] = {-1: "✗ worse", 1: "✓ better", 0: "○ the same in the end"}
"""The direction of a change, with a sign so that no colour is needed."""


LIKELY = (
    "A pasted answer counts as a question, too. In brackets: the share in this set, then its probable range for "
    "similar questions (95 % confidence)."
)
"""What the brackets around `share` mean; stands once below the sentences that have them."""


def share(rate: Rate, *limits: float) -> str:
    """A share with its 95 % interval: "10 %, likely 5–18 %". limits: rounding keeps the share on its side of each."""
    if rate.share is None:
        return "none"
    low, high = (number(100 * x, 0) for x in rate.interval)
    return f"{beside(100 * rate.share, *(100 * limit for limit in limits), least=0)} %, likely {low}–{high} %"


def progress_words(count: int, missing: int, failure_count: int) -> str:
    """The measured part of a set, as one line of Markdown.

    count: all questions. missing: not measured. failure_count: how many of the missing ones could not be measured.
    """
    if not missing:
        subject = "The question is" if count == 1 else f"All {count:,} questions are"
        return f":green[:material/check_circle: {subject} measured.]"
    failures = f"; {count_of(failure_count, 'question')} could not be measured (the table under “Questions” says why)"
    return (
        f":gray[:material/radio_button_unchecked:] **{count - missing:,} of {count_of(count, 'question')}** measured "
        f"with the current library and models{failures if failure_count else ''}."
    )


def set_line(count: int, measured_count: int, profile: str, *, of_sample_library: bool = False) -> str:
    """The size of a set, the measured part of it, and the library and the models if they are not the usual ones."""
    if not count:
        return "Empty: add or import questions"
    is_whole = count == measured_count
    amount = f"{count_of(count, 'question')}, all measured" if is_whole else f"{measured_count} of {count} measured"
    library = " on the sample chapters alone, not on your library" if of_sample_library else ""
    models = "" if profile == "bundled" else f", {profile} models"
    return f"{amount}{library}{models}"


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
    """The outcomes of a set in one line."""
    if not t.n:
        return "No question of this set can be counted yet"
    wrong, refused = count_of(t.wrong_answer.count, "wrong answer"), count_of(t.over_refused, "question")
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
    if not (discordant := result.only_before + result.only_after):
        return [*lines, "There is no case on which only one of the two is right."]
    verdict = "a difference too large to be chance" if result.p < _SIGNIFICANCE else "a difference that may be chance"
    p = "below 0.001" if result.p < 0.001 else number(result.p, 3)
    return [
        *lines,
        f"Of the {discordant} cases on which only one of the two is right, {first} is right on "
        f"**{result.only_before}** and {second} on **{result.only_after}**: {verdict} (exact McNemar test, p = {p}).",
    ]


def risk_title(now: OperatingPoint) -> str:
    """The answered questions and the wrong answers, without pasted answers: "Answers by the app: 74 of 185 questions
    answered; 9 of 70 checked answers wrong"."""
    if not now.coverage.n:
        return "No question of this set can be counted yet"
    if not now.coverage.count:
        return "No answer is given out under these limits, so none is wrong"
    if not now.risk.n:
        return "No answer can be checked under these limits: list the facts of right answers under “Questions”"
    among = "them" if now.risk.n == now.coverage.count else f"{now.risk.n} checked answers"
    answered = f"{now.coverage.count} of {count_of(now.coverage.n, 'question')} answered"
    return f"Answers by the app: {answered}; {now.risk.count} of {among} wrong"


def _wrong_of(risk: Rate) -> str:
    """ "1 of 32 checked answers is wrong"."""
    return f"{risk.count} of {risk.n} checked answers {'is' if risk.count == 1 else 'are'} wrong"


def point_text(point: OperatingPoint) -> str:
    """An operating point for the hover text of a chart."""
    coverage_text = f"{point.coverage.count} of {point.coverage.n} questions get an answer"
    if not point.risk.n:
        return coverage_text
    return f"{coverage_text}<br>{_wrong_of(point.risk)} ({share(point.risk)})"


ASSUMES = (
    "The guarantee is valid for questions like those of this set, with the same library, models and answer writer."
)


def promise_text(promise: Promise) -> str:
    """The promise: "at most 5 % of the answers given out are wrong, with 95 % confidence"."""
    return (
        f"at most {100 * promise.share:g} % of the answers given out are wrong, "
        f"with {100 * promise.confidence:g} % confidence"
    )


def guarantee_sentences(result: Guarantee) -> list[str]:
    """Sentences with the promise and the counts behind it; or, if no value keeps it, with the best value and what is
    missing."""
    limit, promise = f"“{threshold_of(result.key).label}”", promise_text(result.promise)
    if result.kept:
        first = f"{promise[:1].upper()}{promise[1:]}, with {limit} at {result.value:g}."
        return [first, f"Counted here: {_counted(result.wrong, result.bound)}.", ASSUMES]
    nearest = f"The value {result.value:g} comes nearest: {_counted(result.wrong, result.bound)}."
    return [f"No value of {limit} gives this guarantee: {promise}.", nearest, f"{_missing(result).capitalize()}."]


def guarantee_line(result: Guarantee, current: float, now: Rate) -> str:
    """A line that begins with yes or no: does the limit keep the promise at its `current` value?

    now: the wrong answers of those given out at the current value.
    """
    if result.holds_at(current):
        return f"yes, {_wrong_of(now)}"
    if result.kept:
        return f"no, but proven with “{threshold_of(result.key).label}” at {result.value:g}"
    return f"no, {_missing(result)}"


def recheck_sentence(promise: Promise, wrong: Rate, bound: float) -> str:
    """A sentence that says if a set proves the promise under the limits of a preset, with the counts behind it."""
    if not wrong.n:
        return "The guarantee cannot be checked, because no question lists the facts of a right answer; add facts."
    verb = "is proven" if bound <= promise.share else "is not proven"
    return f"The guarantee {verb} ({promise_text(promise)}): {_counted(wrong, bound)}."


def _counted(wrong: Rate, bound: float) -> str:
    if not wrong.n:
        return "no answer is given out"
    return f"{wrong.count} of {wrong.n} answers are wrong, so at most {100 * bound:.1f} % of similar answers are"


def _missing(result: Guarantee) -> str:
    if result.rows_needed is None:
        return "more questions would not help, because too many answers are wrong at every value"
    return f"about {result.rows_needed:,} more labelled questions are needed"
