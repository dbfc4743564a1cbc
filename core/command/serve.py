"""The command `serve`: the guardrail as a service over HTTP."""

import socket
from argparse import ArgumentParser, Namespace
from contextvars import Context

from core.access import AccessError, mode
from core.command.terminal import preset_of, settings_of
from core.journal.export import Noting
from core.settings import SettingError
from core.startup import open_explorer

HOST, PORT = "127.0.0.1", 8600


def add_options(sub: ArgumentParser) -> None:
    sub.add_argument("--host", default=HOST, help=f"address to listen at; default: {HOST}, this computer only")
    sub.add_argument("--port", type=int, default=PORT, help=f"default: {PORT}; 0 takes a free one")
    sub.add_argument("--otlp", default="", metavar="URL", help="send OpenTelemetry's spans to this collector")


def serve(options: Namespace) -> int:
    """Answer until Ctrl-C; its address is a line on stdout. AccessError for an open address without tokens."""
    from core.service.app import TOKENS, Serving, service, tokens  # FastAPI takes half a second to import

    under, settings = preset_of(options), settings_of(options)
    if not tokens() and mode() == "school":
        raise AccessError(f"In a school only who has a token is answered; name some in {TOKENS}.")
    if not tokens() and options.host not in (HOST, "localhost"):
        raise AccessError(f"Others than this computer are answered only with tokens; name some in {TOKENS}.")
    listening = _listening(options.host, options.port)
    explorer = open_explorer(options.home, options.profile, settings)
    noting = Noting(options, under, settings, "service")
    app = service(Serving(explorer=explorer, under=under, note=noting, exporter=options.otlp))
    print(f"http://{options.host}:{listening.getsockname()[1]}", flush=True)
    Context().run(_run, app, listening)  # whoever asks has not the rights of whoever started it
    return noting.code


def _run(app: object, listening: socket.socket) -> None:
    import uvicorn

    config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False, log_config=None)
    uvicorn.Server(config).run(sockets=[listening])


def _listening(host: str, port: int) -> socket.socket:
    """The socket, taken before models are loaded."""
    try:
        return socket.create_server((host, port), backlog=2048)
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or error
        raise SettingError(f"{host}:{port} cannot be listened at ({why}); name another --host or --port.") from error
