"""Settings: what changes a measurement. Moving one runs the models again, unlike a threshold."""

from dataclasses import dataclass


class SettingError(ValueError):
    """A setting was given a value that it cannot take; the message says what is allowed."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How many passages a search returns, and which hedging patterns a person added to the built-in ones."""

    passages_fetched: int = 8
    patterns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.passages_fetched <= 20:
            raise SettingError(f"passages_fetched must be from 1 to 20, got {self.passages_fetched}.")
        if len(self.patterns) > 50:
            raise SettingError(f"At most 50 patterns of your own are allowed, got {len(self.patterns)}.")
