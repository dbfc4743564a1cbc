"""HTML files that print well, need nothing else and run nothing: the templates beside this and what draws them."""

import base64
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"), autoescape=True, undefined=StrictUndefined,
    trim_blocks=True, lstrip_blocks=True,
)  # fmt: skip
"""Whatever a template is given is text, no part of it a tag; what it names and is not given is an error."""
TEMPLATES.filters |= {"px": "{:.1f}".format, "base64": lambda data: base64.b64encode(data).decode()}
