"""From the settings to the writer that writes, and to the models that stage 1 and the fact check ask."""

from pathlib import Path
from typing import Any

from core.domains import domain
from core.models.endpoint import Endpoint
from core.models.endpoint_access import Key, key_for
from core.models.errors import ModelError
from core.models.listening import Listen
from core.models.llm_judge import FactJudge, JudgingModel, StageOne
from core.models.llm_writers import EndpointWriter, LocalWriter, SmallWriter
from core.models.qwen import qwen
from core.models.writers import ExtractiveWriter
from core.settings import Settings

_NO_HOME = "The language model local is kept in a library's folder; open a library, or choose another."
_ENDPOINT_MOST, _LOCAL_MOST = 8_000, 2_400
"""Characters of passages that a judge is shown: the one on this computer reads them all before it says a word."""


def writer_for(
    settings: Settings, models: Any, home: Path | None, key: Key | None = None, listen: Listen | None = None
) -> Any:
    """The writer that `settings` name. Loads nothing yet.

    home: the run-time folder, None where there is none. listen: told what a model writes while it writes.
    """
    house = domain(settings.domain)
    if settings.writer == "small":
        return SmallWriter(listen, house)
    if settings.writer == "local" and home is None:
        raise ModelError(_NO_HOME)
    if settings.writer == "local":
        return LocalWriter(home, listen, house)
    if settings.writer == "endpoint":
        return EndpointWriter(endpoint_of(settings, key), listen, house)
    return ExtractiveWriter(models)


def stage_1_for(settings: Settings, home: Path | None = None, key: Key | None = None) -> StageOne | None:
    """Who is asked at stage 1; None for the built-in rules."""
    if settings.stage_1 == "rules":
        return None
    return StageOne(*_judging(settings.stage_1, settings, home, key))


def judge_for(
    settings: Settings, home: Path | None = None, key: Key | None = None, listen: Listen | None = None
) -> FactJudge | None:
    """Who is asked whether the passages say a sentence, and corrects what does not hold; None for nobody."""
    if settings.judge == "none":
        return None
    return FactJudge(*_judging(settings.judge, settings, home, key), listen)


def _judging(who: str, settings: Settings, home: Path | None, key: Key | None) -> tuple[JudgingModel, int]:
    """The model that `who` stands for, and how many characters of passages it is shown."""
    if who == "endpoint":
        return endpoint_of(settings, key), _ENDPOINT_MOST
    if home is None:
        raise ModelError(_NO_HOME)
    return qwen(home), _LOCAL_MOST


def endpoint_of(settings: Settings, key: Key | None = None) -> Endpoint:
    """The server and model of `settings`; without a key the environment's, where it is meant for this server."""
    return Endpoint(
        url=settings.endpoint, model=settings.endpoint_model, key=key or key_for(settings.endpoint),
        seconds=settings.endpoint_seconds,
    )  # fmt: skip
