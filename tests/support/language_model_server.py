"""A real HTTP server that speaks OpenAI's protocol, streaming included. What it does depends on the model asked for."""

import gzip
import json
import math
import sys
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

RIGHT_KEY = "sk-the-right-one"
ANSWER = "Sound travels at about 1500 metres per second in water [1]. It is slower in air [2]."


class Server(ThreadingHTTPServer):
    """reply: what the model says. seen: every request, with its headers and what it asked."""

    daemon_threads = True

    def __init__(self, reply=ANSWER, key=""):
        super().__init__(("127.0.0.1", 0), Handler)
        self.reply, self.key, self.seen, self.fails = reply, key, [], 0

    def handle_error(self, request, client_address):
        """A client that hangs up is what some tests are about."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


@contextmanager
def serving(**about):
    server = Server(**about)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """Nothing: a test says what went wrong."""

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.seen.append({"path": self.path, "headers": dict(self.headers), **request})
        if self.server.key and self.headers["Authorization"] != f"Bearer {self.server.key}":
            return self._error(401, f"Incorrect API key provided: {self.headers['Authorization']}")
        does = getattr(self, f"_{request['model']}", None)
        if does is None:
            return self._error(404, "no such model")
        return does(request)

    def _good(self, request):
        self._stream(self.server.reply) if request.get("stream") else self._whole(self.server.reply)

    def _plain(self, request):
        """Knows no options, as some models do."""
        return self._error(400, "Unsupported parameter") if "temperature" in request else self._good(request)

    def _varied(self, request):
        """Says something else when it may choose other words."""
        self._stream("Bankers everywhere love clever schemes. [1]" if request["temperature"] else self.server.reply)

    def _moody(self, request):
        self._error(500, "no") if request["temperature"] else self._good(request)

    def _sure(self, request):
        """Tells how probable its words are where it is asked."""
        if request.get("stream"):
            return self._stream(self.server.reply, sure=request.get("logprobs"))
        words = [
            {"token": t, "logprob": math.log(p), "bytes": None} for t, p in ((" Yes", 0.6), ("No", 0.2), ("I", 0.1))
        ]
        logprobs = {"content": [{**words[0], "top_logprobs": words[: request["top_logprobs"]]}]}
        return self._whole(" Yes", logprobs=logprobs)

    def _breaks(self, _):
        self._stream(self.server.reply, ends=None)

    def _cut(self, request):
        self._stream(self.server.reply, ends="length") if request.get("stream") else self._whole("{", "length")

    def _long(self, _):
        self._stream("word " * 4000)

    def _huge(self, _):
        self._chunked(b": " + b"x" * 65536 for _ in range(200))

    def _endless(self, _):
        def drops():
            while True:
                yield _event({"choices": [{"index": 0, "delta": {"content": "a"}, "finish_reason": None}]})
                time.sleep(0.05)

        self._chunked(drops())

    def _packed(self, _):
        self._send(200, gzip.compress(b" " * 10_000_000), "text/event-stream", "gzip")

    def _dripping(self, _):
        """A header now and then, and never the last one."""
        self.send_response(200)
        try:
            while True:
                self.send_header("X-More", "to come")
                self.flush_headers()
                time.sleep(0.3)
        except OSError:
            self.close_connection = True

    def _patient(self, _):
        self._send(429, b"{}", waits="30")

    def _deep(self, request):
        deep = b"[" * 200_000 + b"]" * 200_000
        self._chunked([b'data: {"choices": %s}\n\n' % deep]) if request.get("stream") else self._send(200, deep)

    def _echo(self, request):
        key = self.headers["Authorization"].removeprefix("Bearer ")
        text = f"Your key is {key[:5]}\u200b{key[5:]}, is it not?"
        self._stream(text) if request.get("stream") else self._whole(text)

    def _silent(self, _):
        time.sleep(3)

    def _malformed(self, _):
        self._send(200, b"<html>It works!</html>", "text/html")

    def _odd(self, request):
        if request.get("stream"):
            return self._chunked([_event({"choices": [{"index": 0, "delta": {"content": 7}}]}), b"data: [DONE]\n\n"])
        return self._send(200, b'{"choices": [{"message": {"content": null}}]}')

    def _no_json(self, _):
        self._chunked([b"data: {not json\n\n"])

    def _empty(self, _):
        self._stream("")

    def _moved(self, _):
        self.send_response(307)
        self.send_header("Location", "http://127.0.0.1:9/v1/chat/completions")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _busy(self, _):
        self._error(429, "quota")

    def _ill(self, request):
        """Fails once, and works when it is asked again."""
        self.server.fails += 1
        return self._error(500, "try again") if self.server.fails == 1 else self._good(request)

    def _stream(self, text, ends="stop", *, sure=False):
        pieces = [text[n : n + 7] for n in range(0, len(text), 7)]
        chunks = (
            {"content": [{"token": "x", "logprob": math.log(0.5), "bytes": None, "top_logprobs": []}]} if sure else None
        )
        events = [{"index": 0, "delta": {"content": p}, "finish_reason": None, "logprobs": chunks} for p in pieces]
        events += [{"index": 0, "delta": {}, "finish_reason": ends}] if ends else []
        self._chunked([*(_event({"choices": [e]}) for e in events), b"data: [DONE]\n\n"])

    def _whole(self, text, ends="stop", logprobs=None):
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": ends}
        self._send(200, json.dumps({"choices": [choice | {"logprobs": logprobs}]}).encode())

    def _error(self, status, message):
        self._send(status, json.dumps({"error": {"message": message}}).encode())

    def _send(self, status, data, kind="application/json", packed="identity", waits=None):
        self.send_response(status)
        if waits:
            self.send_header("Retry-After", waits)
        self.send_header("Content-Encoding", packed)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _chunked(self, parts):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            for part in parts:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
            self.wfile.write(b"0\r\n\r\n")
        except OSError:
            self.close_connection = True  # the client has heard enough


def _event(chunk):
    about = {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": "m"}
    return b"data: " + json.dumps({**about, **chunk}).encode() + b"\n\n"
