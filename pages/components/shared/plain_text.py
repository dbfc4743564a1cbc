"""Text from a PDF, a question or an answer, drawn as it stands."""

import re
from functools import lru_cache

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:^=&])")
_JOINER = "\u2060"
"""Takes no room and breaks what Streamlit replaces after reading Markdown: icons, emoji, arrows, addresses."""
_REPLACED = re.compile(r"[:@<>=~-](?=\S)|www(?=\.)", re.IGNORECASE)


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """`text` for a place that reads Markdown, so that it looks like `text` and means nothing else.

    White space is folded: a line of its own could begin a list or a block of code.
    """
    folded = " ".join(text.split())
    return _MARKDOWN.sub(r"\\\1", _REPLACED.sub(rf"\g<0>{_JOINER}", folded))


def shortened(text: str, most: int) -> str:
    """`text` in at most `most` characters; what is left out is shown by dots."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def counted(number: int, noun: str) -> str:
    """ "1 page", "2 pages"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
