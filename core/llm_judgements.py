"""What a language model says of a draft when it is asked: what it does against a house, and whether passages say it."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, kw_only=True)
class Opinion:
    """What a language model says of a draft at stage 1. For each sentence: a violation or "none", its severity, why.

    by: the model. fact_check: some sentence states something that the passages must bear out.
    """

    by: str
    violations: tuple[str, ...]
    severities: tuple[str, ...]
    reasoning: tuple[str, ...]
    fact_check: bool

    def on(self, violation: str) -> tuple[str, str]:
        """The gravity and the reason of the first sentence with this violation; "" for one that it does not see."""
        place = self.violations.index(violation) if violation in self.violations else None
        return ("", "") if place is None else (self.severities[place], self.reasoning[place])

    def of(self, places: list[int]) -> "Opinion":
        """The same on the sentences at `places` only."""
        lists = ("violations", "severities", "reasoning")
        return replace(self, **{name: tuple(getattr(self, name)[n] for n in places) for name in lists})


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """How probably a language model says yes when it is asked whether the passages say a sentence, for each sentence.

    by: the model.
    """

    by: str
    yes: tuple[float, ...]

    def of(self, places: list[int]) -> "Judgement":
        """The same on the sentences at `places` only."""
        return replace(self, yes=tuple(self.yes[n] for n in places))
