"""The options that say how questions are asked and decided: the same for every command that runs the chain."""

from argparse import ArgumentParser, Namespace

from core.models.endpoint import ADDRESS, KEY, MODEL, from_environment
from core.presets import with_settings
from core.presets.saved import named_preset
from core.settings import STAGE_1, WRITERS, Settings
from core.startup import home_folder
from core.thresholds import Preset


def add_options(sub: ArgumentParser) -> None:
    sub.add_argument("--writer", default="extractive", choices=WRITERS)
    sub.add_argument("--stage-1", default="rules", choices=STAGE_1, help="who looks at what may be said here")
    sub.add_argument("--endpoint", metavar="URL", help=f"server of OpenAI's protocol; default: {ADDRESS}")
    sub.add_argument("--model", metavar="NAME", help=f"a model of that server; default: {MODEL}; its key: {KEY}")
    sub.add_argument("--profile", default="bundled")
    sub.add_argument("--preset", default="default", help="a built-in preset, or one saved under --home")
    sub.add_argument("--set", action="append", default=[], metavar="check.threshold=V", dest="assignments")


def preset_of(options: Namespace) -> Preset:
    """What decides: a preset with the limits that were set beside it."""
    return with_settings(named_preset(options.preset, home_folder(options.home)), options.assignments)


def settings_of(options: Namespace) -> Settings:
    """What is measured with; a server that is not named on the command line is the environment's."""
    url, model = from_environment()
    return Settings(
        writer=options.writer, stage_1=options.stage_1, endpoint=options.endpoint or url,
        endpoint_model=options.model or model,
    )  # fmt: skip
