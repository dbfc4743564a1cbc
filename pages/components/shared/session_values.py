"""The kinds of values that a user's session holds between runs. Only this module accesses `st.session_state`.

session.py declares every value; the other modules read and set them through these declarations.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from functools import cached_property
from typing import Any, Generic, Self, TypeVar

import streamlit as st

from core.errors import UserError
from pages.components.shared.safe_display import plain, show

T = TypeVar("T")


class Value(Generic[T]):
    """A value that lasts between the runs of one user's session. It is `initial` until it is set.

    key: Streamlit stores the value under this key, and the widget of the value gets it as `key=`. By default it is the
    name of the declaration.
    """

    def __init__(self, initial: T, key: str = "") -> None:
        self._initial, self._key = initial, key

    def __set_name__(self, owner: type, name: str) -> None:
        self._key = self._key or name

    def __setattr__(self, name: str, new: object) -> None:
        if name not in ("_initial", "_key", "value"):
            raise AttributeError(f"{name} is not an attribute of a value of the session; set `value`.")
        super().__setattr__(name, new)

    @property
    def key(self) -> str:
        return self._key

    @property
    def initial(self) -> T:
        return self._initial

    @property
    def is_set(self) -> bool:
        return self.key in st.session_state

    @property
    def value(self) -> T:
        return st.session_state.get(self.key, self.initial)

    @value.setter
    def value(self, new: T) -> None:
        st.session_state[self.key] = new

    def set(self, new: T) -> None:
        """Set the value; a callback."""
        self.value = new

    def clear(self) -> None:
        """Return to the initial value; also a callback."""
        st.session_state.pop(self.key, None)

    def take(self) -> T:
        """Return the value, and clear it."""
        return st.session_state.pop(self.key, self.initial)

    def of(self, *items: object) -> Self:
        """A value of the same kind for one item, such as a row of a table. Its key is this key followed by `items`."""
        own = copy(self)
        own._key = " ".join(map(str, (self._key, *items)))
        return own


class Widget(Value[T]):
    """The value of a widget, which lasts while the widget is not drawn and on other pages."""

    @property
    def kept(self) -> dict[str, str]:
        """The arguments with which the widget is drawn, so that Streamlit keeps its value for the whole visit."""
        return {"key": self.key, "persist_state": "session"}


class Owned(Value[T]):
    """An object of one user that is changed in place, such as a list; `make` creates it at the first read."""

    def __init__(self, make: Callable[[], T], key: str = "") -> None:
        self._initial, self._key = make, key

    @property
    def value(self) -> T:
        return st.session_state.setdefault(self.key, self._initial())


class Outcome(Owned[list[str | UserError]]):
    """The outcome of the last callback: sentences and errors, to be shown in the next run."""

    def __init__(self, key: str = "") -> None:
        super().__init__(list, key)

    @contextmanager
    def catch(self, *, is_new: bool = True) -> Iterator[None]:
        """Within the block, catch a UserError and store it. is_new: True to forget the outcome of the action before."""
        if is_new:
            self.clear()
        try:
            yield
        except UserError as error:
            self.value.append(error)

    def say(self, sentence: str) -> None:
        """Store a sentence on what the callback did."""
        self.value.append(sentence)

    @property
    def succeeded(self) -> bool:
        """True if the callback did something and said so."""
        return any(isinstance(one, str) for one in self.value)

    def draw(self, *, once: bool = False) -> None:
        """Draw the sentences and errors. once: True to forget them."""
        shown = self.value
        if once:
            self.clear()
        for one in shown:
            if isinstance(one, str):
                st.success(plain(one), icon=":material/check_circle:")
            else:
                show(one)


class Renewable(Value[T]):
    """The value of a widget that can be emptied by giving it a new key, since Streamlit offers no other way."""

    @property
    def _number(self) -> Value[int]:
        return Value(0, f"{self._key} number")

    @property
    def key(self) -> str:
        return f"{self._key} {self._number.value}"

    def renew(self) -> None:
        """Reset the widget: give it a new key."""
        self._number.value += 1


class Editor(Renewable[Mapping[str, Any]]):
    """The state of a data editor."""

    @property
    def edits(self) -> dict[int, dict[str, Any]]:
        """The cells that the user changed since the editor was renewed: row -> column -> value."""
        return self.value.get("edited_rows", {})


class RowButton(Value[Mapping[str, int] | None]):
    """The state of a column of buttons in a table."""

    def column(self, rows: Sequence[T], on_press: Callable[[T], object], width: int, help: str | None = None) -> Any:
        """The column of a table for these rows; a press calls `on_press` with the item of `rows` in its row."""

        def press() -> None:
            if (click := self.value) is not None and click["row"] < len(rows):
                on_press(rows[click["row"]])

        return st.column_config.ButtonColumn("", width=width, key=self.key, on_click=press, help=help)


class Fold(Value[bool]):
    """Whether more fields of a form are shown.

    A popover would not do: while it is closed, the browser does not learn values that the program sets, and its next
    run sends the old ones. A popover whose content is drawn only while it is open loses a press on another page.
    """

    def button(self, label: str) -> bool:
        """Draw the button that shows and hides the fields; the caller draws the fields if the result is True."""
        st.button(
            f"{label} :material/expand_{'less' if self.value else 'more'}:", key=f"show {self.key}", type="tertiary",
            on_click=self.set, args=(not self.value,),
        )  # fmt: skip
        return self.value


PAGE_ROWS = 600
"""Maximum rows of one page of a table."""


class PageNumber(Value[int]):
    """The number of the page of a long table that is on screen, from 1. Only its rows are read, decided and sent to the
    browser."""

    def rows(self, count: int) -> range:
        """The indices of the rows on the page, of `count`; draws the choice of a page if they need more than one."""
        pages = -(-count // PAGE_ROWS)
        if pages <= 1:
            return range(count)
        self.value = min(max(1, self.value), pages)  # the table may have become shorter
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            number = st.number_input("Page", 1, pages, key=self.key, step=1, width=130)
            rows = range((number - 1) * PAGE_ROWS, min(number * PAGE_ROWS, count))
            st.caption(f"Rows {rows.start + 1:,} to {rows.stop:,} of {count:,}")
        return rows


class CellChoice(Value[Mapping[str, Any]]):
    """The state of a table whose cells can be selected."""

    def row(self, rows: Sequence[T]) -> T | None:
        """The item of `rows` in whose row a cell is selected; None if there is none."""
        cells = self.value["selection"]["cells"]
        return rows[cells[0][0]] if cells and cells[0][0] < len(rows) else None


class Group:
    """Values that are declared together, as attributes of a subclass. A name that is not declared raises an error."""

    def __setattr__(self, name: str, new: object) -> None:
        raise AttributeError(f"{name} cannot be assigned; set the attribute `value` of a declared value.")

    @cached_property
    def widgets(self) -> dict[str, Widget[Any]]:
        """The declared widgets by key."""
        return {one.key: one for one in vars(type(self)).values() if isinstance(one, Widget)}

    @property
    def initial(self) -> dict[str, Any]:
        """The initial value of every widget, by key."""
        return {key: widget.initial for key, widget in self.widgets.items()}

    @property
    def values(self) -> dict[str, Any]:
        """The value of every widget, by key, in one read of the session instead of one for each."""
        state = st.session_state.to_dict()
        return {key: state.get(key, widget.initial) for key, widget in self.widgets.items()}

    def fill(self, new: Mapping[str, Any]) -> None:
        """Set these widgets, by key, before they are drawn; KeyError for another key."""
        for key, one in new.items():
            self.widgets[key].value = one

    def reset(self) -> None:
        """Return every widget to its initial value; a callback."""
        self.fill(self.initial)


def give_values(widgets: Iterable[Widget[Any]], *, is_page_switch: bool) -> None:
    """Give every widget a value before it is drawn for the first time in a visit, and again on each page.

    Streamlit keeps the value of a widget, but on another page its first run reads the default of the widget until the
    value is set. In other runs, setting it would send an outdated value to the browser while a user moves a slider.
    """
    current = st.session_state.to_dict()  # one read of the session instead of one for each key
    for widget in widgets:
        if is_page_switch or widget.key not in current:
            widget.value = current.get(widget.key, widget.initial)
