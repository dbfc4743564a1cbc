"""The presets that come with the project: as printed, the default, and those that go out from it."""

import pytest

from core.checks import all_checks, all_thresholds
from core.lab.docs.sample_bank import mode_reasons
from core.lab.docs.tables import built_on
from core.presets import differences, display_name, modes_of, preset, presets, values
from core.thresholds import MODE_NAMES, Preset

OWN_SWITCHES = {
    "seed_a": {"citations.every_sentence": 1.0, "grounding.partial_answers": 0.0},  # its trigger, and "reject"
    "seed_c": {"hedging.abstention": 1.0},
}
"""The switches with which a document alone does what it prints, beside the numbers that it prints."""
SEEDS = tuple(f"seed_{letter}" for letter in "abcde")
RELATED, CHUNKS, FACT_GROUNDING, TOPIC = (
    "retrieval_confidence.min_retrieval_confidence", "context_sufficiency.min_chunks_required",
    "grounding.min_grounding_score", "topic_relevance.max_topic_mismatch_score",
)  # fmt: skip


def test_they_are_offered_with_the_default_first():
    assert list(presets()) == ["default", "as_printed", "strict", "exam", "lenient", *SEEDS]
    assert [display_name(name) for name in ("default", "as_printed", "seed_a")] == [
        "Default",
        "As printed",
        "A: Safety mechanism",
    ]


def test_as_printed_every_check_of_the_documents_blocks_at_its_declared_number():
    printed = preset("as_printed")
    assert values(printed) == {key: t.default for key, t in all_thresholds().items()}
    modes = modes_of(printed)
    ours = {c.name for c in all_checks() if c.source_document == "ours"}
    watching = {name for name, mode in modes.items() if mode != "blocks"}
    assert watching - ours == {"consensus", "llm_judge"}  # what a language model is asked for
    assert ours - watching == {"numbers"}
    assert differences(Preset(), printed) == () and Preset().name == printed.name


@pytest.mark.parametrize("name", SEEDS)
def test_a_seeds_preset_keeps_every_number_as_printed(name):
    own = OWN_SWITCHES.get(name, {})
    assert values(preset(name)) == values(preset("as_printed")) | own and built_on(name) is preset("as_printed")


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("strict", {RELATED: 0.7, CHUNKS: 2, FACT_GROUNDING: 0.8, TOPIC: 0.3}),
        ("exam", {RELATED: 0.85, CHUNKS: 3, FACT_GROUNDING: 0.9, TOPIC: 0.3}),
        ("lenient", {RELATED: 0.5, CHUNKS: 0, TOPIC: 0.2}),
    ],
)
def test_seed_as_presets_keep_its_numbers_and_take_the_rest_from_the_default(name, numbers):
    assert values(preset(name)) == values(preset("default")) | numbers and built_on(name) is preset("default")


@pytest.mark.parametrize("name", ["strict", "exam"])
def test_a_number_that_is_there_to_forbid_more_belongs_to_a_check_that_blocks(name):
    moved = {d.key.partition(".")[0] for d in differences(preset("default"), preset(name)) if d.key in all_thresholds()}
    assert {modes_of(preset(name))[check] for check in moved} == {"blocks"}


def test_for_every_check_the_default_says_why_it_blocks_or_watches():
    modes = modes_of(preset("default"))
    assert set(mode_reasons()) == set(modes), "data/presets/default.json needs a sentence under why for each check"
    for name, sentence in mode_reasons().items():
        mode = MODE_NAMES[modes[name]]
        assert sentence.startswith(f"{mode}: "), f"under why, {name} must begin with {mode!r}: its mode by default"
        assert sentence.endswith(".") and "|" not in sentence
