"""Builds the sample library from the sources beside it: python data/sample/build.py.

Every chapter.txt becomes chapter.pdf, and library.json lists them. The format of a source:

    # Chapter title
    = class 10 | Mathematics | chapter 5 | columns 1
    ## 5.1 Numbered heading
    ### Sub-heading
    A paragraph is one line, with subscripts a~n~ and superscripts n^2^.
    - a bullet point
    [formula] a~n~ = a + (n - 1)d    (5.1)
    [activity] Activity 5.1 Title       likewise [note] and [example]; then paragraphs, bullets, formulas; then [end]
    [table] Table 5.1: caption          then rows such as: cell | cell, the first of them the header row; then [end]
    [figure] Fig. 5.1: caption          then one line, flow: a -> b or bars: a=1, b=2 | unit
                                        or plot: 0,0; 1,5 | across | up; then [end]
    [exercises] Exercises               then lines such as: 1. Question? and: (a) option (b) option; then [end]

The same source gives the same bytes.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a file, Python looks beside it only

from data.sample.pages import Pages
from data.sample.source import Chapter, SourceError, read

HERE = Path(__file__).resolve().parent


def build(source: str) -> bytes:
    """The PDF of one source. Raises SourceError, which names the line, for what cannot be set."""
    return Pages(read(source)).make()


def build_folder(folder: Path) -> None:
    """Every source of `folder` as a PDF beside it, and library.json; nothing is written when one is wrong."""
    files: dict[Path, bytes] = {}
    entries = []
    for path in sorted(folder.glob("*.txt")):
        pdf = path.with_suffix(".pdf")
        try:
            chapter = read(path.read_text("utf-8"))
            files[pdf] = Pages(chapter).make()
        except SourceError as error:
            raise SourceError(f"{path.name}: {error}") from None
        entries.append(json.dumps(entry(pdf.name, chapter), ensure_ascii=False))
    files[folder / "library.json"] = ("[\n " + ",\n ".join(entries) + "\n]\n").encode()
    for path, data in files.items():
        path.write_bytes(data)


def entry(file: str, chapter: Chapter) -> dict[str, str | int]:
    """What the library is told about a chapter."""
    return {
        "file": file, "class_number": chapter.class_number, "subject": chapter.subject, "chapter": chapter.number,
    }  # fmt: skip


if __name__ == "__main__":
    try:
        build_folder(HERE)
    except SourceError as error:
        sys.exit(str(error))
