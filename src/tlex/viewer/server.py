"""The pages of a library over HTTP, for this machine only."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from threading import Event, Thread

import msgspec
import uvicorn
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tlex.errors import OptionError, TlexError
from tlex.viewer.data import Changes, Place
from tlex.viewer.library import BROKEN, Library, UnknownDocumentError
from tlex.viewer.page import find_policy, html, list_page, refusal_page
from tlex.viewer.repair_desk import Desk
from tlex.viewer.repair_routes import RepairRoutes, make_token

__all__ = ["make_app", "serve"]

LOOPBACK = "127.0.0.1"

HOSTS = frozenset({"127.0.0.1", "localhost"})
HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)
_SWITCH = {"on": True, "off": False}
_ALONE = "frame-ancestors 'none'"
_NOTHING = f"default-src 'none'; {_ALONE}".encode()
_PAGE = f"{find_policy(live=True)}; {_ALONE}".encode()


def make_app(
    library: Library, *, follow: bool = True, desk: Desk | None = None, token: str = ""
) -> Starlette:
    """Make the application; with ``follow`` it follows changes on the disk while it runs.

    With a ``desk`` contradictions can be decided by whoever has the ``token``.
    """

    @asynccontextmanager
    async def keep_up(_: Starlette) -> AsyncIterator[None]:
        stop = Event()
        work = [library.follow, *([] if desk is None else [desk.follow])] if follow else []
        threads = [Thread(target=one, args=(stop,), name="tlex view", daemon=True) for one in work]
        for thread in threads:
            thread.start()
        yield
        stop.set()
        for thread in threads:
            thread.join(1)

    def show_first(request: Request) -> Response:
        place = Place(live=library.version)  # first: later changes are reported later
        entries = library.list_entries()
        if library.single and len(entries) <= 1:
            return show(entries[0].name if entries else library.name, request)
        return HTMLResponse(list_page(library.name, entries, place))

    def show_document(request: Request) -> Response:
        return show(request.path_params["name"], request)

    def show(name: str, request: Request) -> Response:
        place = library.find_place(name)
        if desk is not None:
            place = replace(place, repair=library.address(name).replace("document", "repair", 1))
        calendar = _SWITCH.get(request.query_params.get("calendar", ""))
        try:
            return HTMLResponse(html(library.open(name, calendar=calendar), place))
        except UnknownDocumentError:
            # It may come back: editors replace files.
            message = "there is no document with this name"
            return HTMLResponse(refusal_page(name, message, place, missing=True), 404)
        except (TlexError, MemoryError, RecursionError) as error:
            message = str(error) or "there is not enough memory for this"
            return HTMLResponse(refusal_page(name, message, place))

    def list_changes(request: Request) -> Response:
        try:
            since = int(request.query_params.get("since", "0"))
        except ValueError:
            return PlainTextResponse("since must be a number\n", 400)
        version = library.version  # first, as above
        whole = since < library.shrunk
        entries = library.list_entries(0 if whole else since)
        changes = Changes(version=version, whole=whole, entries=entries)
        return Response(msgspec.json.encode(changes), media_type="application/json")

    return Starlette(
        routes=[
            *([] if desk is None else RepairRoutes(desk, token).list_routes()),
            Route("/", show_first),
            Route("/document/{name:path}", show_document),
            Route("/changes", list_changes),
        ],
        middleware=[Middleware(_Guard)],
        lifespan=keep_up,
    )


class _Guard:
    """Refuses requests for another host name, and adds the security headers to every answer.

    This stops DNS rebinding: a foreign page can make its own host name point to this machine, but
    then the request carries that name.

    A request that is answered before the end of its body was read may have no end: its connection
    is closed with the answer. Else the server would read on, for as long as the client sends.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        more = any(
            name == b"transfer-encoding" or (name == b"content-length" and value != b"0")
            for name, value in scope["headers"]
        )

        async def receive_guarded() -> Message:
            nonlocal more
            message = await receive()
            more = message.get("more_body", False)
            return message

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                page = dict(message["headers"]).get(b"content-type", b"").startswith(b"text/html")
                policy = _PAGE if page else _NOTHING
                message["headers"] = [
                    *message["headers"],
                    *HEADERS,
                    (b"content-security-policy", policy),
                    *([(b"connection", b"close")] if more else []),
                ]
            await send(message)

        app: Callable[[Scope, Receive, Send], Awaitable[None]] = self.app
        if not _is_ours(scope):
            app = PlainTextResponse("this server answers to 127.0.0.1 and localhost only\n", 421)
        await app(scope, receive_guarded, send_guarded)


def _is_ours(scope: Scope) -> bool:
    hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
    if len(hosts) != 1:
        return False
    name, colon, port = hosts[0].partition(":")
    return name.lower() in HOSTS and (not colon or (port.isascii() and port.isdigit()))


def serve(
    library: Library, port: int, announce: Callable[[str], None], desk: Desk | None = None
) -> None:
    """Serve the pages of a library on this machine until Ctrl-C; port 0 chooses a free port.

    ``announce`` is called with the address as soon as it can be opened. With a ``desk`` the
    address carries the token that changes need. Raises `OptionError` if
    the port cannot be used or the only file cannot be read, and `KeyboardInterrupt` at Ctrl-C.
    """
    library.scan()
    if library.single:
        _insist(library)
    listening = _listen(port)
    token = make_token()
    config = uvicorn.Config(
        make_app(library, desk=desk, token=token),
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        timeout_graceful_shutdown=1,
    )
    for name in ("uvicorn.error", "asyncio"):
        logging.getLogger(name).addFilter(_is_news)
    behind = "" if desk is None else f"#token={token}"
    announce(f"http://{LOOPBACK}:{listening.getsockname()[1]}/{behind}")
    try:
        uvicorn.Server(config).run(sockets=[listening])
    finally:
        listening.close()


def _insist(library: Library) -> None:
    """Raise `OptionError` if the only file cannot be read."""
    entries = list(library.settle())
    if all(entry.verdict == BROKEN for entry in entries):
        message = entries[0].message if entries else "holds no document"
        path = str(library.root)
        raise OptionError(
            path + message.removeprefix(library.name)
            if message.startswith(f"{library.name}:")
            else f"{path}: {message}"
        )


def _listen(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name != "nt":
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((LOOPBACK, port))
        listening.listen()  # a browser may connect as soon as the address is announced
    except OSError as error:
        listening.close()
        raise OptionError(f"port {port} cannot be used: {error.strerror or error}") from None
    return listening


def _is_news(record: logging.LogRecord) -> bool:
    """Whether something is a fault of ours.

    It is none if connections that are still open at Ctrl-C are closed, or if somebody has sent what
    is no HTTP and got the answer that says so; uvicorn then cannot send the answer of the page.
    """
    fault = record.exc_info[1] if record.exc_info else None
    is_theirs = type(fault).__module__.partition(".")[0] == "h11"
    return not is_theirs and "graceful shutdown" not in record.getMessage()
