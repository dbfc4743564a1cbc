"""Presets, built in or saved by users; the differences of two presets, and a preset as a link."""

from core.presets.shipped import (
    LONGEST,
    PARAMETER,
    Difference,
    LinkError,
    built_on,
    differences,
    link_text,
    modes_of,
    preset,
    presets,
    read_link,
    require_whole,
    titled,
    told,
    values,
    why,
    with_settings,
)

__all__ = [
    "LONGEST", "PARAMETER", "Difference", "LinkError", "built_on", "differences", "link_text", "modes_of", "preset",
    "presets", "read_link", "require_whole", "titled", "told", "values", "why", "with_settings",
]  # fmt: skip
