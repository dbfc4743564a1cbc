"""The upload of PDFs: the drop area, which is the whole page, and one progress line for each file."""

from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from core.banks.row import CLASSES
from core.library import LIMITS, in_brackets, safe_name
from core.platform.jobs import Wait, in_line
from core.platform.quotas import QuotaError
from core.presentation.library_rows import loss_texts
from core.words import count_of
from pages.components.library.ingest_jobs import Intake, Upload, shared_intake
from pages.components.shared.page_picture import open_document
from pages.components.shared.progress import line, share, stoppable
from pages.components.shared.safe_display import plain
from pages.components.shared.session import LIBRARY, VISIT

_FILE = Path(__file__).with_name("drop_anywhere.js")
_drop_anywhere = st.components.v2.component(
    "guardrail.drop_anywhere",
    js=_FILE.read_text("utf-8"),
    css=_FILE.with_suffix(".css").read_text("utf-8"),
    isolate_styles=False,
)
"""Makes the whole page a drop area for its only upload box. It reports files that are too large, since the upload box
rejects them without a reason."""


FROM_NAME = "from the file name"
POLL_SECONDS = 1.0
"""Seconds between two redraws while files are read."""
MAX_LINES = 8
"""Maximum lines that are shown without a scrolling box."""
STATE_TEXTS = {
    "added": ("green", ":material/check_circle:"),
    "held": ("gray", ":material/check_circle:"),
    "refused": ("red", ":material/cancel:"),
    "stopped": ("gray", ":material/stop_circle:"),
}
"""Colour and icon of each final state of a file."""


def upload(library: Any) -> None:
    """Draw the upload box for PDFs; dropped files are ingested at once."""
    box, class_, subject = st.columns([6, 2, 2], gap="small")
    with box:
        st.file_uploader(
            "Drop PDFs anywhere on this page, or choose them here", accept_multiple_files=True, key=LIBRARY.files.key,
            on_change=_ingest_dropped, args=(library,), max_upload_size=int(LIMITS.megabytes),
            help="Chapters with text in them. Adding the same file twice changes nothing. A changed file replaces the "
            "old file with the same name, class and subject; a file of another class is kept beside it.",
        )  # fmt: skip
        _drop_anywhere(
            key=LIBRARY.drop_area.key, data={"most": int(LIMITS.megabytes) * 2**20},
            on_too_large_change=partial(_refuse_too_large, library),
        )  # fmt: skip
    with class_:
        st.selectbox("Class", CLASSES, index=None, placeholder=FROM_NAME, key=LIBRARY.upload_class.key)
    with subject:
        st.text_input("Subject", placeholder=FROM_NAME, key=LIBRARY.upload_subject.key)


def _ingest_dropped(library: Any) -> None:
    """Queue the dropped files that the quota allows; a callback."""
    files, intake = [], _intake(library)
    for file in LIBRARY.files.value:
        try:
            VISIT.usage.value.take(files=1, megabytes=file.size / 1e6)
            files.append((file.name, file.getvalue()))
        except QuotaError as error:
            LIBRARY.uploads.value.append(intake.refuse(file.name, f"{safe_name(file.name)}: {error}"))
    details = {"class_number": LIBRARY.upload_class.value, "subject": LIBRARY.upload_subject.value.strip() or None}
    LIBRARY.uploads.value.extend(intake.add(library, files, **details))
    LIBRARY.files.renew()


def _refuse_too_large(library: Any) -> None:
    """Record those dropped files as refused that are too large to be uploaded; a callback."""
    for file in LIBRARY.drop_area.value.get("too_large") or ():
        size = f"{file['size'] / 1e6:.1f} MB"
        sentence = f"{safe_name(file['name'])} has {size}, at most {LIMITS.megabytes:g} are read; add it in parts."
        LIBRARY.uploads.value.append(_intake(library).refuse(file["name"], sentence))


def upload_lines(library: Any) -> None:
    """Draw a line for each file of this user, and for each that other users are still adding."""
    intake = _intake(library)
    numbers = LIBRARY.uploads.value
    numbers.extend(u.number for u in intake.uploads() if not u.ended and u.number not in numbers)
    if numbers:
        busy = intake.busy
        st.fragment(_lines, run_every=POLL_SECONDS if busy else None)(library, library.version, busy)


def _lines(library: Any, version: str, busy: bool) -> None:
    """Draw the lines of the files; a fragment that repeats while files are read.

    version: the library's version in the last full run. busy: True if files were being read in that run. If either has
    changed since, the whole page is rerun.
    """
    intake = _intake(library)
    uploads = [u for u in intake.uploads() if u.number in LIBRARY.uploads.value]
    documents = {d.id for d in library.documents()}
    with st.container(key="uploads", height=360 if len(uploads) > MAX_LINES else "content", gap="xsmall"):
        for upload in uploads:
            _line(upload, intake, documents)
    active = [u.number for u in uploads if not u.ended]
    if len(active) > 1:
        st.button("Stop all", key="stop all", icon=":material/stop_circle:", on_click=intake.stop, args=active)
    elif uploads and not active:
        st.button("Dismiss", key="clear", type="tertiary", on_click=LIBRARY.uploads.clear)
    if library.version != version or intake.busy != busy:
        st.rerun()


def _line(upload: Upload, intake: Intake, documents: set[str]) -> None:
    """Draw a file: its progress with a Stop button, or its outcome. documents: ids in the library."""
    if not upload.ended:
        stoppable(
            share(upload.progress) if upload.progress else 0.0, _status(upload, intake.wait(upload)),
            f"stop {upload.number}", partial(intake.stop, upload.number), is_stopping=upload.stopping.is_set(),
            help=plain(f"Stop {upload.name}; nothing of it is kept"),
        )  # fmt: skip
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        colour, icon = STATE_TEXTS[upload.state]
        if upload.outcome and upload.outcome.document.losses:
            colour, icon = "orange", ":material/warning:"
        st.markdown(f":{colour}[{icon}] {plain(outcome_text(upload))}", width="stretch")
        if upload.outcome and upload.outcome.document.id in documents and st.button(
            "Open", key=f"open {upload.number}", icon=":material/menu_book:", type="tertiary",
            on_click=open_document, args=(upload.outcome.document.id,),
        ):  # fmt: skip
            st.rerun()  # the whole page, not only the fragment with the lines


def _status(upload: Upload, wait: Wait | None) -> str:
    if upload.stopping.is_set():
        return f"{upload.name}: stopping …"
    if upload.progress:
        return line(upload.progress)
    return f"{upload.name}: {in_line(wait)}" if wait else f"{upload.name}: opening the file"


def outcome_text(upload: Upload) -> str:
    """A text on the outcome of a file that has ended, and on what of the file was not read."""
    if not upload.outcome:
        return upload.sentence
    document = upload.outcome.document
    if upload.state == "held":
        alias = "" if document.name == upload.name else f" as {document.name}"
        text = f"{upload.name} is in the library already{alias}; nothing was added."
        return " ".join([text, *loss_texts(document)])
    size = f"{count_of(document.pages, 'page')}, {count_of(document.passages, 'passage')}"
    old = upload.outcome.replaced
    result = f"replaced the old file{in_brackets(old)}" if old else "was added"
    return " ".join([f"{document.name} {result}: {size}.", *loss_texts(document)])


def _intake(library: Any) -> Intake:
    return shared_intake(str(library.home))
