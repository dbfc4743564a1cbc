"""Several files at once: two different ones of one name would push each other out."""

from collections.abc import Callable, Sequence

from core.library.documents import file_digest
from core.library.file_names import safe_name


def clashes(names: Sequence[str], bytes_of: Callable[[int], bytes]) -> dict[int, str]:
    """For each file that must not be added with the others: its place among `names`, and the sentence that says why.

    The first file of a name is added, and so is the same file again. Only files whose names meet are read.
    """
    places: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        places.setdefault(safe_name(name).casefold(), []).append(place)
    found = {}
    for first, *others in (p for p in places.values() if len(p) > 1):
        kept = file_digest(bytes_of(first))
        found |= {place: _sentence(names[place]) for place in others if file_digest(bytes_of(place)) != kept}
    return found


def _sentence(name: str) -> str:
    return (
        f"{safe_name(name)} comes twice in this batch with different content, and only the first one is added; "
        "rename the other one and add it again."
    )
