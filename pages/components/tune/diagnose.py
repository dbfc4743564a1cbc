"""The tab Diagnose of the Tune page, for tuners: the wrong outcomes of a set, the checks and limits behind them,
better limits, and the report. One view is drawn at a time."""

import time
from collections.abc import Callable, Mapping

import streamlit as st

from core.banks.bank_counts import refusals, wrong_outcomes
from core.banks.open_bank import OpenBank, state_of
from core.banks.row import missing_documents
from core.checks import all_thresholds, check_of
from core.evaluation.counts import Rate
from core.library import sample_names
from core.library.store import documents_in
from core.models.profile import names_of
from core.platform.home import home_folder
from core.presentation.set_words import LIKELY, sentences, share
from core.presets import differences, values
from core.reports.evaluation_report import Evaluation
from core.thresholds import Preset
from core.tuning.curves import decided_alone, heat, of_confidence, spread
from core.words import REASONS, count_of
from core.writers.auto_writer import for_many_questions
from pages.components.shared.figure import picture
from pages.components.shared.limits import chosen_preset, current_preset, follow_last_move
from pages.components.shared.page_run import require_access
from pages.components.shared.safe_display import plain
from pages.components.shared.session import TUNE
from pages.components.shared.session_types import Using
from pages.components.shared.sidebar import label
from pages.components.tune.open_set import OpenSet
from pages.components.tune.outcome_tables import changed_table, question_results
from pages.components.tune.pictures import checks_picture, heat_picture, reliability_picture, scores_picture
from pages.components.tune.proposals import proposals


def _report(open_set: OpenSet, preset: Preset, using: Using) -> None:
    """Draw what the guardrail changes on the open set, and the button of the report. The evaluation is computed once
    for each state of the sliders."""
    (profile, settings), base, bank = using, chosen_preset(), open_set.bank
    in_library = {document.name for document in documents_in(home_folder())}
    library_names = sample_names() if open_set.measured_bank.bundled_traces else in_library
    missing, writer = missing_documents(open_set.rows, library_names), for_many_questions(settings).writer
    about = {
        "bank": open_set.name, "preset": base.name, "moved": [f"{d.key}={d.second}" for d in differences(base, preset)],
        "profile": profile, "writer": writer, "models": names_of(profile), "date": time.strftime("%Y-%m-%d"),
        "missing_documents": missing, "rows": len(open_set.rows),
    }  # fmt: skip
    key = ("evaluation", state_of(preset), base.name, writer, len(open_set.rows), tuple(missing))
    with st.spinner("Counting the outcome of every question …"):
        result = bank.cached(key, lambda: Evaluation.of(bank, preset, about))
    st.markdown(f"**{plain(summary(result))}**")
    st.caption("The tables and pictures behind these figures are in the report.")
    st.download_button(
        "Report", result.page, f"evaluation-{open_set.name}.html", "text/html", key="evaluation report",
        icon=":material/description:", on_click="ignore", type="primary",
        help="One HTML file with tables, pictures and every question; it prints well",
    )  # fmt: skip


def summary(result: Evaluation) -> str:
    """The effect of the guardrail on this set, in one sentence, with the figures of the first table."""
    guarded, unguarded = result.tables["with"], result.tables["without"]["hallucinated"]
    wrong, over_refused = guarded["hallucinated"], guarded["false_positives"]
    refusals = f"{over_refused.count} of {over_refused.n} questions that should be answered are wrongly refused."
    if not wrong.n and result.unchecked_count:
        answered = count_of(result.unchecked_count, "question")
        return (
            f"With the guardrail, {answered} got an answer that could not be checked: no facts are listed. {refusals}"
        )
    effect = f"With the guardrail, {wrong.count} of {wrong.n} answers that the app wrote itself are wrong"
    unchecked = f" ({count_of(result.unchecked_count, 'more answer')} could not be checked: no facts are listed)"
    more = unchecked if result.unchecked_count else ""
    return f"{effect}; without the guardrail, {unguarded.count} of {unguarded.n} are wrong{more}. {refusals}"


@st.fragment
def diagnose(open_set: OpenSet, using: Using) -> None:
    """Draw the choice of a view and the chosen view of a set; this fragment runs alone when a limit moves."""
    require_access()
    follow_last_move()
    st.pills("View", list(VIEWS), **TUNE.view.kept, required=True, label_visibility="collapsed")
    VIEWS[TUNE.view.value](open_set, current_preset(), using)


def _wrong(open_set: OpenSet, preset: Preset, using: Using) -> None:
    bank: OpenBank = open_set.bank
    st.markdown("  \n".join(sentences(bank.counts(preset))).replace(" %", "\u00a0%"))
    st.caption(LIKELY)
    changed_table("amiss", bank, wrong_outcomes(bank, preset), using, "", "Now")
    if lines := refusal_lines(refusals(bank, preset)):
        head = ["| Refused because | Wrongly refused | Rightly refused | Of all refusals |", "|---|---:|---:|---:|"]
        st.markdown("\n".join(head + lines))
    else:
        st.caption("Nothing is refused under these limits.")


def refusal_lines(reasons: Mapping[str, tuple[int, int]]) -> list[str]:
    """A Markdown table row for each reason that occurs, the most frequent first.

    reasons: for each reason, (refusals of cases that should be answered, refusals of other cases).
    """
    known_reasons = {name: pair for name, pair in reasons.items() if name in REASONS}
    n = sum(map(sum, known_reasons.values()))
    lines = []
    for name, (due, others) in sorted(known_reasons.items(), key=lambda item: -sum(item[1])):
        rate = Rate(count=due + others, n=n)
        lines.append(
            f"| {plain(REASONS[name].sentence.rstrip('.'))} :gray[({plain(name)})] | {due} | {others} "
            f"| {rate.count} ({share(rate)}) |"
        )
    return lines


def _limit(open_set: OpenSet, preset: Preset, *_: object) -> None:
    key = _limit_choice("Limit", TUNE.curve.key)
    scores = spread(open_set.bank, preset, check_of(key), key.partition(".")[2])
    if scores is None:
        st.caption("This check decides no case of this set, so it has no scores to draw.")
    else:
        picture(scores_picture(scores))


def _pair(open_set: OpenSet, preset: Preset, *_: object) -> None:
    key = _limit_choice("First limit", TUNE.curve.key)
    other = _limit_choice("Second limit", "other threshold", without=key)
    with st.spinner("Trying every pair of values …"):
        costs = heat(open_set.bank, preset, key, other)
    current = values(preset)
    picture(heat_picture(costs, TUNE.cost.value, (current[key], current[other])))


def _limit_choice(title: str, widget_key: str, without: str = "") -> str:
    keys = [key for key in all_thresholds() if key != without]
    return st.selectbox(title, keys, key=widget_key, width=420, format_func=lambda key: label(all_thresholds()[key]))


def _calibration(open_set: OpenSet, *_: object) -> None:
    bank: OpenBank = open_set.bank
    picture(reliability_picture(bank.cached("reliability", lambda: of_confidence(bank))))


VIEWS: Mapping[str, Callable[[OpenSet, Preset, Using], None]] = {
    "Wrong outcomes": _wrong,
    "Which checks matter": lambda opened, preset, _: picture(checks_picture(decided_alone(opened.bank, preset))),
    "Scores at a limit": _limit,
    "Pair of limits": _pair,
    "Calibration": _calibration,
    "Every question": lambda opened, preset, using: question_results(opened.bank, preset, using),
    "Proposal": lambda opened, preset, _: proposals(opened.bank, preset),
    "Report": _report,
}
"""The views by name. Each draws one thing about (the open set, the current limits, the models in use)."""
