"""The properties of each sentence of a draft that rules of English find. They are stored with the round."""

from dataclasses import replace

import numpy as np

from core.case import Round, SentenceFacts, Trace
from core.check import Bound
from core.checks.entailment import label_indices, read_of
from core.checks.support import quoted_for
from core.features.correction import is_about_the_same, replacements
from core.judgements import LABELS
from core.text.abstentions import abstention_flags
from core.text.answer_sentences import leans
from core.text.claims import only_asks
from core.text.quantities import quantities
from core.text.sentences import sentences
from core.text.words import overlap


def with_sentence_facts(measured_round: Round) -> Round:
    """Return `measured_round` with the facts of its sentences."""
    texts = [s.text for s in measured_round.case.sentences]
    abstains = abstention_flags(texts)
    rewrites = replacements(measured_round, abstains)
    denials = [_denial(measured_round, n) for n in range(len(texts))]
    facts = tuple(
        SentenceFacts(
            leans=leans(text), abstains=nothing, asks=text.endswith("?") and only_asks(text), stays=stays,
            replacement=replacement, denial=denial, denial_passage=passage,
        )
        for text, nothing, (stays, replacement), (denial, passage)
        in zip(texts, abstains, rewrites, denials, strict=True)
    )  # fmt: skip
    return replace(measured_round, facts=facts)


def complete(trace: Trace) -> Trace:
    """Return `trace` with the facts that were not measured yet when it was stored."""
    rounds = tuple(r if len(r.facts) == len(r.case.sentences) else with_sentence_facts(r) for r in trace.rounds)
    return replace(trace, rounds=rounds, parts=tuple(complete(part) for part in trace.parts))


def _denial(measured_round: Round, n: int) -> tuple[str, int]:
    """The passage sentence that contradicts sentence `n`, and the number of its passage from 1; ("", 0) if there is
    none.

    It is chosen from the passage sentences that decided on the support of sentence `n` and are about the same, since
    the speed of sound in air does not contradict that in water; where sentence `n` has a quantity, they have one too.
    If no passage decided, it is chosen from the passage with the highest probability of a contradiction. Of several,
    the one that shares most words with sentence `n` is returned.
    """
    case, support = measured_round.case, measured_round.signals.get("support")
    claim = case.sentences[n].text
    if support is not None:
        if support["denies"][n] <= support["says"][n]:
            return "", 0
        if (bearing := np.flatnonzero(support["first"][n])).size:
            source = sentences(quoted_for(case, Bound(**support), n))
            about = [text for text in source if is_about_the_same(case.question.standalone, claim, text)]
            denials = [text for text in about if quantities(text) or not quantities(claim)]
            closest = max(denials, key=lambda text: overlap(claim, text), default="")
            return closest, int(bearing[0]) + 1 if closest else 0
    elif (read := read_of(measured_round)) is None or LABELS[label_indices(read)[n]] != "contradiction":
        return "", 0
    return _contradiction(measured_round, n)


def _contradiction(measured_round: Round, n: int) -> tuple[str, int]:
    """The passage sentence that the NLI model found to contradict sentence `n` most, and the number of its passage."""
    signals = measured_round.signals.get("entailment")
    if signals is None or not measured_round.windows:
        return "", 0
    passage_index = int(np.where(signals["considered"][n] > 0, signals["contradiction"][n], -1.0).argmax())
    window, text = measured_round.windows[n][passage_index], measured_round.case.sentences[n].text
    if not window:
        return "", 0
    passage = measured_round.case.passages[passage_index]
    return passage.sentences[max(window, key=lambda i: overlap(text, passage.sentences[i]))], passage_index + 1
