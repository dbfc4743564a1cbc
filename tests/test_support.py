"""Right answers in other words go out, altered ones do not, and marks are put right: with the models that ship."""

import pytest

from core.chain.routing import SUPPORT
from core.presets import preset
from core.question import Context, Question
from core.startup import open_explorer

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
    assert found.route == "deliver", (found.checks[SUPPORT], found.failed, found.primary_reason)
    assert found.delivery.marks_put_right == (f"Citations put right: {moved}." if moved else "")
