"""The limits as a file, JSON or YAML: to keep beside other settings, to review, and to load again elsewhere."""

import json
from collections.abc import Mapping
from typing import Any, Literal

import yaml

from core.errors import UserError
from core.presets import PresetError, preset_row, presets, with_content
from core.thresholds import Preset

Kind = Literal["json", "yaml"]
MOST_BYTES = 100_000
"""Maximum size of a file with limits; with every threshold and mode it has some 3,000."""


def limits_file(current: Preset, kind: Kind) -> str:
    """Every threshold and mode of `current` as a file, with the name of its preset."""
    content = {field: value for field, value in preset_row(current).items() if field != "help"}
    if kind == "json":
        return json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True)


def read_limits_file(data: bytes) -> Preset:
    """The preset in a file, validated. What the file does not name keeps its value: that of the preset of this name if
    it ships with the app, else of the default. Raises PresetError."""
    try:
        if len(data) > MOST_BYTES:
            raise PresetError(f"it has {len(data):,} bytes, and at most {MOST_BYTES:,} are read")
        content = _content(data)
        if not isinstance(content, Mapping) or not {"thresholds", "modes"} & set(content):
            raise PresetError("it must hold thresholds or modes by name")
        if isinstance(modes := content.get("modes"), Mapping):  # YAML reads the word off as false
            content = {**content, "modes": {name: "off" if mode is False else mode for name, mode in modes.items()}}
        return with_content(presets().get(str(content.get("name")), presets()["default"]), content)
    except (UserError, TypeError) as error:
        why = str(error).rstrip(".")
        raise PresetError(f"The file with limits cannot be read: {why}; nothing was changed.") from error


def _content(data: bytes) -> Any:
    """The content of a file of JSON or YAML. YAML's references are refused: a short file could unfold to a huge one."""
    try:
        text = data.decode("utf-8-sig")
        if text.lstrip().startswith("{"):
            return json.loads(text)
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            if isinstance(event, yaml.AliasEvent):
                raise PresetError("it holds references (*), which are not followed")
            if getattr(event, "tag", None):
                raise PresetError(f"it holds the tag {event.tag!r:.60}, and tags are not allowed")
        return yaml.safe_load(text)
    except PresetError:
        raise
    except (ValueError, yaml.YAMLError, RecursionError) as error:
        raise PresetError(f"it is no JSON or YAML ({' '.join(str(error).split())[:120]})") from error
