"""The examples that seed C prints, and the outcome of each here."""

from dataclasses import dataclass

from tests.support.seed_example import MODEL, Example

PROCEED = "proceed"
SUPPORTED = "An arithmetic progression is a list of numbers."


@dataclass(frozen=True, kw_only=True)
class Row(Example):
    """An answer about the passage BOOK. `seed` is the reason to abstain, or PROCEED; hedges: layer 3 finds a pattern.

    label: what the language model says of the whole answer, in a row that layer 2 decides.
    """

    answer: str = SUPPORTED
    scores: tuple = (0.9, 0.7)
    label: str = ""
    hedges: bool = False


def hedging(answer, **changes):
    return Row(answer=answer, seed="hedging_detected", hedges=True, nli=True, **changes)


def denied(answer):
    return hedging(
        answer, ours="not_grounded", label="contradiction",
        difference=f"{MODEL}an answer that says nothing, beside a passage that does say it, is taken for a "
        "contradiction, and layer 2 is asked first, as in the seed; layer 3 finds the pattern all the same",
    )  # fmt: skip


def left_open(answer):
    return hedging(
        answer, ours="not_grounded", label="neutral",
        difference="no passage says a filler, so layer 2, which is asked first as in the seed, leaves it open; layer 3 "
        "finds the pattern all the same",
    )  # fmt: skip


TABLE = {
    "1 no documents": Row(scores=(), seed="low_retrieval_score"),
    "1 the top score below 0.3": Row(scores=(0.2, 0.1), seed="low_retrieval_score"),
    "1 the top score at 0.3": Row(scores=(0.3, 0.1), seed=PROCEED, nli=True),
    "1 a low top score, and a gap below 0.1": Row(scores=(0.4, 0.35), seed="no_score_gap"),
    "1 a low top score, and a gap of 0.1": Row(scores=(0.4, 0.3), seed=PROCEED, nli=True),
    "1 a top score of 0.5 needs no gap": Row(scores=(0.5, 0.45), seed=PROCEED, nli=True),
    "1 one result has no gap": Row(scores=(0.45,), seed=PROCEED, nli=True),
    "2 entailed, as it stands there": Row(seed=PROCEED, label="entailment", nli=True),
    "2 entailed, the second sentence": Row(
        answer="Each term is obtained by adding a fixed number to the term before.",
        seed=PROCEED, label="entailment", nli=True,
    ),
    "2 a contradiction by a negation": Row(
        answer="An arithmetic progression is not a list of numbers.",
        seed="not_grounded", label="contradiction", nli=True,
    ),
    "2 a contradiction by another word": Row(
        answer="Each term is obtained by multiplying the term before by a fixed number.",
        seed="not_grounded", ours=PROCEED, label="entailment", nli=True,
        difference="language model: one operation for another, all other words the same, is read as said",
    ),
    "2 neutral, on something else": Row(
        answer="Bankers everywhere love such clever schemes.", seed="not_grounded", label="neutral", nli=True,
    ),
    "2 neutral, on the same thing": Row(
        answer="Arithmetic progressions were first studied in ancient Babylon.",
        seed="not_grounded", label="neutral", nli=True,
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
    "3 no evidence": denied("There is no evidence that an arithmetic progression is a list of numbers."),
    "3 not mentioned": hedging("The common difference is not mentioned."),
    "3 not specified": hedging("The common difference is not specified."),
    "3 not stated": hedging("The common difference is not stated."),
    "3 generic filler, alone": left_open("It depends on many factors."),
    "3 generic filler before an answer": hedging(
        "Great question! An arithmetic progression is a list of numbers.", ours="the filler is left out",
        difference="a sentence that cannot stand is left out and the supported rest goes out; of the whole answer "
        "layer 2 says not_grounded, since no passage says the filler",
    ),
}  # fmt: skip
