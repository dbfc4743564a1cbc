"""The preset: picked, what was moved since and the ways back; saved, shared by a link, and compared."""

import time
from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from core.chain.display_rounding import threshold_value
from core.check import Check
from core.checks import all_thresholds
from core.graph.startup import home_folder
from core.platform.access import may
from core.presets import PARAMETER, Difference, differences, link_text, preset, presets, read_link, titled, told
from core.presets.saved import PresetError, SavedPresets, named_preset
from core.thresholds import Preset
from pages.components.shared.limits import (
    chosen_preset,
    current_preset,
    history,
    moved,
    put,
    put_next,
    redo,
    reset,
    undo,
)  # fmt: skip
from pages.components.shared.safe_display import ERRORS, counted, plain, show
from pages.components.shared.session import notes, value

WAYS_BACK = "ways back"
"""The part of the page with them, drawn again alone when `ways_changed`."""


def preset_box() -> None:
    """The preset, how many limits were moved since, and the ways back."""
    with st.container():  # always there: what comes and goes above the sliders would take the keyboard's focus
        open_link()
        try:
            named_preset(value("preset"), home_folder())
        except ERRORS as error:  # a saved one that was picked and cannot be read
            show(error)
    st.selectbox(
        "Preset", preset_names(), key="preset", format_func=titled, on_change=reset, help=plain(chosen_preset().help)
    )
    _ways_back()


def take_away() -> None:
    """What is done with limits as they stand: saved, shared, compared."""
    with st.container(horizontal=True, gap="small"):
        if may("presets") and st.button("Save", key="save preset", icon=":material/bookmark_add:", type="tertiary"):
            save_dialog()
        if st.button("Share", key="share preset", icon=":material/link:", type="tertiary"):
            share_dialog()
        if st.button("Compare", key="compare presets", icon=":material/compare_arrows:", type="tertiary"):
            compare_dialog()


def preset_names() -> list[str]:
    """The presets that ship, then the saved ones."""
    return [*presets(), *SavedPresets(home_folder()).names()]


def ways_changed() -> bool:
    """True where the ways back are no longer as they were drawn last."""
    return [_ways()] != notes(WAYS_BACK)


def _ways() -> tuple[int, bool, bool]:
    """How many limits were moved, and whether there is a step to undo and one to redo."""
    steps = history()
    return len(moved()), bool(steps.past), bool(steps.future)


@st.fragment(key=WAYS_BACK)
def _ways_back() -> None:
    """Undo, redo and reset. Their keys are not Ctrl+Z, which Streamlit would take from a text that is being typed."""
    count, past, future = _ways()
    notes(WAYS_BACK)[:] = [(count, past, future)]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f":blue[**{count} moved**] from the preset" if count else "As the preset has it", width="content")
        st.button(
            "Reset", key="reset all", icon=":material/restart_alt:", type="tertiary", on_click=reset,
            disabled=not count,
        )  # fmt: skip
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Undo", key="undo", icon=":material/undo:", type="tertiary", on_click=undo, disabled=not past,
            shortcut="Alt+Z",
        )  # fmt: skip
        st.button(
            "Redo", key="redo", icon=":material/redo:", type="tertiary", on_click=redo, disabled=not future,
            shortcut="Alt+Shift+Z",
        )  # fmt: skip


@st.dialog("Save these limits", icon=":material/bookmark_add:")
def save_dialog() -> None:
    saved = SavedPresets(home_folder())
    _form(saved)
    if names := saved.names():
        st.markdown("**Saved before**")
        for name in names:
            _saved_one(saved, name)


def _form(saved: SavedPresets) -> None:
    known = saved.names()
    with st.form("save preset as", border=False):
        name = st.text_input("Name", value=chosen_preset().name if chosen_preset().name in known else "", max_chars=60)
        over = st.checkbox("Replace the one of this name", disabled=not known, help="Else nothing saved is lost.")
        if st.form_submit_button("Save", type="primary"):
            try:
                save(saved, name.strip(), over=over)
            except ERRORS as error:
                show(error)
            else:
                st.rerun()


def save(saved: SavedPresets, name: str, *, over: bool) -> None:
    """Save everything as it stands as `name`, and pick it; PresetError when that name is taken and `over` is False."""
    if not over and name in saved.names():
        raise PresetError(f"A preset is saved as {name!r} already; tick the box to replace it, or take another name.")
    kept = replace(current_preset(), name=name, help=_help())
    saved.save(kept)
    put_next(kept)


def _help() -> str:
    return f"Saved on {time.strftime('%Y-%m-%d')} from {told(chosen_preset(), len(moved()))}."


def _saved_one(saved: SavedPresets, name: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(plain(name), width="stretch")
        with st.popover("Delete", icon=":material/delete:", type="tertiary"):
            if st.button(f"Delete {plain(name)} for good", key=f"delete preset {name}"):
                try:
                    saved.delete(name)
                except ERRORS as error:
                    show(error)
                else:
                    st.rerun()


def open_link() -> None:
    """Put everything where the link says by which the page was opened, once; nothing, and one sentence, if it cannot.

    The address loses its link, so that it does not go on saying what no longer is.
    """
    text = st.query_params.get(PARAMETER)
    if text is None:
        return
    del st.query_params[PARAMETER]
    try:
        wanted = _as_saved(read_link(text))
    except ERRORS as error:
        show(error)
        return
    put(wanted)
    base = presets().get(wanted.name, wanted)
    st.toast(f"Opened from a link: {plain(told(base, len(differences(base, wanted))))}. Undo takes it back.")


def _as_saved(wanted: Preset) -> Preset:
    """`wanted` under the name of the saved preset that is the same, if there is one here."""
    saved = SavedPresets(home_folder())
    if differences(presets()[wanted.name], wanted):
        for name in saved.names():
            try:
                if not differences(saved.preset(name), wanted):
                    return saved.preset(name)
            except PresetError:  # one that cannot be read is not the one that is meant
                continue
    return wanted


@st.dialog("Share these limits", width="large", icon=":material/link:")
def share_dialog() -> None:
    current = current_preset()
    base = presets().get(current.name, preset("default"))
    found = differences(base, current)
    st.markdown(f"Whoever opens this link gets **{plain(told(base, len(found)))}**; it holds nothing else of yours.")
    st.code(address(current), language=None, wrap_lines=True)
    if found:
        st.markdown(table(found, titled(base.name), "Shared"))


def address(current: Preset) -> str:
    """The address of this page with `current` in it."""
    page = (st.context.url or "").partition("?")[0].partition("#")[0]
    return f"{page}?{PARAMETER}={link_text(current)}"


NOW = "(now)"
"""In the lists, the preset with everything that was moved since; no preset can be called so."""


@st.dialog("Compare two presets", width="large", icon=":material/compare_arrows:")
def compare_dialog() -> None:
    names = [NOW, *preset_names()]
    with st.container(horizontal=True, gap="medium"):
        first = st.selectbox("This one", names, index=names.index(chosen_preset().name), format_func=_called)
        second = st.selectbox("and that one", names, index=0, format_func=_called)
    try:
        found = differences(_preset(first), _preset(second))
    except ERRORS as error:
        show(error)
        return
    st.markdown(f"**{plain(summary(found, _called(first), _called(second)))}**")
    if found:
        st.markdown(table(found, _called(first), _called(second)))


def summary(found: Sequence[Difference], first: str, second: str) -> str:
    """How much differs, and which one is stricter how often."""
    if not found:
        return f"{first} and {second} are the same in every limit and every mode."
    stricter = [side for side in (d.stricter for d in found) if side != "neither"]
    ways = [f"{name} is stricter in {stricter.count(side)}" for side, name in (("first", first), ("second", second))]
    return f"{counted(len(found), 'difference')}: {', '.join(ways)}."


def table(found: Sequence[Difference], first: str, second: str) -> str:
    """What differs as a table of Markdown, a row for each limit or mode."""
    head = f"| limit | {plain(first)} | {plain(second)} | unit | stricter |\n|---|---|---|---|---|"
    sides = {"first": plain(first), "second": plain(second), "neither": "neither"}
    return "\n".join([head, *(f"| {_row(d)} | {sides[d.stricter]} |" for d in found)])


def _row(d: Difference) -> str:
    threshold = all_thresholds().get(d.key)
    if threshold is None:
        words = f"Mode: {plain(Check.registry[d.check].plain)}"
        return f"{words} :gray[{plain(d.key)}] | {d.first} | {d.second} | mode"
    values = " | ".join(plain(threshold_value(threshold, value)) for value in (d.first, d.second))
    return f"{plain(threshold.label)} :gray[{plain(d.key)}] | {values} | {plain(threshold.unit)}"


def _called(name: str) -> str:
    return "As it stands now" if name == NOW else titled(name)


def _preset(name: str) -> Preset:
    return current_preset() if name == NOW else named_preset(name, home_folder())
