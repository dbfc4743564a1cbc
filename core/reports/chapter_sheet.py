"""For educators: the answers to the exercises of a chapter as one HTML page to print."""

from collections import Counter

from core.book_titles import book, page_words
from core.chapter.trial import Trial
from core.reports.templating import TEMPLATES
from core.words import ROUTES

_COLOURS = {"deliver": "good", "refuse": "bad", "": "bad"}
"""CSS class by the first word of a route, "" for a question that could not be asked."""
_TICKS = {True: "✓", False: "✗", None: "☐"}


def sheet(trial: Trial, date: str) -> str:
    """The questions that were asked, each with its outcome, its answer, the pages of the answer and the teacher's tick,
    as HTML that loads nothing. All texts are escaped. date: as it is to be shown."""
    rows = []
    for n, question in enumerate(trial.questions):
        if answer := trial.answers.get(n):
            route = answer.verdict.route if answer.verdict else ""
            colour = _COLOURS.get(route.partition("_")[0], "quiet")
            rows.append((question, answer, outcome(trial, n), colour, _TICKS[trial.ticks.get(n)]))
    return TEMPLATES.get_template("sheet.html").render(
        title=f"Exercises: {book(trial.document)}", date=date, trial=trial, last_line=last_line(trial), rows=rows,
        left_out=[(q, page_words(q.page, q.label)) for q in trial.left_out],
    )  # fmt: skip


def outcome(trial: Trial, index: int) -> str:
    """The outcome of an asked question: "✓ Answered"; "✗ Not asked" for one that could not be asked."""
    verdict = trial.answers[index].verdict
    return str(ROUTES[verdict.route]) if verdict else "✗ Not asked"


def tally(trial: Trial) -> str:
    """How many questions ended in which way: "12 asked: 7 answered, 5 refused; 2 not asked"."""
    routes = Counter(a.verdict.route if a.verdict else "error" for a in trial.answers.values())
    ends = [f"{routes[route]} {sign.words}" for route, sign in ROUTES.items() if routes[route]]
    left_out = len(trial.questions) - len(trial.answers)
    return f"{len(trial.answers)} asked: {', '.join(ends) or 'none'}{f'; {left_out} not asked' if left_out else ''}"


def last_line(trial: Trial) -> str:
    """How many answers are ready: "14 of 18 ready for class 10"; before that what is still to be ticked."""
    for_class = f" for class {trial.document.class_number}" if trial.document.class_number else ""
    waiting = sum(trial.is_answered(n) and n not in trial.ticks for n in trial.answers)
    rest = f"; {waiting} answered and not yet ticked" if waiting else ""
    return f"{trial.ready} of {len(trial.to_ask)} ready{for_class}{rest}"
