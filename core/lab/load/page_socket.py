"""A client of Streamlit's protocol, which opens and uses a page of the app without a browser."""

import time
from collections.abc import Collection
from typing import Any

import httpx
from google.protobuf.message import Message
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

_MOST_BYTES = 64 * 2**20
_HOLDS = {
    "text_input": ("string_value", lambda w: w.value if w.set_value else w.default),
    "text_area": ("string_value", lambda w: w.value if w.set_value else w.default),
    "selectbox": ("string_value", lambda w: w.raw_value if w.set_value else w.options[w.default]),
    "slider": ("double_array_value", lambda w: list(w.value if w.set_value else w.default)),
    "checkbox": ("bool_value", lambda w: w.value if w.set_value else w.default),
    "multiselect": (
        "string_array_value", lambda w: list(w.raw_values) if w.set_value else [w.options[n] for n in w.default]
    ),
    "button_group": (
        "string_array_value",
        lambda w: list(w.raw_values) if w.set_value else [w.options[n].content for n in w.default],
    ),
}  # fmt: skip
"""For each kind of widget, the protocol's field for its value, and a function that reads its value as last drawn."""
_FINISHED = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
_CUT_SHORT = ForwardMsg.FINISHED_EARLY_FOR_RERUN


class PageError(AssertionError):
    """The page did not behave as expected; the message says how."""


class SocketPage:
    """One visitor's page.

    elements: elements on the page by their path. met: time.perf_counter() at which the text `awaited` was first drawn in
    the last run; None if it was not. cookies: what a browser would send with its next request.
    """

    def __init__(self, socket: ClientConnection, cookies: httpx.Cookies | None = None) -> None:
        self._socket, self.cookies = socket, cookies
        self._states: dict[str, tuple[str, Any]] = {}
        self._page_script = ""
        self.elements: dict[tuple[int, ...], Message] = {}
        self._parts: dict[tuple[int, ...], str] = {}
        self.awaited, self.met = "", None

    @classmethod
    async def open_page(cls, address: str, cookies: httpx.Cookies | None = None) -> "SocketPage":
        """Open the page at `address`, and wait until it is drawn. cookies: of an earlier visit.

        Raises httpx.HTTPError, OSError or WebSocketException if nobody answers.
        """
        async with httpx.AsyncClient(cookies=cookies) as browser:
            (await browser.get(address)).raise_for_status()
            request = browser.build_request("GET", address)
        url = address.replace("http", "ws", 1) + "/_stcore/stream"
        headers = {"Cookie": request.headers.get("Cookie", "")}
        socket = await connect(
            url, subprotocols=["streamlit"], max_size=_MOST_BYTES, ping_timeout=None, additional_headers=headers
        )  # type: ignore[list-item]
        page = cls(socket, browser.cookies)
        await page.run()
        return page

    async def close(self) -> None:
        await self._socket.close()

    def widget(self, kind: str, label: str) -> Any:
        """The widget of a kind, such as "slider", whose label is `label` or, if there is none, starts with it.

        Raises PageError if there is neither.
        """
        widgets = [getattr(element, kind) for element in self.elements.values() if element.WhichOneof("type") == kind]
        if matches := [widget for widget in widgets if widget.label.startswith(label)]:
            return min(matches, key=lambda widget: len(widget.label))
        raise PageError(f"There is no {kind} called {label} on the page.")

    def says(self, text: str) -> bool:
        """True if `text` is on the page."""
        return any(text in words(element) for element in self.elements.values())

    async def run(self, pressed: Any = None) -> None:
        """Run the script with the current values of the widgets, until the page is drawn. pressed: the button that is
        pressed; None for none."""
        sent = BackMsg()
        sent.rerun_script.page_script_hash = self._page_script  # as browsers do; without it the whole page is drawn
        for name, (field, value) in self._states.items():
            state = sent.rerun_script.widget_states.widgets.add(id=name)
            if isinstance(value, list):
                getattr(state, field).data.extend(value)
            else:
                setattr(state, field, value)
        if pressed is not None:
            sent.rerun_script.widget_states.widgets.add(id=pressed.id, trigger_value=True)
        await self._socket.send(sent.SerializeToString())
        await self._receive()

    async def set(self, widget: Any, value: Any) -> None:
        """Set a widget's value and run the script."""
        self.hold(widget, value)
        await self.run()

    def hold(self, widget: Any, value: Any) -> None:
        """Store a widget's value without running the script, as a form does; the next run sends it."""
        self._states[widget.id] = (self._states[widget.id][0], value)

    async def _receive(self) -> None:
        """Receive what the server draws until the script has ended without a rerun."""
        elements: dict[tuple[int, ...], Message] = {}
        new = []
        self.met = None
        while True:
            message = ForwardMsg.FromString(await self._socket.recv(decode=False))
            kind = message.WhichOneof("type")
            if kind == "navigation":
                self._page_script = message.navigation.page_script_hash
            elif kind == "new_session":  # of a part of the page all else stands
                parts = set(message.metadata.run.fragment_ids)
                elements = {
                    path: one for path, one in self.elements.items() if parts and self._parts[path] not in parts
                }
            elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
                path = tuple(message.metadata.delta_path)
                elements[path], self._parts[path] = message.delta.new_element, message.delta.fragment_id
                new.append(path)
                if self.awaited and self.met is None and self.awaited in words(message.delta.new_element):
                    self.met = time.perf_counter()
            elif kind == "ref_hash":
                raise PageError("The server spoke of something that this page never kept.")
            elif kind == "script_finished" and message.script_finished != _CUT_SHORT:
                if message.script_finished not in _FINISHED:
                    raise PageError(f"The script ended as {message.script_finished}.")
                self.elements = elements
                self._update_states(new)
                return

    def _update_states(self, drawn_now: Collection[tuple[int, ...]]) -> None:
        """Update the values of all widgets on the page; values of widgets that are gone are dropped."""
        old_states, self._states = self._states, {}
        for path, element in self.elements.items():
            kind = element.WhichOneof("type")
            if kind in _HOLDS:
                widget, (field, as_drawn) = getattr(element, kind), _HOLDS[kind]
                new = (widget.set_value and path in drawn_now) or widget.id not in old_states
                self._states[widget.id] = (field, as_drawn(widget)) if new else old_states[widget.id]


def words(element: Message) -> str:
    """All text of an element, including the text of its parts."""
    return element.SerializeToString().decode("utf-8", errors="ignore")
