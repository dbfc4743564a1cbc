"""PDFs on their way into the library: dropped anywhere on the page, and one line a file."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from core.library import LIMITS, in_brackets, safe_name
from core.platform.jobs import Wait, in_line
from core.platform.quotas import QuotaError
from pages.components.library.ingest_jobs import Intake, Upload, shared_intake
from pages.components.library.page_reader import not_read, open_document
from pages.components.shared.progress import line, share
from pages.components.shared.safe_display import counted, plain
from pages.components.shared.session import fresh, notes, renew, usage, value

KEY = "drop_anywhere"
_FILE = Path(__file__).with_name("drop_anywhere.js")
_component = st.components.v2.component(
    "guardrail.drop_anywhere",
    js=_FILE.read_text("utf-8"),
    css=_FILE.with_suffix(".css").read_text("utf-8"),
    isolate_styles=False,
)


def drop_anywhere(most: int, on_too_large: Callable[[], None]) -> None:
    """To be called once on a page that has one upload box. most: bytes; the box itself says little of larger files."""
    _component(key=KEY, data={"most": most}, on_too_large_change=on_too_large)


def too_large(state: Mapping[str, Any]) -> Sequence[tuple[str, int]]:
    """Name and bytes of the files that were just dropped and are too large, from the state of the component."""
    return [(str(file["name"]), int(file["size"])) for file in state.get("too_large") or ()]


FROM_NAME = "from the file name"
BOX = "upload"
POLLED = 1.0
"""Seconds between two looks at files that are being read."""
MANY = 8
"""More lines than these scroll in a box of their own."""
DRAWN = {
    "added": ("green", ":material/check_circle:"),
    "held": ("gray", ":material/check_circle:"),
    "refused": ("red", ":material/cancel:"),
    "stopped": ("gray", ":material/stop_circle:"),
}
"""Colour and shape of each way in which a file can end."""


def upload(library: Any) -> None:
    """The box for PDFs; what is dropped begins at once."""
    box, about = st.columns([3, 1], gap="medium")
    with box:
        st.file_uploader(
            "Drop PDFs anywhere on this page, or choose them here", accept_multiple_files=True, key=fresh(BOX),
            on_change=_dropped, args=(library,), max_upload_size=int(LIMITS.megabytes),
            help="Chapters with text in them. The same file twice adds nothing. A changed file replaces the old one of "
            "its name, class and subject; one of another class stays beside it.",
        )  # fmt: skip
        drop_anywhere(int(LIMITS.megabytes) * 2**20, lambda: _refused(library))
    with about:
        st.selectbox("Class of what you drop", range(1, 13), index=None, placeholder=FROM_NAME, key="upload class")
        st.text_input("Subject of what you drop", placeholder=FROM_NAME, key="upload subject")


def _dropped(library: Any) -> None:
    files, intake = [], _intake(library)
    for file in value(fresh(BOX)):
        try:
            usage().take(files=1, megabytes=file.size / 1e6)
            files.append((file.name, file.getvalue()))
        except QuotaError as error:
            notes("uploads").append(intake.refuse(file.name, f"{safe_name(file.name)}: {error}"))
    subject = value("upload subject").strip() or None
    notes("uploads").extend(intake.add(library, files, class_number=value("upload class"), subject=subject))
    renew(BOX)


def _refused(library: Any) -> None:
    """The files that are too large to be sent at all."""
    for name, size in too_large(value(KEY)):
        sentence = f"{safe_name(name)} has {size / 1e6:.1f} MB, at most {LIMITS.megabytes:g} are read; add it in parts."
        notes("uploads").append(_intake(library).refuse(name, sentence))


def upload_lines(library: Any) -> None:
    """How the files of this person come along, and those that anybody is still adding."""
    intake = _intake(library)
    mine = notes("uploads")
    mine.extend(u.number for u in intake.uploads() if not u.ended and u.number not in mine)
    if mine:
        busy = intake.busy
        st.fragment(_lines, run_every=POLLED if busy else None)(library, library.version, busy)


def _lines(library: Any, version: str, busy: bool) -> None:
    """Drawn again and again while files are read; the whole page follows when the library has changed."""
    intake = _intake(library)
    shown = [u for u in intake.uploads() if u.number in notes("uploads")]
    held = {d.id for d in library.documents()}
    with st.container(key="uploads", height=360 if len(shown) > MANY else "content", gap="xsmall"):
        for upload in shown:
            _line(upload, intake, held)
    _below(shown, intake)
    if library.version != version or intake.busy != busy:
        st.rerun()


def _line(upload: Upload, intake: Intake, held: set[str]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"file {upload.number}"):
        if not upload.ended:
            st.progress(
                share(upload.progress) if upload.progress else 0.0, text=plain(_under_way(upload, intake.wait(upload)))
            )
            st.button(
                "Stop", key=f"stop {upload.number}", icon=":material/stop_circle:", disabled=upload.stopping.is_set(),
                on_click=intake.stop, args=(upload.number,), help=plain(f"Stop {upload.name}; nothing of it is kept"),
            )  # fmt: skip
            return
        colour, icon = DRAWN[upload.state]
        if upload.outcome and upload.outcome.document.losses:
            colour, icon = "orange", ":material/warning:"
        st.markdown(f":{colour}[{icon}] {plain(said(upload))}", width="stretch")
        if upload.outcome and upload.outcome.document.id in held and st.button(
            "Open", key=f"open {upload.number}", icon=":material/menu_book:", type="tertiary",
            on_click=open_document, args=(upload.outcome.document.id,),
        ):  # fmt: skip
            st.rerun()  # the whole page, not these lines alone


def _below(shown: list[Upload], intake: Intake) -> None:
    """One button for all lines: stop what is under way, or put away what has ended."""
    under_way = [u.number for u in shown if not u.ended]
    if len(under_way) > 1:
        st.button("Stop all", key="stop all", icon=":material/stop_circle:", on_click=intake.stop, args=under_way)
    elif shown and not under_way:
        st.button("Clear these lines", key="clear", type="tertiary", on_click=notes("uploads").clear)


def _under_way(upload: Upload, wait: Wait | None) -> str:
    if upload.stopping.is_set():
        return f"{upload.name}: stopping …"
    if upload.progress:
        return line(upload.progress)
    return f"{upload.name}: {in_line(wait)}" if wait else f"{upload.name}: opening the file"


def said(upload: Upload) -> str:
    """What became of a file that has ended, and what of it was not read."""
    if not upload.outcome:
        return upload.sentence
    document = upload.outcome.document
    if upload.state == "held":
        other = "" if document.name == upload.name else f" as {document.name}"
        held = f"{upload.name} is in the library already{other}; nothing was added."
        return " ".join([held, *not_read(document)])
    size = f"{counted(document.pages, 'page')}, {counted(document.passages, 'passage')}"
    old = upload.outcome.replaced
    done = f"replaced the one of that name{in_brackets(old)}" if old else "was added"
    return " ".join([f"{document.name} {done}: {size}.", *not_read(document)])


def _intake(library: Any) -> Intake:
    return shared_intake(str(library.home))
