"""Quotes, dashes, dots and ligatures of old encodings are mended; letters of other languages stay."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.library.passages import sentences_of
from core.pdf.text_cleaning import clean_page, decode_pages, readable
from tests.support.page_lines import page


def read(*texts):
    return [line.text for line in decode_pages([clean_page(page(*texts))])[0].lines]


MENDED = [
    ("Indiaís rivers are long.", "India’s rivers are long."),
    ("We donít know where they goÖ But we can see.", "We don’t know where they go… But we can see."),
    ("They call it ëslash and burní in the hills.", "They call it ‘slash and burn’ in the hills."),
    ("She said, ìThe sea is wide,î and left.", "She said, “The sea is wide,” and left."),
    ("It was built in 1914ñ18 by the town.", "It was built in 1914–18 by the town."),
    ("The farmerís field ó a small one ó is green.", "The farmer’s field — a small one — is green."),
    ("IndiaÕs rivers are long.", "India’s rivers are long."),
    ("He said, ÒThe sea is wide,Ó and left.", "He said, “The sea is wide,” and left."),
    ("It isnÕt far and soÉ they walk on.", "It isn’t far and so… they walk on."),
    ("The war of 1914Ð18 was long.", "The war of 1914–18 was long."),
    ("Indiaâ€™s rivers are â€œlongâ€\x9d.", "India’s rivers are “long”."),
    ("Their trafÏc is slow.", "Their traffic is slow."),
    ("The ofÏcer and his ofÏcials are sufÏciently kind.", "The officer and his officials are sufficiently kind."),
    ("They Þnd the Þeld near the river.", "They find the field near the river."),
    ("A ßower grows and a ßock of geese goes by.", "A flower grows and a flock of geese goes by."),
]


@pytest.mark.parametrize(("old", "new"), MENDED)
def test_signs_of_an_old_encoding_are_read(old, new):
    assert read(old) == [new]


@pytest.mark.parametrize(
    "text",
    [
        "Charlotte Brontë wrote a naïve tale in Curaçao.", "An Ångström is a small unit of length.",
        "In Österreich wohnen viele Leute und sie sprechen Deutsch.", "El niño dice que él tiene el corazón de oro.",
        "The café of Dalí is in the old town of Malmö.", "He met Señor Muñoz and José in Córdoba.",
        "The poet Faiz met García Márquez in Perú.", "Ö is a letter of the Swedish language.",
        "The Straße is a road and the Fuß is a foot.", "The value of Δt is 5 and Δx is 7.",
        "A jāgīr was a piece of land and the Bhagavad Gītā a book.", "La Piñata is full; el piñón is a seed.",
        "The École is a school in Île de France.", "CAFÉ and NAÏVE are words in capitals.",
        "The Þingvellir is a valley of Iceland.", "He is from São Tomé and she from Kraków.",
    ],
)  # fmt: skip
def test_letters_of_other_languages_stay(text):
    assert read(text) == [text]


def test_a_name_stays_beside_signs_that_are_mended():
    old = "Indiaís rivers, Brontë and Dalí, the childís toy, the cowís calf."
    assert read(old) == ["India’s rivers, Brontë and Dalí, the child’s toy, the cow’s calf."]


def test_a_foreign_document_stays_even_where_a_letter_stands_as_a_sign_does():
    text = "La casa de los niños está allí y el perro de la niña está aquí con él, por eso no van así."
    assert read(text) == [text]


def test_codes_of_windows_are_signs():
    assert readable("India\x92s \x93long\x94 rivers \x96 1914\x9618\x85") == "India’s “long” rivers – 1914–18…"


def test_a_book_is_mended_before_it_is_cut():
    assert [s.text for s in sentences_of([page("Indiaís rivers are long. Their trafÏc is slow.")])] == [
        "India’s rivers are long.", "Their traffic is slow.",
    ]  # fmt: skip


@given(st.text(alphabet="abc íëìîñóÖÕÒÓÐÑÉÔÏ.,1s", max_size=60))
def test_places_and_the_number_of_words_stay(text):
    before = page(text or "a")
    after = decode_pages([before])[0]
    assert [(w.left, w.right) for n in after.lines for w in n.words] == [
        (w.left, w.right) for n in before.lines for w in n.words
    ]


@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=80))
def test_plain_text_stays(text):
    before = [page(text or "a")]
    assert decode_pages(before) == before
