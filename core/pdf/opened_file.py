"""What pypdf tells of a file: password, page labels, layers, and what is added to its pages, such as form fields, notes
and lines that strike out text.

pdfium reads the letters, and knows nothing of these.
"""

import io
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import pypdf

_TELLING = re.compile(rb"/(?:Annots|OCProperties|PageLabels|ObjStm|Encrypt)|/\w*#[0-9A-Fa-f]{2}")
"""Names of what pypdf tells, of what may hide such a name, and a name that is spelt with codes."""
_NO_NOTE = ("/Link", "/Popup", "/Widget", "/FileAttachment")
"""Kinds of annotations whose text is no note: it describes where a link leads, or what a file is called."""
_HIDDEN = 2 | 32  # flags of an annotation: hidden, or not shown on a screen
_DEEPEST = 8  # fields within fields that are followed


class Annotations(NamedTuple):
    """What is added to a page. fields, notes: the texts in its form fields and in its notes. strikes: areas of text
    that is struck out (left, bottom, right, top in the file's plane).
    """

    fields: list[str]
    notes: list[str]
    strikes: list[tuple[float, float, float, float]]


@dataclass(frozen=True, kw_only=True)
class OpenedFile:
    """What a file says of itself. labels: the page labels, empty for none. layers: True if the file has layers, which
    may be switched off. known: False if pypdf cannot read the file, which pdfium still may.
    """

    labels: Sequence[str] = ()
    layers: bool = False
    known: bool = True
    pages: "Sequence[pypdf.PageObject]" = ()

    def label(self, index: int) -> str:
        return self.labels[index] if index < len(self.labels) else ""

    def annotations(self, index: int) -> Annotations:
        """What is added to a page, counted from 0, and shown on a screen."""
        try:
            references = self.pages[index].get("/Annots") or () if index < len(self.pages) else ()
            every = [reference.get_object() for reference in references]
            shown = [a for a in every if isinstance(a, dict) and not int(a.get("/F", 0)) & _HIDDEN]
            strikes = []
            for annotation in (a for a in shown if a.get("/Subtype") == "/StrikeOut"):
                corners = [float(number) for number in annotation.get("/QuadPoints", ())]
                for start in range(0, len(corners) - 7, 8):
                    across, up = corners[start : start + 8 : 2], corners[start + 1 : start + 8 : 2]
                    strikes.append((min(across), min(up), max(across), max(up)))
            return Annotations(
                fields=[text for a in shown if a.get("/Subtype") == "/Widget" and (text := _value(a).strip())],
                notes=[
                    text for a in shown
                    if a.get("/Subtype") not in _NO_NOTE and (text := str(a.get("/Contents") or "").strip())
                ],
                strikes=strikes,
            )  # fmt: skip
        except Exception:
            return Annotations([], [], [])


def opened_file(data: bytes) -> OpenedFile:
    """Open a PDF with pypdf. A file that it cannot open is not `known`; whether a password is missing, pdfium says.

    A file whose bytes name nothing that pypdf could tell is not opened, which saves a fifth of the time of a chapter.
    """
    if not _TELLING.search(data):
        return OpenedFile()
    import pypdf  # imported here: see above

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            return OpenedFile(known=False)
        catalog = reader.root_object
        return OpenedFile(
            labels=reader.page_labels if "/PageLabels" in catalog else (),
            layers="/OCProperties" in catalog,
            pages=reader.pages,
        )
    except Exception:
        return OpenedFile(known=False)


def _value(annotation: Any) -> str:
    """The text that is written in a form field; "" for a button and for an empty field."""
    for _ in range(_DEEPEST):
        value = annotation.get("/V")
        if value is not None and annotation.get("/FT") != "/Btn":
            return str(value) if isinstance(value, str) and not str(value).startswith("/") else ""
        if "/Parent" not in annotation:
            break
        annotation = annotation["/Parent"]
    return ""
