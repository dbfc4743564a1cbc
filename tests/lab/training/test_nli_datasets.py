"""Groups are read to the letter, label every sentence under both passages, and keep a few for choosing."""

import pytest

from core.lab.training.nli_datasets import GROUPS, TrainingError, groups_of

TEXT = """# a comment
P: The rod is 4 cm long.
P2: The rod is 9 cm long.
EC number: Its length is four centimetres.
NN added: The rod is painted.
Q: How long is the rod?
Q0: Who made the rod?
"""


def write(folder, text):
    (folder / "some.txt").write_text(text, encoding="utf-8")
    return folder


def test_each_sentence_is_labelled_under_both_passages(tmp_path):
    (group,) = groups_of(write(tmp_path, TEXT))
    found = [(p.premise, p.hypothesis, p.label, p.source) for p in group.pairs()]
    assert found[:2] == [
        ("The rod is 4 cm long.", "Its length is four centimetres.", "entailment", "groups/number"),
        ("The rod is 9 cm long.", "Its length is four centimetres.", "contradiction", "groups/number"),
    ]
    assert {p.label for p in list(group.pairs())[2:]} == {"neutral"}
    assert (group.answered, group.open) == ("How long is the rod?", "Who made the rod?")


@pytest.mark.parametrize(
    "broken", [TEXT.replace("Q0:", "Q9:"), TEXT.replace("EC number", "EX number"), "P: Alone.", TEXT + "Stray line."]
)
def test_a_group_that_cannot_be_read_is_named(tmp_path, broken):
    with pytest.raises(TrainingError, match=r"Group 1 of some\.txt"):
        groups_of(write(tmp_path, broken))


def test_a_folder_without_groups_is_refused(tmp_path):
    with pytest.raises(TrainingError, match="holds no groups"):
        groups_of(tmp_path)


def test_the_groups_that_ship_are_balanced_and_some_are_held_out():
    groups = groups_of(GROUPS)
    labels = [p.label for g in groups for p in g.pairs()]
    for label in ("entailment", "neutral", "contradiction"):
        assert 0.25 <= labels.count(label) / len(labels) <= 0.42
    assert 0.03 <= sum(g.held_out for g in groups) / len(groups) <= 0.1
    assert len({g.passage for g in groups}) == len(groups)
