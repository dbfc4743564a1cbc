"""Presets: those that come with the project, those that people save, how they are named, shared and compared."""

from core.presets.named import built_on, modes_of, preset, presets, require_whole, values, why, with_settings

__all__ = ["built_on", "modes_of", "preset", "presets", "require_whole", "values", "why", "with_settings"]
