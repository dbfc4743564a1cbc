"""The outcomes of a bank: sentences, grid, curve, changed questions, refusals by reason, and one more picture."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import streamlit as st

from core.banks.scored_bank import Tally, ValuedBank
from core.chain import REASONS
from core.checks import all_thresholds
from core.evaluation.cases import LabelledCase
from core.evaluation.outcomes import Rate
from core.models.calibration import reliability_of
from core.models.profile import place_of, sources_of
from core.presets import values
from core.settings import Settings
from core.thresholds import Preset
from core.tuning.curves import heat, shares
from core.tuning.score_distributions import SCALES, Spread, of_confidence, rulers, stored
from pages.components.shared.figure import picture
from pages.components.shared.limits import current_preset, follow
from pages.components.shared.page_setup import let_in
from pages.components.shared.safe_display import counted, plain
from pages.components.shared.session import COST, CURVE, value
from pages.components.shared.sidebar import DECIDED, label
from pages.components.tune.changed_questions import View, changed_table, heading, share
from pages.components.tune.check_pictures import checks_picture, ruler_picture, scores_picture
from pages.components.tune.tradeoffs import curve_picture, heat_picture, reliability_picture


@st.fragment(key=DECIDED)
def decided(bank: ValuedBank, using: tuple[str, Settings], seen: Callable[[Preset, str], View]) -> None:
    """Draw everything that limits decide about a bank; this fragment runs alone when a limit moves.

    seen: returns the view of the bank under a preset, with the curve of the threshold of this key.
    """
    let_in()
    follow(CURVE)  # the curve belongs to the slider that moved last, unless the user chose another since
    preset, key = current_preset(), value(CURVE)
    view = seen(preset, key)
    top(bank.cases, view, using)
    pictures(bank, preset, key, view.spread, using[0])


def top(cases: Sequence[LabelledCase], view: View, using: tuple[str, Settings]) -> None:
    """Draw the counts, the grid, the curve, the changed questions and the refusals."""
    counts_column, curve_column = st.columns([5, 6], gap="medium")
    with counts_column:
        counts(view.now, view.before, view.unmeasured)
    with curve_column:
        st.selectbox(
            "Curve of", list(all_thresholds()), key=CURVE, format_func=lambda key: label(all_thresholds()[key]),
            help="It follows the slider that you moved last",
        )  # fmt: skip
        picture(curve_picture(view.curve, float(value(view.curve.key))))
    st.subheader(heading(view.changes), anchor=False)
    if not view.changes:
        st.caption("Move a slider, or a check's mode: the questions whose outcome changes appear here.")
    changed_table("changed", cases, view.changes, using, "Under the preset", "Now")
    if view.amiss and (box := _open_expander(counted(len(view.amiss), "wrong outcome"), "rule", "amiss")):
        with box:
            changed_table("amiss", cases, view.amiss, using, "", "Now")
    if box := _open_expander("Refusals by reason", "list", "refusals"):
        with box:
            refusals(view.inside, view.outside)


def _open_expander(title: str, icon: str, key: str) -> Any:
    """Draw an expander; return it if it is open, else None, since closed content is neither drawn nor sent."""
    box = st.expander(title, icon=f":material/{icon}:", key=key, on_change="rerun")
    return box if box.open else None


ROWS = ("should be answered", "should not")
COLUMNS = ("Question", "answered", "refused or sent for clarification", "not measured yet")
_SIGNS = "✓ right, ✗ wrong, ○ not known; in brackets the change from the preset."


def counts(now: Tally, before: Tally, unmeasured: tuple[int, int]) -> None:
    """Draw the sentences and the grid.

    before: the counts under the preset without moves. unmeasured: unmeasured cases in each row of the grid.
    """
    st.markdown("  \n".join(sentences(now)))
    cells = grid(now, before, unmeasured)
    lines = [COLUMNS, ["---"] * len(COLUMNS), *([name, *row] for name, row in zip(ROWS, cells, strict=True))]
    st.markdown("\n".join(f"| {' | '.join(line)} |" for line in lines))
    st.caption(_SIGNS)


def sentences(t: Tally) -> list[str]:
    """The outcomes in words as Markdown, each share with its n and its 95 % interval."""
    lines = []
    if t.due:
        fair_text = f", **{t.fair}** in part or at length" if t.fair else ""
        lines.append(
            f"Of **{t.due}** that should be answered: **{t.right}** right{fair_text}, **{t.wrong}** wrong "
            f"({share(Rate(count=t.wrong, n=t.due))}), **{t.over_refused}** wrongly refused ({share(t.over_refusal)})."
        )
    if t.others:
        refused = t.held + t.fairly_held
        lines.append(
            f"Of **{t.others}** {'others' if t.due else 'that should not'}: **{refused}** refused or "
            "sent for clarification, "
            f"**{t.let_out}** answered ({share(Rate(count=t.let_out, n=t.others))})."
        )
    if t.unsaid:
        lines.append(
            f"{counted(t.unsaid, 'case')} not counted: these limits lead to a search that was never measured, the "
            "question could not be asked, or no label says what is right."
        )
    return lines or ["No case can be counted under these limits."]


def grid(now: Tally, before: Tally, unmeasured: tuple[int, int]) -> list[list[str]]:
    """The cells of the grid as Markdown, by rows: counts with a sign, and the change since the preset."""
    right, refused = now.right + now.fair, now.held + now.fairly_held
    return [
        [
            f":green[✓ {right}]{_since(right, before.right + before.fair)} "
            f":red[✗ {now.wrong}]{_since(now.wrong, before.wrong)}",
            f":red[✗ {now.over_refused}]{_since(now.over_refused, before.over_refused)}",
            f":gray[○ {unmeasured[0]}]",
        ],
        [
            f":red[✗ {now.let_out}]{_since(now.let_out, before.let_out)}",
            f":green[✓ {refused}]{_since(refused, before.held + before.fairly_held)}",
            f":gray[○ {unmeasured[1]}]",
        ],
    ]


def refusals(inside: Mapping[str, int], outside: Mapping[str, int]) -> None:
    """Draw the refusals by primary reason. inside: of cases that should be answered. outside: of the others."""
    lines = refusal_lines(inside, outside)
    if not lines:
        st.caption("Nothing is refused under these limits.")
        return
    head = ["| Refused because | Should be answered | Should not | Of all refusals |", "|---|---:|---:|---:|"]
    st.markdown("\n".join(head + lines))


def refusal_lines(inside: Mapping[str, int], outside: Mapping[str, int]) -> list[str]:
    """A Markdown table row for each reason that occurs, the most frequent first."""
    both = {name: inside.get(name, 0) + outside.get(name, 0) for name in REASONS}
    n = sum(both.values())
    lines = []
    for name in sorted((name for name in both if both[name]), key=lambda name: -both[name]):
        reason, rate = plain(REASONS[name].rstrip(".")), Rate(count=both[name], n=n)
        lines.append(
            f"| {reason} :gray[({plain(name)})] | {inside.get(name, 0)} | {outside.get(name, 0)} "
            f"| {both[name]} ({share(rate)}) |"
        )
    return lines


def _since(now: int, before: int) -> str:
    """The change since the preset as Markdown; "" without a change."""
    return f" :blue[({now - before:+d})]".replace("-", "−") if now != before else ""


PICTURES = {
    "scores": "Scores of this check", "heat": "Threshold pair", "ruler": "Score ranges",
    "checks": "Which checks matter",
    "confidence": "Is the confidence right?", "nli": "Are the labels right?",
}  # fmt: skip
"""The pictures to choose from, by key."""
_CONFIDENCE = "True is: the best passage holds what the question asks for."
_NLI = "Measured when the model was calibrated, on labelled sentences that it never saw."


def pictures(bank: ValuedBank, preset: Preset, key: str, spread: Spread | None, profile: str) -> None:
    """Draw the choice of a picture and the chosen picture. spread: the scores of the check; None without any."""
    selected = st.segmented_control(
        "More pictures", list(PICTURES), key="tune picture", default="scores", required=True,
        format_func=PICTURES.get, label_visibility="collapsed",
    )  # fmt: skip
    if selected == "scores" and spread is None:
        st.caption("This check decides no case of this set, so it has no scores to draw.")
    elif selected == "scores":
        picture(scores_picture(spread))
    elif selected == "heat":
        _heat(bank, preset, key)
    elif selected == "ruler":
        _ruler(bank, preset)
    elif selected == "checks":
        picture(checks_picture(shares(bank, preset)))
    elif selected == "confidence":
        reliability = bank.remembered("reliability", lambda: of_confidence(bank.cases))
        picture(reliability_picture("confidence", reliability, "The evidence confidence", _CONFIDENCE))
    else:
        _nli(profile)


def _heat(bank: ValuedBank, preset: Preset, key: str) -> None:
    others = [k for k in all_thresholds() if k != key]
    second_key = st.selectbox(
        "With the threshold", others, key="other threshold", width=340, format_func=lambda k: label(all_thresholds()[k])
    )
    with st.spinner("Deciding the set at every pair of values …"):
        costs = heat(bank, preset, key, second_key)
    current = values(preset)
    picture(heat_picture(costs, value(COST), (current[key], current[second_key])))


def _ruler(bank: ValuedBank, preset: Preset) -> None:
    scale = st.segmented_control(
        "Score", list(SCALES), key="ruler scale", default="cosine", required=True, format_func=SCALES.get
    )
    groups = bank.remembered(("ruler", scale), lambda: rulers(bank.cases, scale))
    if groups:
        picture(ruler_picture(groups, preset))
    else:
        st.caption("This set has no question without an answer to judge, so there are no score ranges to draw.")


def _nli(profile: str) -> None:
    stored_curves = _stored_curves(profile)
    if not stored_curves:
        st.caption("This NLI model comes without a calibration, so nobody has counted how often its labels are right.")
        return
    after, before = stored(stored_curves["after"]), stored(stored_curves.get("before", {}))
    score = "The probability of a sentence's label"
    picture(reliability_picture("nli_labels", after, score, _NLI, before if before.n else None))


@lru_cache(maxsize=8)
def _stored_curves(profile: str) -> dict[str, Any]:
    """The reliability curves stored with the NLI model of the profile, before and after calibration; empty without."""
    return reliability_of(Path(place_of(sources_of(profile).entailer)[0]))
