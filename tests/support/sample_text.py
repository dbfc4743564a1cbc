"""The sample chapters as passages, straight from their plain text: what the library holds, without a PDF."""

from functools import cache

from core.case import Passage
from core.library.library import SAMPLE
from core.retrieval.library_words import LibraryVocabulary
from core.text.sentences import sentences


@cache
def sample_holdings():
    """The vocabulary of a library that holds all sample chapters."""
    return LibraryVocabulary(passage for path in sorted(SAMPLE.glob("*.txt")) for passage in _passages(path))


def _passages(path):
    """A passage for each paragraph; marks of the source such as "##" stay, they are no words."""
    section = ""
    for n, block in enumerate(path.read_text("utf-8").split("\n\n")):
        section = block.strip("# \n") if block.startswith("#") else section
        sentences_ = tuple(sentences(block))
        yield Passage(
            id=f"{path.stem}:{n}",
            sentences=sentences_,
            pages=(1,) * len(sentences_),
            document=path.stem,
            section=section,
        )
