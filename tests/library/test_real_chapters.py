"""Six real chapters, which lie beside the project and never in it: single words, counts and order only."""

from functools import cache
from pathlib import Path

import pytest

from core.library import passages_of, read_pages
from core.text.words import words

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "ncert"
PAGES = {"hesc110": 15, "jemh105": 24, "jemh114": 16, "jesc101": 16, "jesc110": 10, "keph102": 14}
HEADS = {
    "hesc110": ("2024-25", "SCIENCE", "124"),
    "jemh105": ("Reprint", "MATHEMATICS", "PROGRESSIONS 5"),
    "jemh114": ("Reprint", "MATHEMATICS", "PROBABILITY 2"),
    "jesc101": ("Reprint", "Equations 3", "Equations 9"),
    "jesc110": ("Reprint", "World 16"),
    "keph102": ("Reprint", "PHYSICS", "LINE 1"),
}
WORDS = {
    "hesc110": ("larynx", "eardrum", "amplitude", "hertz", "decibel", "blind-folded", "magnificient"),
    "jemh105": ("spiral", "consecutive", "Gauss", "salary", "examples", "recorded", "₹"),
    "jemh114": ("Laplace", "complementary", "outcomes", "Probabilités", "empirical", "Bernoulli", "≤"),
    "jesc101": ("magnesium", "Rancidity", "exothermic", "displacement", "identity", "literature", "H2SO4", "→"),
    "jesc110": ("retina", "near-sightedness", "far-sightedness", "presbyopia", "Tyndall", "refraction", "∠"),
    "keph102": ("instantaneous", "Galileo", "acceleration", "position-time", "m s⁻¹", "arteries", "Δ"),
}
"""What a plain reading breaks, or writes in the letters of a symbol font."""
HALVES = {
    "hesc110": ("defec", "tive", "ociety", "agnificient", "entran", "verberates", "ard", "soundsound"),
    "jemh105": ("hich", "scho", "ecorded", "mples", "alary", "alre", "irst", "secon"),
    "jemh114": ("empi", "rical", "ttracted", "extensiv", "experimen", "probab", "ility", "utcomes"),
    "jesc101": ("ntity", "iterature", "bstance", "atmo", "ther", "equationstionstionstionstions"),
    "jesc110": ("ects", "refrac", "tion", "dispersi", "natur", "elative", "gth", "eople"),
    "keph102": ("arteri", "opposi", "celeration", "accel", "eration", "equatio", "spe", "ween"),
}
"""Halves of words that pypdf's text has and the mended text has not."""
TOGETHER = [
    ("hesc110", "quality", "loose"),  # over a page break
    ("jesc101", "manufacture", "cement"),
    ("jesc101", "dazzling", "powder"),
    ("jesc101", "Consider", "situations"),  # a large first letter
    ("jesc110", "iris", "cornea"),  # a caption in between
    ("keph102", "kinks", "differentiable"),  # bold
    ("keph102", "sixth", "column"),  # a page break, columns
    ("keph102", "coefficient", "respect"),  # a fraction
    ("jemh114", "Laplace", "greatest"),
]
"""Words of one sentence, with something between them on the page."""
ORDER = [
    ("jemh105", "salary", "rabbits", "infinite", "Gauss", "potato"),
    ("hesc110", "vibration", "larynx", "medium", "eardrum", "decibel"),
    ("keph102", "Automobiles", "Kinematics", "differential", "kinks", "stopping"),
    ("jesc101", "dazzling", "skeletal", "whitewashing", "precipitate", "Corrosion"),
    ("jesc110", "retina", "hypermetropia", "prism", "twinkling", "Tyndall"),
]
"""Words in the order in which the chapter first brings them, column by column."""

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the real chapters do not lie beside the project")


@cache
def pages_of(name):
    return read_pages((FOLDER / f"{name}.pdf").read_bytes(), f"{name}.pdf")


@cache
def cut_of(name):
    return passages_of(pages_of(name), document_id=name, document=f"{name}.pdf")


@cache
def sentences(name):
    return tuple(s for p in cut_of(name).passages for s in p.sentences)


def pairs(table):
    return [(name, each) for name, several in table.items() for each in several]


@pytest.mark.parametrize("name", PAGES)
def test_every_page_is_read(name):
    assert len(pages_of(name)) == PAGES[name] and all(len(page.raw) > 200 for page in pages_of(name))
    assert {page for p in cut_of(name).passages for page in p.pages} == set(range(1, PAGES[name] + 1))


@pytest.mark.parametrize(("name", "word"), pairs(WORDS))
def test_the_words_of_the_chapter_are_whole(name, word):
    assert any(word in sentence for sentence in sentences(name))


@pytest.mark.parametrize(("name", "half"), pairs(HALVES))
def test_no_half_of_a_word_is_left(name, half):
    assert not [s for s in sentences(name) if half in words(s)]


@pytest.mark.parametrize(("name", "head"), pairs(HEADS))
def test_no_running_head_is_left(name, head):
    assert head in "\n".join(page.raw for page in pages_of(name))
    assert not [s for s in sentences(name) if head in s]


@pytest.mark.parametrize(("name", "one", "other"), TOGETHER)
def test_a_sentence_is_whole_whatever_interrupts_it(name, one, other):
    assert any(one in s and other in s for s in sentences(name))


@pytest.mark.parametrize("spot", ORDER, ids=lambda spot: f"{spot[0]}-{spot[1]}")
def test_the_chapter_is_read_in_order(spot):
    name, *several = spot
    first = [next(n for n, s in enumerate(sentences(name)) if word in s) for word in several]
    assert first == sorted(first)


@pytest.mark.parametrize(("name", "count"), [("hesc110", 11), ("jesc101", 11), ("jesc110", 2)])
def test_every_activity_has_its_title_once(name, count):
    titles = [s for s in sentences(name) if s.startswith("Activity ") and len(s.split()) == 2]
    assert len(titles) == len(set(titles)) == count


@pytest.mark.parametrize(
    ("name", "least"), [("hesc110", 5), ("jemh105", 20), ("jemh114", 10), ("jesc101", 5), ("keph102", 8)]
)
def test_exercises_are_marked(name, least):
    asking = [p for p in cut_of(name).passages if p.kind == "exercise"]
    assert least <= len(asking) < len(cut_of(name).passages) / 2
    assert any("Exercise" in s or "EXERCISE" in s for p in asking for s in p.sentences)


@pytest.mark.parametrize("name", PAGES)
def test_sections_are_the_headings_of_the_chapter(name):
    found = list(dict.fromkeys(p.section for p in cut_of(name).passages if p.section))
    numbered = [s.split()[0] for s in found if s[0].isdigit()]
    assert len(numbered) >= 2 and numbered == sorted(numbered) and not [s for s in found if "=" in s]


@pytest.mark.parametrize("name", PAGES)
def test_no_passage_is_over_the_limit(name):
    over = [p for p in cut_of(name).passages if len(p.text.split()) > 90]
    assert all(len([s for s in p.sentences if s not in p.section]) == 1 for p in over)
    assert max(len(p.text.split()) for p in cut_of(name).passages) <= 214  # a piece of 200 words under its heading


@pytest.mark.parametrize("name", PAGES)
def test_every_sentence_has_its_place_on_its_page(name):
    cut = cut_of(name)
    for passage, places in zip(cut.passages, cut.rects, strict=True):
        assert [found[0][0] for found in places] == list(passage.pages)
        assert all(0 <= a <= 1 for found in places for place in found for a in place[1:])
        assert all(p[1] < p[3] and p[2] < p[4] for found in places for p in found)
