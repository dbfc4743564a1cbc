"""The preset in the sidebar: select it, undo and reset moves; and what can be done with the current limits: save them,
link to them, keep them in a file, compare them."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from urllib.parse import urlencode

import streamlit as st

from core.errors import UserError
from core.platform.access import may
from core.platform.home import home_folder
from core.presentation.check_tiles import limit_words
from core.presets import (
    PARAMETER,
    Difference,
    PresetError,
    differences,
    display_name,
    link_text,
    preset,
    preset_text,
    presets,
    read_link,
)
from core.presets.files import limits_file, read_limits_file
from core.presets.saved import SavedPresets, named_preset
from core.thresholds import Preset
from core.words import count_of
from pages.components.shared.limits import (
    changed_limits,
    chosen_preset,
    current_preset,
    history,
    reset,
    select_preset,
    select_preset_next,
    step,
)  # fmt: skip
from pages.components.shared.safe_display import plain, show
from pages.components.shared.session import LIMITS


def preset_box() -> None:
    """Draw the choice of the preset; once a limit was moved, also how many limits differ from the preset, and buttons
    to undo, redo and reset. The shortcut is not Ctrl+Z, which would then no longer work in a text field."""
    with st.container():  # always present: an element that appears above the sliders would take the keyboard focus
        try:
            named_preset(LIMITS.preset.value, home_folder())
        except UserError as error:  # the selected saved preset cannot be read
            show(error)
    st.selectbox("Preset", preset_names(), **LIMITS.preset.kept, format_func=display_name, on_change=reset)
    moves, count = history(), len(changed_limits())
    with st.container(gap=None, key="preset buttons"):
        if not (count or moves.has(-1) or moves.has(1)):
            return
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f":blue[**{count_of(count, 'change')}**]" if count else "Preset unchanged", width="content")
            for name, by, shortcut in (("undo", -1, "Alt+Z"), ("redo", 1, "Alt+Shift+Z")):
                st.button(
                    name.capitalize(), key=name, icon=f":material/{name}:", type="tertiary", on_click=step, args=(by,),
                    disabled=not moves.has(by), shortcut=shortcut,
                )  # fmt: skip
            st.button(
                "Reset", key="reset all", icon=":material/restart_alt:", type="tertiary", on_click=reset,
                disabled=not count,
            )  # fmt: skip


@st.dialog("Limits", width="medium", icon=":material/tune:")
def limits_dialog() -> None:
    """Draw what can be done with the current limits: save them, link to them, keep them in a file, compare them."""
    drawn = {"Save": _save_tab} if may("presets") else {}
    drawn |= {"Link": link_box, "File": _file_tab, "Compare": _compare_tab}
    for draw, tab in zip(drawn.values(), st.tabs(list(drawn)), strict=True):
        with tab:
            draw()


def limits_button(place: str) -> None:
    """Draw the button that opens the dialog of the limits. place: where it stands, since a page may have several."""
    if st.button(
        "Limits", key=f"limits dialog {place}", icon=":material/bookmark_add:",
        help="Save, link, download or compare the current limits",
    ):  # fmt: skip
        limits_dialog()


def preset_names() -> list[str]:
    """The names of the presets that ship, then of the saved ones."""
    return [*presets(), *SavedPresets(home_folder()).names()]


def _save_tab() -> None:
    """Draw the form that saves the current limits, and below it the saved presets, each with a button that deletes it
    and asks for confirmation."""
    saved_presets = SavedPresets(home_folder())
    names = saved_presets.names()
    with st.form("save preset as", border=False):
        current = chosen_preset().name
        name = st.text_input("Name", value=current if current in names else "", max_chars=60)
        over = st.checkbox("Replace the preset of this name", disabled=not names, help="All other saved presets stay.")
        if st.form_submit_button("Save", type="primary"):
            _act(lambda: save(saved_presets, name.strip(), over=over))
    if names:
        st.markdown("**Saved presets**")
    for name in names:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(plain(name), width="stretch")
            with st.popover("Delete", icon=":material/delete:", type="tertiary"):
                if st.button(f"Delete {plain(name)} for good", key=f"delete preset {name}"):
                    _act(partial(saved_presets.delete, name))


def _act(action: Callable[[], object]) -> None:
    """Call `action`, and draw the page anew; if it raises a UserError, show that instead."""
    try:
        action()
    except UserError as error:
        show(error)
    else:
        st.rerun()


def save(saved_presets: SavedPresets, name: str, *, over: bool) -> None:
    """Save the current limits as the preset `name`, and select that preset in the next run.

    over: True if a preset of that name may be overwritten; otherwise PresetError is raised if the name is taken.
    """
    if not over and name in saved_presets.names():
        raise PresetError(f"The preset {name!r} exists already; tick the box to replace it, or take another name.")
    help_text = f"Saved on {time.strftime('%Y-%m-%d')} from {preset_text(chosen_preset(), len(changed_limits()))}."
    new = replace(current_preset(), name=name, help=help_text)
    saved_presets.save(new)
    select_preset_next(new)


def open_link() -> None:
    """Apply the preset of the link that opened the page, once; an unreadable link changes nothing and shows an error in
    the sidebar. Call it before anything is decided under the current limits.

    The link is removed from the address, so that the address does not contradict later moves.
    """
    error_area = st.sidebar.container()  # always present, for the reason in `preset_box`
    text = st.query_params.get(PARAMETER)
    if text is None:
        return
    del st.query_params[PARAMETER]
    try:
        link_preset = _find_saved(read_link(text))
    except UserError as error:
        with error_area:
            show(error)
        return
    select_preset(link_preset)
    base = presets().get(link_preset.name, link_preset)
    what = plain(preset_text(base, len(differences(base, link_preset))))
    st.toast(f"Opened from a link: {what}. Undo restores your previous limits.")


def _find_saved(link_preset: Preset) -> Preset:
    """The saved preset with the same limits and modes as `link_preset`; `link_preset` itself if there is none, or if it
    equals a preset that ships."""
    saved_presets = SavedPresets(home_folder())
    if differences(presets()[link_preset.name], link_preset):
        for name in saved_presets.names():
            try:
                if not differences(saved_presets.preset(name), link_preset):
                    return saved_presets.preset(name)
            except PresetError:  # an unreadable preset cannot equal it
                continue
    return link_preset


@st.dialog("Link", width="large", icon=":material/link:")
def link_dialog(parameters: Mapping[str, str]) -> None:
    """Draw the link that opens the app with the current limits. parameters: further ones, such as the question."""
    link_box(parameters)


def link_box(parameters: Mapping[str, str] = MappingProxyType({})) -> None:
    """Draw the link, and what opening it does. parameters: as in `link_dialog`."""
    current = current_preset()
    base = presets().get(current.name, preset("default"))
    what = plain(preset_text(base, len(differences(base, current))))
    st.markdown(f"This link holds **{what}**{' and the question' if parameters else ''}, and nothing else.")
    st.code(address(current, parameters), language=None, wrap_lines=True)


def address(current: Preset, parameters: Mapping[str, str] = MappingProxyType({})) -> str:
    """The address of this page with a link parameter that opens it with the limits of `current`."""
    page = (st.context.url or "").partition("?")[0].partition("#")[0]
    return f"{page}?{PARAMETER}={link_text(current)}{f'&{urlencode(parameters)}' if parameters else ''}"


def _file_tab() -> None:
    """Draw the downloads of the current limits, and the field that takes such a file."""
    current = current_preset()
    with st.container(horizontal=True, gap="small"):
        for kind in ("json", "yaml"):
            st.download_button(
                kind.upper(), limits_file(current, kind), f"limits.{kind}", f"application/{kind}", key=f"limits {kind}",
                icon=":material/download:", on_click="ignore",
            )  # fmt: skip
    st.file_uploader(
        "Load limits from a file", type=["json", "yaml", "yml"], key=LIMITS.file.key, on_change=_take_file,
        max_upload_size=1,
    )  # fmt: skip
    LIMITS.file_outcome.draw(once=True)


def _take_file() -> None:
    """Select the limits in the file that was dropped; a callback."""
    if upload := LIMITS.file.value:
        with LIMITS.file_outcome.catch():
            select_preset(read_limits_file(upload.getvalue()))
            LIMITS.file.renew()
            st.rerun()  # the whole page, not only the dialog; the sidebar shows the changes, and undoes them


def _compare_tab() -> None:
    """Draw what differs between a preset and the current limits."""
    names = preset_names()
    other = st.selectbox(
        "Current limits compared with", names, index=names.index(chosen_preset().name), format_func=display_name
    )
    try:
        st.markdown(comparison(differences(named_preset(other, home_folder()), current_preset()), display_name(other)))
    except UserError as error:
        show(error)


def comparison(changes: Sequence[Difference], title: str) -> str:
    """The limits and modes in which a preset, called `title`, and the current limits differ, as Markdown: in how many
    each of the two is the stricter one, and a table with a row for each."""
    title = plain(title)
    if not changes:
        return f"**{title} and the current limits are the same in every limit and every mode.**"
    stricter = [change.stricter for change in changes]
    first, second = stricter.count("first"), stricter.count("second")
    counts = f"{title} is stricter in {first}, the current limits are stricter in {second}"
    sides = {"first": title, "second": "Current limits", "neither": "neither"}
    rows = [f"| limit | {title} | Current limits | unit | stricter |", "|---|---|---|---|---|"]
    for change in changes:
        name, *cells = map(plain, limit_words(change.key, change.first, change.second))
        rows.append(f"| {' | '.join([f'{name} :gray[{plain(change.key)}]', *cells, sides[change.stricter]])} |")
    return "\n".join([f"**{count_of(len(changes), 'difference')}: {counts}.**\n", *rows])
