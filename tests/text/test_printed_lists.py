"""Lists as Python and NumPy print them are read as the same lists; what is not whole is not read."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.banks.columns import value_of
from core.question import CaseError
from core.retrieval.contexts import contexts_of
from core.text.printed_lists import LONGEST, is_cut_short, printed_list

BELL, STEEL = "A bell in a jar cannot be heard.", "Steel carries sound."
texts = st.lists(st.text(max_size=40), max_size=30)


def printed_by_numpy(found):
    array = np.empty(len(found), dtype=object)
    array[:] = found
    return array


@given(texts)
def test_what_numpy_prints_is_read_as_the_same_list(found):
    array = printed_by_numpy(found)
    assert printed_list(str(array)) == found == printed_list(repr(array)) and not is_cut_short(str(array))


@given(texts.map(lambda found: [text.replace("\0", "") for text in found]))
def test_texts_of_one_type_and_lists_of_python_are_read_too(found):
    assert printed_list(str(found)) == found
    assert printed_list(str([np.str_(text) for text in found])) == found
    if found:
        assert printed_list(str(np.array(found))) == found


@pytest.mark.parametrize(
    ("cell", "contexts"),
    [
        (f"['{BELL}'\n '{STEEL}']", [BELL, STEEL]),
        (f"['{BELL}' '{STEEL}']", [BELL, STEEL]),
        (f'["{BELL}"\n "{STEEL}"]', [BELL, STEEL]),
        ("[\"It's a bell.\" 'Steel.']", ["It's a bell.", "Steel."]),
        (r"['It\'s a \"bell\".' 'Steel.']", ["It's a \"bell\".", "Steel."]),
        ("['One.'\n 'Two.'\n 'Three.'\n 'Four.']", ["One.", "Two.", "Three.", "Four."]),
        ("array(['One.', 'Two.'], dtype=object)", ["One.", "Two."]),
        ("np.array(['One.' 'Two.'])", ["One.", "Two."]),
        ("Index(['One.', 'Two.'], dtype='object')", ["One.", "Two."]),
        ("[np.str_('One.') np.str_('Two.')]", ["One.", "Two."]),
        ("['One.']", ["One."]), ("[  'One.'   'Two.'  ]", ["One.", "Two."]), ("['One.', 'Two.',]", ["One.", "Two."]),
        (r"['One.\nTwo.' 'Three.']", ["One.\nTwo.", "Three."]),
        ("[{'text': 'One.', 'page': 3} {'text': 'Two.'}]", [{"text": "One.", "page": 3}, {"text": "Two."}]),
        ('["One.", "Two."]', ["One.", "Two."]), ("[]", []),
        ("One. ['Two.' 'Three.']", ["One. ['Two.' 'Three.']"]), ("[1] says so.", ["[1] says so."]),
        ("['Twas the night.]", ["['Twas the night.]"]), ("['red', 'green'] are colours.", ["['red', 'green'] are colours."]),
        ("['red' 'green'] don't mix.", ["['red' 'green'] don't mix."]), ("['Hello' is a word]", ["['Hello' is a word]"]),
        ("[sic] It rains.", ["[sic] It rains."]), ("[x for x in 'ab']", ["[x for x in 'ab']"]),
        ("[...] It rains.", ["[...] It rains."]), ("['a'] + ['b']", ["['a'] + ['b']"]),
    ],
)  # fmt: skip
def test_a_cell_with_contexts_is_read_as_what_was_printed(cell, contexts):
    assert value_of("contexts", cell) == contexts


@pytest.mark.parametrize(
    "cell",
    [
        str(np.array([f"Text {n}." for n in range(2_000)], dtype=object)), "['One.' 'Two.' ... 'Nine.']", "['One.', ..., 'Nine.']",
        "['One.'\n 'Two.'\n ...]", "['One.' 'Two. It goes on", "['One.', 'Two.'", "['One.'", 'array(["One.", "Two.", ', "[...]",
        "[\"It's one.\" 'Two",
    ],
)  # fmt: skip
def test_a_list_that_is_not_whole_is_refused_in_one_sentence(cell):
    assert is_cut_short(cell) and printed_list(cell) is None
    with pytest.raises(
        CaseError, match=r"^contexts is the print of a list that is not whole, .*; write all of it, as JSON\.$"
    ):
        contexts_of(value_of("contexts", cell))


@pytest.mark.parametrize(
    "cell", ["['One.' None]", "[['One.' 'Two.']\n ['Three.' 'Four.']]", "[nan 'One.']", "['One.' 3]", "[None]"]
)
def test_what_is_no_text_is_no_context(cell):
    with pytest.raises(CaseError, match=r"Context \d must be a text"):
        contexts_of(value_of("contexts", cell))


@pytest.mark.parametrize(
    "text", ["[" * 20_000, "['" * 20_000, "['a' " * 20_000, "['a'" + "\\" * 20_000, "(" * 20_000, "[array(" * 9_000]
)
def test_a_long_text_takes_no_long_time(text):
    assert printed_list(text) is None and is_cut_short(text) in (True, False)
    assert not is_cut_short("['a' 'b" + " " * LONGEST)
