"""PDFs broken at random, always the same for a seed; `tests.library.attack` adds many of them to a library."""

import random
import re
from datetime import UTC, datetime
from functools import cache

from fpdf import FPDF
from PIL import Image

from core.library import LibraryError, Limits, read_pages
from tests.support.pdfs import rewritten

LIMITS = Limits(seconds=20, page_seconds=8, memory=512)
NAME = "mutant.pdf"
_STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)
_NUMBER = re.compile(rb"(?<![\w.])-?\d+(?![\w.])")
_REFERENCE = re.compile(rb"(\d+) 0 R")
_NAMES = re.compile(rb"/[A-Z][A-Za-z]+")
_STRANGE = (0, 1, -1, 3, 65536, 2**31 - 1, -(2**31), 2**32, 10**12)


@cache
def originals() -> tuple[bytes, ...]:
    """Sound PDFs: packed, unpacked, with a picture, an outline and links, locked with an empty password."""
    plain, packed = (_book(compress) for compress in (False, True))
    locked = rewritten(packed, lambda w: w.encrypt(user_password="", owner_password="o", algorithm="AES-128"))
    return plain, packed, plain, packed, locked


def _book(compress: bool) -> bytes:
    pdf = FPDF()
    pdf.set_creation_date(datetime(2026, 1, 1, tzinfo=UTC))
    pdf.set_compression(compress)
    for number in range(1, 6):
        pdf.add_page()
        pdf.set_font(("Helvetica", "Times", "Courier")[number % 3], size=11)
        pdf.start_section(f"{number} A section")
        pdf.multi_cell(0, 6, f"Page {number} speaks of light, of sound and of heat.\n" * 12)
        pdf.cell(text="back", link=pdf.add_link(page=1))
    pdf.image(Image.effect_noise((60, 60), 90), w=40)
    return bytes(pdf.output())


def mutant(seed: int) -> bytes:
    """A sound PDF after one to three injuries."""
    chance = random.Random(seed)
    return injured(chance.choice(originals()), chance)


def injured(data: bytes, chance: random.Random) -> bytes:
    """This PDF after one to three injuries."""
    for _ in range(chance.randint(1, 3)):
        data = chance.choice(INJURIES)(data, chance)
    return data


def flipped(data: bytes, chance: random.Random) -> bytes:
    """Some bytes are others."""
    changed = bytearray(data)
    for _ in range(chance.choice((1, 5, 50, 500))):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def cut(data: bytes, chance: random.Random) -> bytes:
    """The end is missing, and sometimes its mark was put back."""
    return data[: chance.randrange(10, len(data))] + chance.choice((b"", b"\n%%EOF\n"))


def gap(data: bytes, chance: random.Random) -> bytes:
    """A piece in the middle is missing, or there twice."""
    start = chance.randrange(len(data))
    piece = data[start : start + chance.randrange(1, 2000)]
    return data[:start] + chance.choice((b"", piece + piece)) + data[start + len(piece) :]


def streams(data: bytes, chance: random.Random) -> bytes:
    """Two streams have changed places."""
    found = list(_STREAM.finditer(data))
    if len(found) < 2:
        return data
    one, two = sorted(chance.sample(found, 2), key=lambda m: m.start())
    between = data[one.end(1) : two.start(1)]
    return data[: one.start(1)] + two[1] + between + one[1] + data[two.end(1) :]


def numbers(data: bytes, chance: random.Random) -> bytes:
    """A length, a place, a size or a count is another."""
    return _replaced(data, chance, _NUMBER, lambda _: str(chance.choice((*_STRANGE, chance.randrange(5000)))).encode())


def cycles(data: bytes, chance: random.Random) -> bytes:
    """References lead to other objects, and so sometimes back."""
    most = max((int(m[1]) for m in _REFERENCE.finditer(data)), default=1)
    return _replaced(data, chance, _REFERENCE, lambda _: b"%d 0 R" % chance.randint(1, most))


def names(data: bytes, chance: random.Random) -> bytes:
    """Keys and types are others."""
    known = sorted(set(_NAMES.findall(data))) or [b"/X"]
    return _replaced(data, chance, _NAMES, lambda _: chance.choice(known))


def _replaced(data: bytes, chance: random.Random, pattern: re.Pattern, new) -> bytes:
    found = list(pattern.finditer(data))
    for match in sorted(chance.sample(found, min(len(found), chance.choice((1, 3, 12)))), key=lambda m: -m.start()):
        data = data[: match.start()] + new(match) + data[match.end() :]
    return data


INJURIES = (flipped, cut, gap, streams, numbers, cycles, names)


def outcome(data: bytes) -> str:
    """ "read", or the sentence of the refusal. Anything else that is raised is a fault."""
    try:
        pages = read_pages(data, NAME, limits=LIMITS)
    except LibraryError as error:
        return str(error)
    assert pages and [p.number for p in pages] == list(range(1, len(pages) + 1))
    return "read"


def is_one_sentence(text: str) -> bool:
    """Does `text` name the file and say one thing, in one line?"""
    said = text.removeprefix(f"{NAME} ")
    return said != text and said.endswith(".") and not re.search(r"\n|[.!?]\s", said)
