"""The tests of the project. Those that ask without naming a writer mean the extractive one, on every computer."""

import os

import pytest

from core.writers.writer_choice import VARIABLE

pytest.register_assert_rewrite("tests.support")
os.environ.setdefault(VARIABLE, "extractive")
