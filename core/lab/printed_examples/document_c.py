"""The branches of source document C, and the outcome of each here.

The document prints branches and patterns but no questions, so the answers here are made up, about one passage.
"""

from dataclasses import dataclass

from core.lab.printed_examples.example import MODEL, Example, scored

BOOK = (
    "An arithmetic progression is a list of numbers. Each term is obtained by adding a fixed number to the term "
    "before. The fixed number is called the common difference of the progression."
)
PROCEED = "proceed"
SUPPORTED = "An arithmetic progression is a list of numbers."


@dataclass(frozen=True, kw_only=True)
class Branch(Example):
    """An example of source document C: an answer about the passage BOOK.

    printed: the document's reason to abstain, or PROCEED. label: the entailer's label of the whole answer if layer 2
    (grounding) decides; else "". hedges: True if layer 3 (hedging) finds one of its patterns in the answer.
    """

    label: str = ""
    hedges: bool = False


def branch(printed: str, answer: str = SUPPORTED, scores: tuple[float, ...] = (0.9, 0.7), **fields: object) -> Branch:
    """An example with the one question of this file. scores: the scores of the passages found, one passage each."""
    contexts = tuple(context for score in scores for context in scored((BOOK,), score))
    return Branch(
        printed=printed, query="What is an arithmetic progression?", answer=answer, contexts=contexts, **fields
    )


def hedging(answer: str, **fields: object) -> Branch:
    """An example with an answer in which layer 3 (hedging) finds a pattern."""
    return branch("hedging_detected", answer, hedges=True, nli=True, **fields)


TABLE = {
    "1 no documents": branch("low_retrieval_score", scores=()),
    "1 the top score below 0.3": branch("low_retrieval_score", scores=(0.2, 0.1)),
    "1 the top score at 0.3": branch(PROCEED, scores=(0.3, 0.1), nli=True),
    "1 a low top score, and a gap below 0.1": branch("no_score_gap", scores=(0.4, 0.35)),
    "1 a low top score, and a gap of 0.1": branch(PROCEED, scores=(0.4, 0.3), nli=True),
    "1 a top score of 0.5 needs no gap": branch(PROCEED, scores=(0.5, 0.45), nli=True),
    "1 one result has no gap": branch(PROCEED, scores=(0.45,), nli=True),
    "2 entailed, as it stands there": branch(PROCEED, label="entailment", nli=True),
    "2 entailed, the second sentence": branch(
        PROCEED, "Each term is obtained by adding a fixed number to the term before.",
        label="entailment", nli=True,
    ),
    "2 a contradiction by a negation": branch(
        "not_grounded", "An arithmetic progression is not a list of numbers.",
        label="contradiction", nli=True,
    ),
    "2 a contradiction by another word": branch(
        "not_grounded", "Each term is obtained by multiplying the term before by a fixed number.",
        ours=PROCEED, label="entailment", nli=True,
        difference=f"{MODEL}one operation for another, all other words the same, is read as said",
    ),
    "2 neutral, on something else": branch(
        "not_grounded", "Bankers everywhere love such clever schemes.",
        label="neutral", nli=True,
    ),
    "2 neutral, on the same thing": branch(
        "not_grounded", "Arithmetic progressions were first studied in ancient Babylon.",
        label="neutral", nli=True,
    ),
    "2 a contradiction that also holds a pattern, and layer 2 is asked first": branch(
        "not_grounded", "There is no evidence that an arithmetic progression is a list of numbers.",
        label="contradiction", hedges=True, nli=True,
    ),
    "3 I'm not sure": hedging("I'm not sure, but an arithmetic progression is a list of numbers."),
    "3 I'm uncertain": hedging("I'm uncertain whether an arithmetic progression is a list of numbers."),
    "3 I don't know, and no more": hedging("I don't know."),
    "3 I don't know": hedging("I don't know what an arithmetic progression is."),
    "3 I think": hedging("I think an arithmetic progression is a list of numbers."),
    "3 maybe": hedging("Maybe an arithmetic progression is a list of numbers."),
    "3 possibly": hedging("An arithmetic progression is possibly a list of numbers."),
    "3 perhaps": hedging("Perhaps an arithmetic progression is a list of numbers."),
    "3 cannot find": hedging("I cannot find what an arithmetic progression is."),
    "3 cannot determine": hedging("I cannot determine what an arithmetic progression is."),
    "3 cannot answer": hedging("I cannot answer what an arithmetic progression is."),
    "3 no information": hedging("There is no information on arithmetic progressions."),
    "3 no data": hedging("There is no data on arithmetic progressions."),
    "3 no evidence": hedging("The passages give no evidence on arithmetic progressions."),
    "3 not mentioned": hedging("The common difference is not mentioned."),
    "3 not specified": hedging("The common difference is not specified."),
    "3 not stated": hedging("The common difference is not stated."),
    "3 generic filler, alone": hedging("It depends on many factors.", label="neutral"),
    "3 generic filler before an answer": hedging("Great question! An arithmetic progression is a list of numbers."),
}  # fmt: skip
