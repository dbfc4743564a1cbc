"""Contrast pairs carry the right label: what was altered contradicts, what was shortened follows."""

from random import Random

import pytest

from core.lab.training.contrast_pairs import (
    OPENINGS,
    all_contrast_pairs,
    altered_conclusions,
    chapter_documents,
    cleaned,
    contrast_pairs,
    denial,
    premise_documents,
)
from core.lab.training.evaluate import _DENIALS
from core.lab.training.nli_datasets import Pair, TrainingError
from core.lab.training.sentence_changes import convert_quantity, join_sentences, respell_number, shorten
from core.text.words import overlap
from tests.support.rope_chapter import CHAPTER

SENTENCES = [
    "A rope has 3 strands, which are twisted together.", "The rope in the picture is 40 metres long.",
    "Jute is cheaper than silk.", "Nylon was made by Carothers in 1935.", "A knot is always weaker than the rope.",
]  # fmt: skip


@pytest.fixture
def chapters(tmp_path):
    (tmp_path / "ropes.txt").write_text(CHAPTER, encoding="utf-8")
    return tmp_path


def test_a_chapter_gives_the_sentences_of_its_paragraphs(chapters):
    assert list(chapter_documents(chapters)) == [SENTENCES]


def test_a_folder_without_chapters_is_named(tmp_path):
    with pytest.raises(TrainingError, match="holds no chapters"):
        list(chapter_documents(tmp_path))


@pytest.mark.parametrize("seed", range(15))
def test_labels_say_what_was_done(seed):
    pairs = list(contrast_pairs(SENTENCES, "ropes", Random(seed)))
    assert {p.label for p in pairs} == {"entailment", "neutral", "contradiction"}
    for pair in pairs:
        if pair.label == "contradiction":
            assert pair.hypothesis not in pair.premise
        if pair.label == "neutral":
            assert any(overlap(s, pair.hypothesis) >= 0.6 and s not in pair.premise for s in SENTENCES)


def test_an_altered_sentence_also_entails_itself():
    """A "not" or an odd number must say nothing alone: some altered sentences are entailed by altered premises."""
    pairs = [p for seed in range(20) for p in contrast_pairs(SENTENCES, "ropes", Random(seed))]
    assert any(
        p.label == "entailment" and p.hypothesis == p.premise != "" and p.premise not in SENTENCES for p in pairs
    )
    assert any(p.label == "contradiction" and p.hypothesis in SENTENCES for p in pairs)


def test_conclusions_are_altered_and_their_premises_kept():
    pair = Pair("Copper rods get longer in the sun.", "Heat makes copper expand by 2 mm.", "entailment", "x")
    (found,) = altered_conclusions([pair, pair._replace(label="neutral")], "conclusions", Random(1))
    assert found.premise == pair.premise and found.hypothesis != pair.hypothesis
    assert found.label == "contradiction" and found.source.startswith("conclusions/")


def test_clauses_that_can_go():
    assert shorten(SENTENCES[0]) == ["A rope has 3 strands."]
    assert shorten("In the dry season, leaves fall early (see above).") == [
        "Leaves fall early (see above).", "In the dry season, leaves fall early."]  # fmt: skip
    assert shorten("Iron, zinc, and tin are metals.") == []


def test_quantities_are_converted_rightly_and_wrongly():
    right, wrong = convert_quantity(SENTENCES[1], Random(0))
    assert right == "The rope in the picture is 4000 centimetres long." and wrong not in (right, SENTENCES[1])
    assert convert_quantity(SENTENCES[2], Random(0)) is None
    assert (
        respell_number("It has 3 strands.") == "It has three strands."
        and respell_number("It has two ends.") == "It has 2 ends."
    )
    assert respell_number("It is 3.5 long.") is None


def test_joined_sentences_keep_names():
    assert join_sentences("A b c.", "Carothers made it.", Random(0)).endswith("Carothers made it.")
    assert join_sentences("A b c.", "The rope holds.", Random(0)).endswith("the rope holds.")


def test_tokenised_text_is_cleaned():
    assert cleaned("Luxembourg -LSB- lux -RSB- , is small ( in area ) .") == "Luxembourg, is small (in area)."


def test_each_kind_is_cut_to_its_size(chapters):
    pairs = [Pair(" ".join(SENTENCES[:2]), "It has 3 strands.", "entailment", "fever_rte")]
    assert [list(document) for document in premise_documents(pairs, "fever_rte")] == [SENTENCES[:2]]
    found = all_contrast_pairs(pairs, chapters, {"chapters": 7, "conclusions": 5}, seed=0)
    assert [p.source.partition("/")[0] for p in found] == ["chapters"] * 7 + ["conclusions"]
    assert found == all_contrast_pairs(pairs, chapters, {"chapters": 7, "conclusions": 5}, seed=0)


def test_no_denial_is_one_that_the_templates_test():
    assert not {o.strip().lower() for o in OPENINGS} & {d.strip().lower() for d in _DENIALS}
    assert len({denial("The sea is salty.", Random(seed)) for seed in range(200)}) > len(OPENINGS)
