"""Settings: what changes a measurement. Moving one runs the models again, unlike a threshold."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from core.settings.domains import domains

WRITERS = ("auto", "extractive", "small", "local", "endpoint")
"""Who writes a draft: the passages' own sentences, a small or a fluent model on this computer, or a server's model.

`auto` stands for `local` or `extractive`: core/writers/writer_choice.py says for which."""
STAGE_1 = ("rules", "local", "endpoint")
"""Who says at stage 1 what an answer does against the interest of the house."""
JUDGES = ("none", "local", "endpoint")
"""Which language model is asked whether the passages say each sentence, beside the checks that are always made."""


class SettingError(ValueError):
    """A setting was given a value that it cannot take; the message says what is allowed."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How many passages a search returns, and which hedging patterns a person added to the built-in ones.

    domain: the house whose assistant this is; a name in core/settings/domains.py. writer, stage_1, judge: of WRITERS,
    STAGE_1 and JUDGES. consensus: a language model writes three times, so that its drafts can be compared.
    endpoint, endpoint_model: the address and model of the server that any of them asks, and the longest time that one
    answer may take. Its key is no setting: settings are stored.
    """

    passages_fetched: int = 8
    patterns: tuple[str, ...] = ()
    domain: str = "school"
    writer: str = "auto"
    stage_1: str = "rules"
    judge: str = "none"
    consensus: bool = False
    endpoint: str = ""
    endpoint_model: str = ""
    endpoint_seconds: float = 60.0

    def __post_init__(self) -> None:
        if not 1 <= self.passages_fetched <= 20:
            raise SettingError(f"passages_fetched must be from 1 to 20, got {self.passages_fetched}.")
        if len(self.patterns) > 50:
            raise SettingError(f"At most 50 patterns of your own are allowed, got {len(self.patterns)}.")
        for name, allowed in (("domain", domains()), ("writer", WRITERS), ("stage_1", STAGE_1), ("judge", JUDGES)):
            if (given := getattr(self, name)) not in allowed:
                raise SettingError(f"{name} must be one of {', '.join(allowed)}, got {given!r}.")
        if "endpoint" in (self.writer, self.stage_1, self.judge):
            self._check_endpoint()

    def _check_endpoint(self) -> None:
        """SettingError when a server or its model is not named in a way that it could be asked."""
        wanted = "type an address such as http://localhost:11434/v1"
        try:
            url = urlsplit(self.endpoint)
            named = url.scheme in ("http", "https") and bool(url.hostname) and (url.port or 1) > 0
        except ValueError:
            named = False
        if not named or any(c.isspace() or not c.isprintable() for c in self.endpoint) or len(self.endpoint) > 300:
            raise SettingError(f"endpoint must be the address of a server, got {self.endpoint!r:.80}; {wanted}.")
        if url.username or url.password or url.query or url.fragment:
            raise SettingError(f"endpoint must hold no user, key or question mark, since it is stored; {wanted}.")
        if not self.endpoint_model.strip() or len(self.endpoint_model) > 200 or not self.endpoint_model.isprintable():
            raise SettingError(
                f"endpoint_model must name a model of the server, got {self.endpoint_model!r:.80}; type its name."
            )
        if not 1 <= self.endpoint_seconds <= 600:
            raise SettingError(f"endpoint_seconds must be from 1 to 600, got {self.endpoint_seconds}.")
