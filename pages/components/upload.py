"""PDFs on their way into the library: one line a file, and for each refused one its sentence."""

from typing import Any

import streamlit as st

from pages.components.errors import ERRORS
from pages.components.plain import plain
from pages.components.progress import progress_lines
from pages.components.session import end_upload, next_upload, notes

FROM_NAME = "from the file name"


def upload(library: Any) -> None:
    """The box for PDFs, what is said of them, and the button that adds them."""
    files = st.file_uploader(
        "Add PDFs", type="pdf", accept_multiple_files=True, key=f"upload {next_upload()}",
        help="Chapters of textbooks with text in them; the same file twice adds nothing.",
    )  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        class_number = st.selectbox("Class", [None, *range(1, 13)], format_func=_class, key="upload class", width=190)
        subject = st.text_input("Subject", placeholder=FROM_NAME, key="upload subject", width=240)
        pressed = st.button("Add to the library", type="primary", disabled=not files, icon=":material/add:")
    if pressed:
        _ingest(library, files, class_number, subject.strip() or None)
        end_upload()
        st.rerun()
    _report()


def _ingest(library: Any, files: list[Any], class_number: int | None, subject: str | None) -> None:
    outcomes = notes("uploaded")
    outcomes.clear()
    listen = progress_lines("Adding to the library")
    for file in files:
        try:
            outcome = library.ingest(
                file.getvalue(), file.name, class_number=class_number, subject=subject, progress=listen
            )
            outcomes.append((outcome.added, _said(outcome)))
        except ERRORS as error:
            outcomes.append((None, str(error)))


def _report() -> None:
    """What became of the files of the last upload."""
    shown = {True: st.success, False: st.info, None: st.error}
    for added, sentence in notes("uploaded"):
        shown[added](plain(sentence))


def _said(outcome: Any) -> str:
    document = outcome.document
    if not outcome.added:
        return f"{document.name} is in the library already; nothing was added."
    return f"{document.name} was added: {document.pages} pages, {document.passages} passages."


def _class(number: int | None) -> str:
    return FROM_NAME if number is None else str(number)
