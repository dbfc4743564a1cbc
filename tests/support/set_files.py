"""Files of question sets, read whole: every row with its problem."""

from core.banks.files import for_set, read_raw, recheck


def read_lines(data, name):
    """Every row of a file whose columns have names that we know, valid or not."""
    return recheck(for_set(read_raw(data, name)))
