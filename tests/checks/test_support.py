"""Right answers in other words go out, altered ones do not, and marks are put right: with the models that ship."""

import pytest

from core.graph.startup import open_explorer
from core.presets import preset
from core.question import Context, Question

DEFAULT, SEED_A = preset("default"), preset("seed_a")
pytestmark = pytest.mark.models

SPECTACLES = (
    "Long-sightedness is also called hypermetropia. It is mended with spectacles that hold a convex lens of suitable "
    "power, which brings the rays together sooner.",
    "The eye lens is held by the ciliary muscles. They change its focal length.",
    "Short-sightedness is also called myopia. It is mended with spectacles that hold a concave lens of suitable power.",
)
VOICE = (
    "People make sounds with the voice box, which is also called the larynx.",
    "When we speak, the vibration of the vocal cords produces the sound. The cords are stretched across the larynx.",
    "A guitar makes sound with its strings, and a drum with its skin.",
)
FOODS = (
    "Large companies from abroad often buy local ones. Cargill Foods, a very large American company, has bought over "
    "smaller Indian companies such as Parakh Foods.",
    "Parakh Foods had built a wide network for its sales in many parts of India, and its name was well known.",
)
HORMONES = (
    "Auxins are made at the tips of stems and roots and help cells grow longer.",
    "Cytokinins are synthesised in regions where rapid cell division takes place, such as root tips and young fruits.",
    "Ethylene is a gas that ripens fruits.",
)
VACUUM = (
    "Sound cannot travel through a vacuum. It needs a material through which it can pass.",
    "Light needs no material at all and can travel even through a vacuum, which is why we see the stars.",
)
BRIDGES = (
    "The stone bridge of the town was built in 1880, when the river was the border.",
    "The steel bridge of the town was built in 1931 to carry the railway.",
)
DRAFTS = {
    "another passage than it cites, a lens": (
        "How is hypermetropia corrected?", SPECTACLES,
        "Hypermetropia is corrected by using a convex lens of suitable power. [3]", "[3] became [1]",
    ),
    "another passage than it cites, a voice": (
        "How do humans produce sound?", VOICE,
        "Humans produce sound by the vibration of the vocal cords. [1]", "[1] became [2]",
    ),
    "passive voice": (
        "Who took over Parakh Foods?", FOODS, "Parakh Foods was taken over by the American company Cargill.", "",
    ),
    "other words": (
        "Where do plants make cytokinins?", HORMONES,
        "Plants make their cytokinins in places where cells are dividing fast.", "",
    ),
    "beside a sentence about another thing": (
        "Can light travel through a vacuum?", VACUUM, "Light can travel through a vacuum.", "",
    ),
    "two passages together": (
        "When were the two bridges of the town built?", BRIDGES,
        "The stone bridge was built in 1880 and the steel bridge in 1931 [1][2].", "",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def explorer(tmp_path_factory):
    return open_explorer(tmp_path_factory.mktemp("support"))


def asked(explorer, query, passages, answer, under=DEFAULT):
    question = Question(query=query, answer=answer, contexts=tuple(Context(text=text) for text in passages))
    return explorer.ask(question, under)[1]


@pytest.mark.parametrize(("query", "passages", "answer", "moved"), DRAFTS.values(), ids=DRAFTS)
def test_a_right_draft_goes_out_and_says_which_mark_was_put_right(explorer, query, passages, answer, moved):
    found = asked(explorer, query, passages, answer)
    assert found.route == "deliver", (found.checks["support"], found.failed, found.primary_reason)
    assert found.delivery.marks_put_right == (f"Citations corrected: {moved}." if moved else "")


SIBLINGS = {
    "synonyms": (
        "Why do desert plants have thick stems?",
        ("Plants of the desert have fleshy stems. In them they store water for the dry months.",),
        "Desert plants keep water in their thick stems for the dry season.",
        "Desert plants keep air in their thick stems for the dry season.",
    ),
    "active for passive": (
        "Who drew the first map of the valley?",
        ("The first map of the valley was drawn by the surveyor Ama Lindqvist in 1854.",),
        "The surveyor Ama Lindqvist drew the first map of the valley in 1854.",
        "The surveyor Ama Lindqvist drew the first map of the valley in 1845.",
    ),
    "other order": (
        "What happens to a candle under a glass?",
        ("When a burning candle is covered with a glass, it goes out, because the oxygen is used up.",),
        "Because its oxygen is used up, a burning candle goes out under a glass.",
        "Because its nitrogen is used up, a burning candle goes out under a glass.",
    ),
    "a short form": (
        "What does the sluice do?",
        ("The sluice is a gate of iron that can be raised to let the water of the canal run off into the meadows.",),
        "The sluice lets the canal's water run off into the meadows.",
        "The sluice keeps the canal's water from running off into the meadows.",
    ),
    "two clauses": (
        "What do the queen and the workers of a hive do?",
        ("In a hive the queen lays all the eggs. The workers gather nectar and look after the young.",),
        "The queen lays the eggs, while the workers gather nectar.",
        "The workers lay the eggs, while the queen gathers nectar.",
    ),
    "a number in words": (
        "How many gates does the fort have?",
        ("The fort has 12 gates, of which the northern one is the widest.",),
        "There are twelve gates in the fort.",
        "There are thirteen gates in the fort.",
    ),
    "an amount": (
        "Did the frost kill the olive trees?",
        ("Nearly all the olive trees of the island survived the frost of that winter.",),
        "Almost every olive tree of the island lived through that winter's frost.",
        "Hardly any olive tree of the island lived through that winter's frost.",
    ),
    "a direction": (
        "Which way does the wind blow at night on the coast?",
        ("At night the land cools faster than the sea, and the breeze blows from the land towards the sea.",),
        "At night the breeze goes from the land to the sea.",
        "At night the breeze goes from the sea to the land.",
    ),
    "a cause": (
        "Why did the mill stop?",
        ("The mill stopped because the river had run dry after three summers without rain.",),
        "The mill came to a stop because the river ran dry.",
        "The mill came to a stop because the miller ran away.",
    ),
    "a denial": (
        "Are the fruits of the yew good to eat?",
        ("The seeds of the yew are poisonous and must never be eaten.",),
        "One must not eat the seeds of the yew, for they are poisonous.",
        "One may eat the seeds of the yew, for they are not poisonous.",
    ),
    "a day": (
        "When is the market held?",
        ("The market of the town is held on every Thursday, from sunrise until noon.",),
        "The town holds its market on Thursdays.",
        "The town holds its market on Tuesdays.",
    ),
}  # fmt: skip
BESIDE = (
    "The town lies on a hill above the river and had a wall of its own.",
    "Birds of many kinds rest in the reeds on their way to the south.",
)
"""Passages that say nothing of any of these."""


@pytest.mark.parametrize(("query", "passages", "right", "altered"), SIBLINGS.values(), ids=SIBLINGS)
def test_the_books_bear_out_what_is_right_in_other_words_and_not_what_is_altered(
    explorer, query, passages, right, altered
):
    good, bad = (asked(explorer, query, (*passages, *BESIDE), answer).checks["support"] for answer in (right, altered))
    assert good.state == "passed" and bad.state == "failed" and good.value > bad.value


AIR = "The speed of sound in air at room temperature is about 340 metres per second."
WATER = "In water sound travels at about 1,480 metres per second."
STEEL = "In steel it travels at about 5,100 metres per second."
IN_WATER = "How fast does sound travel in water?"


@pytest.mark.parametrize(
    "answer",
    ["The speed of sound in water is about 5100 metres per second.", "Sound moves through water at 5,100 m/s."],
)
@pytest.mark.parametrize(
    ("passages", "instead"),
    [((AIR, f"{WATER} {STEEL}"), WATER), ((f"{AIR} Sound also travels through water, where whales hear it.",), "")],
    ids=["the book has it", "the book has another"],
)
def test_a_speed_in_water_is_not_refuted_by_the_speed_in_air(explorer, passages, instead, answer):
    found = asked(explorer, IN_WATER, passages, answer)
    (told,) = found.sentences
    assert (told.state, told.instead) == ("fails", instead)
    assert told.instead_passage == (2 if instead else 0) and found.answered == bool(instead)


@pytest.mark.parametrize(("mark", "told"), [("[9]", "Citations corrected: [9] became [2]."), ("[2]", "")])
def test_a_mark_that_leads_nowhere_is_put_right_where_a_passage_says_the_sentence_and_a_right_one_stays(
    explorer, mark, told
):
    query, passages, answer, _ = DRAFTS["another passage than it cites, a voice"]
    found = asked(explorer, query, passages, answer.replace("[1]", mark))
    assert found.route == "deliver" and found.delivery.marks_put_right == told
    assert "[2]" in found.answer and "[9]" not in found.answer


def test_a_mark_that_leads_nowhere_stays_wrong_where_no_passage_says_the_sentence(explorer):
    query, passages, _, _ = DRAFTS["another passage than it cites, a voice"]
    found = asked(explorer, query, passages, "Humans produce sound by rubbing their teeth together. [9]")
    assert found.checks["citations"].state == "failed" and found.route != "deliver"


def test_in_the_preset_of_seed_a_such_a_mark_is_invalid_as_printed(explorer):
    query, passages, answer, _ = DRAFTS["another passage than it cites, a voice"]
    found = asked(explorer, query, passages, answer.replace("[1]", "[9]"), SEED_A)
    assert found.primary_reason == "invalid_citations" and not found.answered


def test_what_the_book_says_is_shown_of_what_decided(explorer):
    query, passages, answer, _ = DRAFTS["another passage than it cites, a voice"]
    found = asked(explorer, query, passages, answer)
    said = "When we speak, the vibration of the vocal cords produces the sound."
    assert found.sentences[0].source == said and said.rstrip(".") in found.checks["support"].why
