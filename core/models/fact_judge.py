"""Seed E's fact check and correction, asked of a language model: does it say yes, and can it say the answer better?"""

from core.case import Case, Draft, Judgement
from core.domains import Domain
from core.models.errors import ModelError
from core.models.listening import Listen
from core.models.llm_drafts import draft_of
from core.models.llm_judge import JudgingModel
from core.models.prompts import to_check, to_correct

_TOKENS = 160
_SENTENCES = 12
"""Most sentences of one answer that it is asked about: each takes it a second or more."""


class FactJudge:
    """Asks a model of each sentence whether the passages say it, and for an answer that does not hold another one.

    most: characters of passages that it reads.
    """

    def __init__(self, model: JudgingModel, most: int, listen: Listen | None = None) -> None:
        self.model, self.most, self.listen = model, most, listen

    def __call__(self, case: Case) -> Judgement:
        """How probably the model says yes to each sentence of the draft of `case`; ModelError when it cannot be asked.

        Where nothing was found it is not asked: then the passages say nothing.
        """
        count = len(case.sentences)
        if count > _SENTENCES:
            raise ModelError(
                f"A language model is asked about at most {_SENTENCES} sentences, this answer has {count}; shorten it."
            )
        if not any(e.kept for e in case.evidence):
            return Judgement(by=self.model.name, yes=(0.0,) * count)
        return Judgement(by=self.model.name, yes=tuple(self._asked(case, n) for n in range(count)))

    def _asked(self, case: Case, place: int) -> float:
        if self.listen:
            self.listen(f"{self.model.name} reads sentence {place + 1} of {len(case.sentences)} …")
        return self.model.yes(to_check(case, place, self.most))

    def corrected(self, case: Case, house: Domain) -> Draft:
        """The answer of `case` written again from the passages only; what comes of it is checked like any other."""
        written = self.model.write(to_correct(case, self.most, house), _TOKENS, listen=self.listen)
        return draft_of(written, f"correction by {self.model.name}")
