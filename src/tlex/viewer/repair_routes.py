"""The addresses of a repair session: pages to read, and requests that change something.

Whoever changes something must come from a page of this server, which the browser says by Origin,
and must know the token, which only the printed address carries. Neither can be had by a page of
another origin, nor by another user of this machine who guesses the port.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from tlex._version import __version__
from tlex.errors import TlexError
from tlex.viewer.data import Place
from tlex.viewer.headline import find_headline
from tlex.viewer.library import UnknownDocumentError
from tlex.viewer.page import refusal_page, repair_list_page, repair_page
from tlex.viewer.repair_data import RepairIndexData, describe_repair
from tlex.viewer.repair_desk import ChangedFileError, Desk, Move, OldVersionError

__all__ = ["RepairRoutes", "make_token"]

_LARGEST = 64 * 1024
"""How many bytes a request may have."""

TOKEN = "x-tlex-token"  # noqa: S105 -- the name of a header


def make_token() -> str:
    """Make a secret that nobody can guess."""
    return secrets.token_urlsafe(24)


class RepairRoutes:
    """The routes of a repair session; the first page is its list."""

    def __init__(self, desk: Desk, token: str) -> None:
        self.desk = desk
        self.library = desk.library
        self.token = token

    def list_routes(self) -> list[Route]:
        """List the routes."""
        return [
            Route("/", self.show_first),
            Route("/repairs", self.list_entries),
            Route("/state/{name:path}", self.say_state),
            Route("/repair/{name:path}", self.show_document),
            Route("/try/{name:path}", self.try_out, methods=["POST"]),
            Route("/decide/{name:path}", self.decide, methods=["POST"]),
        ]

    def show_first(self, _: Request) -> Response:
        """Show the list, or the only document."""
        library, desk = self.library, self.desk
        if self._is_alone():
            names = [entry.name for entry in library.list_entries()]
            return self._show(names[0] if names else library.name)
        data = RepairIndexData(
            tlex=__version__,
            name=library.name,
            version=desk.version + library.version,
            entries=desk.list_entries(),
            output=desk.say_output(),
            place=Place(live=library.version),
        )
        return HTMLResponse(repair_list_page(data))

    def list_entries(self, request: Request) -> Response:
        """Give the list, if it is not the one that the page has."""
        version = self.desk.version + self.library.version
        if request.query_params.get("version") == str(version):
            return _answer({"version": version})
        return _answer({"version": version, "entries": self.desk.list_entries()})

    def show_document(self, request: Request) -> Response:
        """Show the decisions of a document."""
        return self._show(request.path_params["name"])

    def say_state(self, request: Request) -> Response:
        """Give the state of a session, if it is not the one that the page has."""
        try:
            _, state = self.desk.open(request.path_params["name"])
        except (TlexError, UnknownDocumentError):
            return _answer({"error": "there is no such document"}, 404)
        if request.query_params.get("version") == str(state.version):
            return _answer({"version": state.version})
        return _answer(state)

    async def try_out(self, request: Request) -> Response:
        """Answer a what-if."""
        return await self._act(request, self.desk.try_out)

    async def decide(self, request: Request) -> Response:
        """Change the session of a document, or save it."""
        return await self._act(request, self.desk.do)

    def _is_alone(self) -> bool:
        return self.library.single and len(self.library.list_entries()) <= 1

    def _show(self, name: str) -> Response:
        previous, following = self.desk.find_unsettled(name)
        place = Place(
            index=None if self._is_alone() else "/",
            previous=previous,
            next=following,
            live=self.library.version,
        )
        try:
            session, state = self.desk.open(name)
        except UnknownDocumentError:
            message = "there is no document with this name"
            return HTMLResponse(refusal_page(name, message, place, missing=True), 404)
        except (TlexError, MemoryError, RecursionError) as error:
            message = str(error) or "there is not enough memory for this"
            return HTMLResponse(refusal_page(name, message, place))
        data = describe_repair(
            session,
            state,
            place,
            name=name,
            headline=find_headline(session.document),
            where=self.library.address(name),
        )
        return HTMLResponse(repair_page(data))

    async def _act(self, request: Request, do: Callable[[str, Move], object]) -> Response:
        refusal = _refuse(request, self.token)
        if refusal:
            return _answer({"error": refusal}, 403)
        try:
            move = msgspec.json.decode(await _read_body(request), type=Move)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ClientDisconnect):
            return _answer({"error": "this request cannot be read"}, 400)
        return await run_in_threadpool(self._perform, request.path_params["name"], move, do)

    def _perform(self, name: str, move: Move, do: Callable[[str, Move], object]) -> Response:
        try:
            return _answer(do(name, move))
        except UnknownDocumentError:
            return _answer({"error": "there is no document with this name"}, 404)
        except OldVersionError as error:
            _, state = self.desk.open(name)
            return _answer({"error": str(error), "state": state}, 409)
        except ChangedFileError as error:
            return _answer({"error": str(error), "difference": error.difference}, 409)
        except TlexError as error:
            return _answer({"error": str(error)}, 422)


def _answer(thing: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(thing), status, media_type="application/json")


def _refuse(request: Request, token: str) -> str:
    """Say why a request may not change anything; empty if it may."""
    headers = request.headers
    origins, hosts = headers.getlist("origin"), headers.getlist("host")
    if len(origins) != 1 or len(hosts) != 1 or origins[0].lower() != f"http://{hosts[0]}".lower():
        return "this request comes from another page"
    if headers.get("sec-fetch-site", "same-origin") != "same-origin":
        return "this request comes from another page"
    if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        return "this request is no JSON"
    given = headers.get(TOKEN, "").encode()
    if not secrets.compare_digest(given, token.encode()):
        return "open the address that tlex view has printed: only that one may change anything"
    return ""


async def _read_body(request: Request) -> bytes:
    """Read a request; of one that is too long, nothing."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > _LARGEST:
            return b""
    return body
