"""The tests of the project. It imports little, since programs that the tests start import it too."""

import pytest

pytest.register_assert_rewrite("tests.support")
