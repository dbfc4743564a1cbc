"""Letters that stand side by side become runs: what a person sees as one line of one text."""

from collections.abc import Iterable, Iterator, Sequence

from core.pdf.glyphs import Glyph

LOWERED = 0.85
"""Times the size of its neighbours: an index or a power is smaller."""
_JUMP, _SPACED_JUMP = 1.3, 2.0  # of the size: a wider gap ends a run, without a space in the file and with one
_SAME_LINE, _NEAR = 0.25, 0.6  # of the size: level, and the gap beside an index
_ALIKE = 0.92  # of the size of the other: what is smaller belongs to another text, or is an index
_LARGEST = 2.5  # times the size of its neighbour: a larger letter is an ornament
_OVER = 0.12  # of the size: a letter is printed at most this far from where it was printed before
_ROW = 5.0  # points: letters are looked for in rows of this height


def runs(letters: Iterable[Glyph]) -> list[list[Glyph]]:
    """The letters of each line from left to right, lines in the order of the file where nothing says otherwise."""
    return _merged(_once(list(_following(letters))))


def _following(letters: Iterable[Glyph]) -> Iterator[list[Glyph]]:
    """Letters that follow each other in the file and on the page."""
    run: list[Glyph] = []
    for letter in letters:
        if run and not _follows(run[-1], letter):
            yield run
            run = []
        run.append(letter)
    if run:
        yield run


def _follows(before: Glyph, after: Glyph) -> bool:
    size = max(before.size, after.size)
    gap = after.left - before.right
    level = abs(after.baseline - before.baseline)
    raised = min(before.size, after.size) < LOWERED * size and gap < _NEAR * size
    jump = _SPACED_JUMP if after.space else _JUMP
    if size > _LARGEST * min(before.size, after.size):
        return False
    return -0.5 * size < gap < jump * size and level < (0.6 if raised else _SAME_LINE) * size


def _once(runs: Sequence[list[Glyph]]) -> list[list[Glyph]]:
    """The same runs without letters printed over themselves to look bold; the longest run keeps its own."""
    seen: dict[tuple[str, int], list[Glyph]] = {}
    kept = {
        n: [g for g in runs[n] if _is_first(g, seen)] for n in sorted(range(len(runs)), key=lambda n: -len(runs[n]))
    }
    return [kept[n] for n in range(len(runs)) if kept[n]]


def _is_first(letter: Glyph, seen: dict[tuple[str, int], list[Glyph]]) -> bool:
    """Remember a letter; False when the same one stood there already, at most a small part of its size away."""
    row = round(letter.baseline / _ROW)
    near = [g for y in (row - 1, row, row + 1) for g in seen.get((letter.text, y), ())]
    if any(abs(g.left - letter.left) + abs(g.baseline - letter.baseline) < _OVER * letter.size for g in near):
        return False
    seen.setdefault((letter.text, row), []).append(letter)
    return True


def _merged(runs: list[list[Glyph]]) -> list[list[Glyph]]:
    """Runs that continue each other on the page though not in the file, as one."""
    found: list[list[Glyph]] = []
    for run in runs:
        home = next((other for other in reversed(found) if _touch(other, run)), None)
        if home is None:
            found.append(run)
        else:
            home[:] = sorted([*home, *run], key=lambda g: g.left)
    return found


def _touch(one: list[Glyph], other: list[Glyph]) -> bool:
    first, second = sorted((one, other), key=lambda run: run[0].left)
    before, after = _last(first), second[0]
    ratio = min(before.size, after.size) / max(before.size, after.size)
    if before.left >= after.left or LOWERED < ratio < _ALIKE:
        return False
    return _follows(before, after) or _follows(first[-1], after)


def _last(run: Sequence[Glyph]) -> Glyph:
    """The last letter of a run as if it stood on the run's own line: an index may end it."""
    size = max(g.size for g in run)
    return next(g for g in run if g.size > LOWERED * size)._replace(left=run[-1].left, right=run[-1].right)
