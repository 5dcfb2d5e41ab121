"""The pages of a club: who may see what, limits, errors, what each form and request of a board does; and their server.

A request gets its own open club. A board is answered from the player's own file, which has nothing that they may not
know: that of the position in the last reports, opened once, and kept as long as there is room. What people write becomes
an input, which is answered as a mail is; see ``club.mails``.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import re
import socket
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit
from weakref import WeakValueDictionary

import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from adjudicator.club import ClubError, lists, tournament
from adjudicator.club.clock import bank_words, own_deadline, task_words
from adjudicator.club.club import Club, GameRow, SeatRow, open_club, read_settings
from adjudicator.club.commands import forms, line_of, read
from adjudicator.club.counting import counted_words
from adjudicator.club.db import LEDGER, Db
from adjudicator.club.letters import new_token
from adjudicator.club.mails import answer_one, keep_input, waiting_mails
from adjudicator.club.reports import desk_folder, desk_release, last_report
from adjudicator.club.rounds import RoundDone, run
from adjudicator.core.problem import AdjudicatorError
from adjudicator.core.values import Seat, Value, digest
from adjudicator.desk.requests import Desk, Mistake, Refused
from adjudicator.files.errors import FileProblem
from adjudicator.library.rulesets import meta_of
from adjudicator.reports.texts import safe_json
from adjudicator.reports.web import asset, filled_page, web_document
from adjudicator.results import OrderProblem
from adjudicator.serve.sessions import LONGEST, Session, ask_for_link, log_in, log_out, network_of, session_of

ASKED: Final = frozenset({"look", "moment", "check", "costs", "rule", "words", "what_if"})
"""The requests that only read."""
_MOST: Final = 64
"""The most boards to keep."""


class SeatState(Value, kw_only=True):
    """What may have changed since a board was shown.

    ``position`` names what the player knows. Orders are due ``until`` (empty: no deadline), at ``due_at`` (seconds since
    1970). ``words`` says which orders count now, if that was asked.
    """

    position: str
    is_due: bool
    is_over: bool
    until: str
    due_at: int
    words: str = ""


class Receipt(Value, kw_only=True):
    """The answer to orders: the ``state`` of the input (new: a round will answer it), a ``subject``, and the ``receipt``."""

    state: str
    subject: str
    receipt: str
    problems: tuple[OrderProblem, ...]
    position: str


class Board:
    """An open own file at its ``turn``. ``position`` names what its player knows: another one after each new report."""

    def __init__(self, name: str, own: bytes) -> None:
        """Open the ``own`` file of a game called ``name``."""
        self.position = digest(own)[:16]
        self._desk, self._lock, self._looks = Desk(), Lock(), dict[str, tuple[str, bytes | None]]()
        said, _ = self._desk.answer("open", json.dumps({"name": f"{name}.json"}), [own])
        self.turn = int(json.loads(said)["game"]["turn"])

    def ask(self, name: str, values: Mapping[str, Any]) -> tuple[str, bytes | None]:
        """Answer a request as ``Desk.answer`` does."""
        text = json.dumps(values)
        with self._lock:
            if name != "look":
                return self._desk.answer(name, text)
            if text not in self._looks:
                self._looks = {text: self._desk.answer(name, text)}  # each board begins with the same
            return self._looks[text]

    def problems(self, seat: str, text: str) -> tuple[OrderProblem, ...]:
        """Return what is wrong with the orders in a ``text`` of ``seat``."""
        with self._lock, suppress(Exception):  # whatever fails here, the receipt has told the player what counts
            return self._desk.check(viewer=seat, text="\n".join(read(text.split("\n")).rest)).problems
        return ()


class Boards:
    """The boards that were used last."""

    def __init__(self) -> None:
        """Begin without any."""
        self._kept, self._lock = dict[tuple[int, str], Board](), Lock()

    def of(self, club: Club, row: GameRow, seat: SeatRow) -> Board | None:
        """Return the board of ``seat``; ``None`` if a command has changed the game and no report has told it yet.

        Raises ``FileProblem``.
        """
        key = seat.id, row.seal
        with self._lock:
            if found := self._kept.pop(key, None):
                return self._kept.setdefault(key, found)  # as the last one
        game = club.game(row)
        if not row.seal or game.record.seal != row.seal:
            return None
        made = Board(row.name, game.seen_by(seat.seat).own_file())
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > _MOST:
                del self._kept[next(iter(self._kept))]
        return made


_log = logging.getLogger("uvicorn.error")
_MOST_BODY: Final = 100_000
_MOST_TEXT: Final = 20_000
"""The most characters of orders or of a command."""
_MOST_REQUESTS: Final = 1200
"""The most requests of a session within a minute, and of all clients without one from a network."""
_WORKERS: Final = 3
"""Threads that answer requests: more of them would only wait for each other, and the last one too long."""
_COOKIE, _WANTED = "club", "wanted"
_PAGE_OF_SEAT: Final = re.compile(r"/g/[\w.-]{1,80}(?:/\w{1,24}(?:/orders|/report|/replay)?)?", re.ASCII)
"""The pages to which a person comes after logging in, if they wanted to go there."""
_DESK_FILE: Final = re.compile(r"[0-9a-f]{12}/[\w.+/-]{1,200}", re.ASCII)
_KEY: Final = re.compile(r"[A-Za-z0-9-]{8,80}")
_LOOPBACK: Final = re.compile(r"(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?")
_POLICY: Final = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; frame-src 'self'; form-action 'self'; base-uri 'none';"
    " frame-ancestors 'none'"
)
_BOARD_POLICY: Final = f"{_POLICY}; script-src 'self'; connect-src 'self'"
_REPORT_POLICY: Final = "sandbox allow-scripts; frame-ancestors 'self'"
_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # with `no-referrer`, browsers do not tell where a form comes from
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_TOO_LONG: Final = f"This text is too long: the club takes {_MOST_TEXT:,} characters."
_CHANGED: Final = "The moderator has changed this game. Your next report, within a minute, tells how: please try again then."


@dataclass(eq=False)
class RefusedError(Exception):
    """A request that is refused, with the ``status`` of HTTP and ``words`` for the person."""

    status: int
    words: str


@dataclass
class Site:
    """The pages of the club in ``folder`` at ``address`` (empty: only on this computer).

    With ``is_behind_proxy``, the field X-Forwarded-For has the address of the client. ``wake`` asks for a round; ``clock``
    gives the seconds since 1970. The body of a request must arrive within ``patience`` seconds.
    """

    folder: Path
    address: str = ""
    is_behind_proxy: bool = False
    wake: Callable[[], object] = lambda: None
    clock: Callable[[], float] = time.time
    patience: float = 20
    boards: Boards = field(default_factory=Boards)
    requests: dict[str, deque[float]] = field(default_factory=dict)
    workers: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(_WORKERS))

    def origin(self, request: Request) -> str:
        """Return the scheme and host of the pages for a request. Raises ``RefusedError`` if it is for another host."""
        host, own = request.headers.get("host", ""), urlsplit(self.address)
        if self.address and host.lower() == own.netloc.lower():
            return f"{own.scheme}://{own.netloc}"
        if not self.is_behind_proxy and _LOOPBACK.fullmatch(host):
            return f"http://{host}"
        raise RefusedError(421, "This is not the address of the club.")

    def client(self, request: Request) -> str:
        """Return the address of the client: behind a proxy, the one that the proxy has written last."""
        proxied = request.headers.get("x-forwarded-for", "").rpartition(",")[2].strip()
        return proxied if self.is_behind_proxy else request.client.host if request.client else ""

    def count(self, who: str) -> None:
        """Count a request. Raises ``RefusedError`` if there are too many."""
        now = time.monotonic()
        if len(self.requests) > 10_000:
            self.requests.clear()
        times = self.requests.setdefault(who, deque(maxlen=_MOST_REQUESTS))
        if len(times) == _MOST_REQUESTS and times[0] > now - 60:
            raise RefusedError(429, "These are too many requests. Please wait a minute.")
        times.append(now)


@dataclass
class Visit:
    """A request: the club, the ``values`` of its form or JSON, and its session (``None``: nobody has logged in)."""

    site: Site
    club: Club
    request: Request
    origin: str
    values: Mapping[str, Any]
    session: Session | None

    def known(self) -> Session:
        """Return the session. Raises ``RefusedError``."""
        if self.session is None:
            raise RefusedError(401, "Please log in first.")
        return self.session

    def seat(self) -> tuple[GameRow, SeatRow]:
        """Return the game and the seat in the path (none: the first of the person). Raises ``RefusedError``."""
        name, wanted = self.request.path_params["game"], self.request.path_params.get("seat")
        for seat in self.club.seats_of(self.known().person.id):
            row = self.club.row(seat.game)
            if row.name == name and wanted in (None, seat.seat) and not row.removed:
                return row, seat
        raise RefusedError(404, "You have no such seat.")

    def board(self) -> tuple[GameRow, SeatRow, Board]:
        """Return the game, the seat and the board in the path. Raises ``RefusedError``, ``FileProblem``."""
        row, seat = self.seat()
        board = self.site.boards.of(self.club, row, seat)
        if board is None:
            raise RefusedError(409, _CHANGED)
        return row, seat, board

    def page(self, template: str, status: int = 200, policy: str = _POLICY, **values: Any) -> Response:
        """Return the page that ``template`` makes of ``values``."""
        return _page(template, status, policy, self.club.settings.name, self.session, **values)

    def set_cookie(self, response: Response, name: str, value: str, seconds: int) -> None:
        """Let ``response`` set a cookie for these pages alone."""
        is_secure = self.origin.startswith("https:")
        response.set_cookie(name, value, max_age=seconds, secure=is_secure, httponly=True, samesite="lax")


Handler = Callable[[Visit], Response]


def begin(visit: Visit) -> Response:
    """Show the form to log in, or what the person has."""
    return RedirectResponse("/me", 303) if visit.session else visit.page("begin", title="Log in", words=())


def login(visit: Visit) -> Response:
    """Send a link to the address, if the club knows it; the answer is the same for all."""
    ask_for_link(visit.club, str(visit.values.get("address")), visit.site.client(visit.request), visit.origin)
    visit.site.wake()
    words = "If the club knows this address, you get a mail with a link in a minute. It works for 30 minutes."
    return visit.page("begin", title="Log in", words=(words,))


def link(visit: Visit) -> Response:
    """Show the button of a link: programs follow links, but press no buttons."""
    return visit.page("link", title="Log in", path=visit.request.url.path)


def use_link(visit: Visit) -> Response:
    """Begin a session."""
    cookie = log_in(visit.club, visit.request.path_params["token"])
    if cookie is None:
        words = "This link is unknown, too old, or has been used. Please ask for another one."
        return visit.page("begin", 403, title="Log in", words=(words,))
    wanted = visit.request.cookies.get(_WANTED, "")
    response = RedirectResponse(wanted if _PAGE_OF_SEAT.fullmatch(wanted) else "/me", 303)
    visit.set_cookie(response, _COOKIE, cookie, LONGEST)
    if wanted:
        response.delete_cookie(_WANTED)
    return response


def logout(visit: Visit) -> Response:
    """End the session, or all of the person."""
    log_out(visit.club, visit.known(), everywhere=bool(visit.values.get("everywhere")))
    response = RedirectResponse("/", 303)
    response.delete_cookie(_COOKIE)
    response.headers["Clear-Site-Data"] = '"storage"'  # the board keeps drafts
    return response


def me(visit: Visit) -> Response:
    """Show the games of the person, the lists and tournaments, and the commands of members."""
    club, person, is_member = visit.club, visit.known().person, _is_member(visit)
    games = list[dict[str, Any]]()
    for seat in club.seats_of(person.id):
        row = club.row(seat.game)
        if not row.removed:
            ruleset, is_due = row.ruleset, seat.is_due and not (seat.is_ready or row.is_over)
            with suppress(AdjudicatorError):  # it is not installed any more
                ruleset = meta_of(ruleset).name
            words = f"{task_words(club, row, seat)} {bank_words(club, row, seat)}".rstrip()
            games.append({"row": row, "seat": seat, "ruleset": ruleset, "is_due": is_due, "words": words})
    games.sort(key=lambda one: (one["row"].is_over, not one["is_due"], one["row"].name))
    joins = [*lists.offers(club, person), *tournament.offers(club, person)] if is_member else []
    hidden = {"HELP", "REGISTER"} | (set() if club.settings.people.new else {"NEW"})
    commands = [form for form in forms("club") if form.name not in hidden] if is_member else []
    return visit.page("me", title="My games", games=games, joins=joins, forms=commands, action="/me/command")


def _is_member(visit: Visit) -> bool:
    return bool(visit.known().person.joined) and visit.club.settings.people.join


def command(visit: Visit) -> Response:
    """Carry out a command of a form, as a mail with its line."""
    is_of_seat = "seat" in visit.request.path_params
    row, seat = visit.seat() if is_of_seat else (None, None)
    if not (is_of_seat or _is_member(visit)):
        raise RefusedError(403, "In this club, the moderator decides who plays what.")
    back = f"/g/{row.name}/{seat.seat}/orders" if row and seat else "/me"
    try:
        values = {name: str(value) for name, value in visit.values.items()}
        line = line_of(values.get("command", ""), "seat" if is_of_seat else "club", values)
    except ValueError as error:
        words = f"The club cannot read this. Please {error}."
        return visit.page("answer", 400, title="Not done", text=words, back=back)
    _, subject, text = _give(visit, line, seat)
    return visit.page("answer", title=subject or "Your command", text=text, back=back)


def _give(visit: Visit, text: str, seat: SeatRow | None, turn: int = 0) -> tuple[str, str, str]:
    """Store a text, perhaps for a ``turn``, and answer it; return its state, a subject and the answer."""
    person, key = visit.known().person, str(visit.values.get("key", ""))
    if not _KEY.fullmatch(key):
        raise RefusedError(400, "The key of this request is missing.")
    if len(text) > _MOST_TEXT:
        raise RefusedError(413, _TOO_LONG)
    given = answer_one(visit.club, keep_input(visit.club, person, text, key, seat, turn))
    visit.site.wake()
    return given


def show_board(visit: Visit) -> Response:
    """Show the board: the page of the desk, which asks this server. Without a desk, the page for orders as text."""
    row, seat = visit.seat()
    base, release = f"/g/{row.name}/{seat.seat}", desk_release(visit.club)
    if "seat" not in visit.request.path_params or not release:
        return RedirectResponse(base if release else f"{base}/orders", 303)
    _, _, board = visit.board()
    title = f"{row.name} ({seat.seat})"
    return visit.page("board", policy=_BOARD_POLICY, title=title, base=base, release=release, position=board.position)


def ask(visit: Visit) -> Response:
    """Answer a request of the board that only reads."""
    _, _, board = visit.board()
    name, values = str(visit.values.get("name")), visit.values.get("values") or {}
    if name not in ASKED or not isinstance(values, dict):
        raise RefusedError(400, "The board cannot ask this here.")
    if any(len(str(value)) > _MOST_TEXT for value in values.values()):
        raise RefusedError(413, _TOO_LONG)
    said, _ = board.ask(name, values)
    return Response(said, media_type="application/json", headers={"X-Position": board.position})


def state(visit: Visit) -> Response:
    """Return what may have changed since the board was shown."""
    (row, seat, board), club = visit.board(), visit.club
    due, words, name = own_deadline(club, row, seat) if row.is_running else 0, "", Seat(seat.seat)
    until = club.moment(due) if due else ""
    if "words" in visit.request.query_params and not row.is_over:
        words = counted_words(club, row, name, club.game(row), waiting_mails(club, row, name))
    found = SeatState(position=board.position, is_due=seat.is_due, is_over=row.is_over, until=until, due_at=due, words=words)
    return Response(safe_json(found), media_type="application/json")


def report(visit: Visit) -> Response:
    """Show the last report, as it was sent, or the page that replays the game as the player may know it."""
    (_, seat), page = visit.seat(), "<!doctype html><title>–</title><p>No report yet.</p>".encode()
    if visit.request.url.path.endswith("/replay"):
        page = visit.board()[2].ask("replay", {"viewer": seat.seat})[1] or page
    elif found := last_report(visit.club, seat):
        page = filled_page(found.html, {}, has_script=True).encode()
    return HTMLResponse(page, headers={"Content-Security-Policy": _REPORT_POLICY})


def orders(visit: Visit) -> Response:
    """Show the page for orders as text, and the commands of a game."""
    row, seat = visit.seat()
    base, board = f"/g/{row.name}/{seat.seat}", visit.site.boards.of(visit.club, row, seat)
    shown = [form for form in forms("seat") if form.name not in ("HELP", "PREVIEW")]
    own: dict[str, Any] = {"base": base, "forms": shown, "action": f"{base}/command", "turn": board.turn if board else 0}
    words = f"{task_words(visit.club, row, seat)} {bank_words(visit.club, row, seat)}".rstrip()
    has_board = bool(desk_release(visit.club))
    return visit.page("orders", title=f"{row.name} ({seat.seat})", words=words, has_board=has_board, **own)


def send_orders(visit: Visit) -> Response:
    """Take the orders of a board or of the page for orders; the answer is the receipt."""
    row, seat = visit.seat()
    text, turn = visit.values.get("text", ""), visit.values.get("turn") or 0
    if not (isinstance(text, str) and text.strip() and re.fullmatch(r"\d{1,6}", str(turn))):
        raise RefusedError(400, "There are no orders to send, or the turn has no number.")
    given, subject, answer = _give(visit, text, seat, int(turn))
    if not _is_json(visit.request):
        return visit.page("answer", title=subject or "Your orders", text=answer, back=f"/g/{row.name}/{seat.seat}/orders")
    board = visit.site.boards.of(visit.club, visit.club.row(row.id), seat)
    problems, position = (board.problems(seat.seat, text), board.position) if board else ((), "")
    found = Receipt(state=given, subject=subject, receipt=answer, problems=problems, position=position)
    return Response(safe_json(found), media_type="application/json")


def style(_visit: Visit) -> Response:
    """Return the look of the pages."""
    text = asset("identity.css serve/templates/style.css")
    return Response(text, media_type="text/css", headers={"Cache-Control": "no-cache"})


def desk_file(visit: Visit) -> Response:
    """Return a file of a release of the desk: no page of a player is there."""
    folder, params = desk_folder(visit.club), visit.request.path_params
    if folder and _DESK_FILE.fullmatch(f"{params['release']}/{params['path']}"):
        place = (folder / params["release"]).resolve()
        path = (place / params["path"]).resolve()
        if path.is_relative_to(place) and path.is_file():
            return FileResponse(path, headers={"Cache-Control": "public, max-age=31536000, immutable"})
    raise RefusedError(404, "There is no such file.")


def _is_json(request: Request) -> bool:
    return request.headers.get("content-type", "").partition(";")[0].strip() == "application/json"


async def _values(request: Request, patience: float) -> Mapping[str, Any]:
    """Return the values in the body of a request. Raises ``RefusedError``."""
    body = b""
    try:
        async with asyncio.timeout(patience):
            async for part in request.stream():
                body += part
                if len(body) > _MOST_BODY:
                    raise RefusedError(413, "This is too long.")
    except (TimeoutError, ClientDisconnect):
        raise RefusedError(408, "This request has not arrived as a whole. Please try again.") from None
    try:
        if _is_json(request):
            found = json.loads(body)
            if isinstance(found, dict):
                return found
            raise ValueError
        return dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=50))
    except (ValueError, RecursionError):
        raise RefusedError(400, "This request cannot be read.") from None


def _handle(site: Site, handler: Handler | None, request: Request, values: Mapping[str, Any], origin: str) -> Response:
    with open_club(site.folder, int(site.clock())) as club:
        session = session_of(club, request.cookies.get(_COOKIE, ""))
        visit = Visit(site, club, request, origin, values, session)
        try:
            site.count(f"session/{session.id}" if session else f"path/{network_of(site.client(request))}")
            if session and request.method == "POST":
                given = request.headers.get("x-token", "") if _is_json(request) else values.get("csrf", "")
                if not hmac.compare_digest(str(given).encode(), session.csrf.encode()):
                    raise RefusedError(403, "This form is too old. Please load its page again.")
            if handler is None:
                raise RefusedError(404, "There is no such page.")
            return handler(visit)
        except RefusedError as error:
            if error.status != 401 or request.method != "GET" or request.url.path.endswith("/state"):
                return _refusal(request, error.status, error.words, visit)
            response = RedirectResponse("/", 303)
            if _PAGE_OF_SEAT.fullmatch(request.url.path):
                visit.set_cookie(response, _WANTED, request.url.path, 3600)
            return response


def _refusal(request: Request, status: int, words: str, visit: Visit | None = None) -> Response:
    if _is_json(request) or request.url.path.endswith("/state"):
        return Response(safe_json(Refused(Mistake("refused", words))), status, media_type="application/json")
    if visit is not None:
        return visit.page("answer", status, title="Not done", text=words, back="/me" if visit.session else "/")
    return _page("answer", status, title="Not done", text=words, back="/")


def _page(
    template: str, status: int, policy: str = _POLICY, club: str = "", session: Session | None = None, **values: Any
) -> Response:
    own = {"club": club, "person": session and session.person, "csrf": session.csrf if session else "", "key": new_token()}
    text = web_document(f"serve/templates/{template}.html", **own, **values)
    return HTMLResponse(text, status, {"Content-Security-Policy": policy})


def app_of(site: Site) -> Starlette:
    """Return the pages as an application for a server of ASGI."""
    # Each session, all clients without one together, and all who send to one game have one worker: a game may be at work.
    turns = WeakValueDictionary[tuple[str, str], asyncio.Lock]()

    def endpoint(handler: Handler | None) -> Callable[..., Any]:
        async def respond(request: Request, _error: Exception | None = None) -> Response:
            try:
                origin = site.origin(request)
                if request.method == "POST":
                    by, sent = request.headers.get("sec-fetch-site"), request.headers.get("origin")
                    if by not in (None, "same-origin", "none") or sent not in (None, origin):
                        raise RefusedError(403, "Another site has sent this. Please use the pages of the club.")
                values = await _values(request, site.patience) if request.method == "POST" else {}
                loop, who = asyncio.get_running_loop(), request.cookies.get(_COOKIE, "")
                game = request.path_params.get("game", who) if handler in (command, send_orders) else who
                session, sending = (turns.setdefault(key, asyncio.Lock()) for key in (("session", who), ("game", game)))
                async with session, sending:
                    response = await loop.run_in_executor(site.workers, _handle, site, handler, request, values, origin)
            except RefusedError as error:
                response = _refusal(request, error.status, error.words)
            except (FileProblem, ClubError) as failure:
                _log.error("a request was refused: %s", failure)
                response = _refusal(request, 503, "The club is at work. Please try again in a minute.")
            except Exception as bug:
                _log.exception("an error of the program", exc_info=bug)
                response = _refusal(request, 500, "The program has failed on this. Its log tells the moderator why.")
            for name, value in _HEADERS.items():
                response.headers.setdefault(name, value)
            if response.status_code in (408, 413):  # the rest of the body may never come
                response.headers["Connection"] = "close"
            return response

        return respond

    handlers: list[tuple[str, str, Handler]] = [
        ("GET", "/", begin),
        ("POST", "/login", login),
        ("GET", "/login/{token}", link),
        ("POST", "/login/{token}", use_link),
        ("POST", "/logout", logout),
        ("GET", "/me", me),
        ("POST", "/me/command", command),
        ("GET", "/g/{game}", show_board),
        ("GET", "/g/{game}/{seat}", show_board),
        ("POST", "/g/{game}/{seat}/ask", ask),
        ("GET", "/g/{game}/{seat}/state", state),
        ("GET", "/g/{game}/{seat}/report", report),
        ("GET", "/g/{game}/{seat}/replay", report),
        ("GET", "/g/{game}/{seat}/orders", orders),
        ("POST", "/g/{game}/{seat}/orders", send_orders),
        ("POST", "/g/{game}/{seat}/command", command),
        ("GET", "/style.css", style),
        ("GET", "/desk/{release}/{path:path}", desk_file),
    ]
    routes = [Route(path, endpoint(handler), methods=[method]) for method, path, handler in handlers]
    unknown = endpoint(None)
    app = Starlette(routes=routes, exception_handlers={404: unknown, 405: unknown})
    app.router.redirect_slashes = False
    return app


def server_of(site: Site) -> uvicorn.Server:
    """Return a server of ``site`` that ``run`` starts; requests leave no trace."""
    return uvicorn.Server(
        uvicorn.Config(
            app_of(site),
            log_level="error",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            lifespan="off",
            limit_concurrency=200,
            h11_max_incomplete_event_size=16_384,
            timeout_graceful_shutdown=10,
        )
    )


def serve(
    folder: Path,
    port: int,
    show: Callable[[RoundDone, tuple[str, ...]], object],
    begun: Callable[[str], object],
    *,
    is_behind_proxy: bool,
) -> None:
    """Serve the club in ``folder`` at ``port`` (0: any) of the loopback address until the program is stopped.

    ``show`` gets the result of each round, ``begun`` the address on this computer. If the rounds fail, the pages stay, and
    the log has the reason. Raises ``OSError`` if the port is taken.
    """
    sys.setswitchinterval(0.0005)
    called, kept = Event(), Db(folder / LEDGER)  # as long as it is open, SQLite need not tidy up after each request
    with socket.create_server(("127.0.0.1", port)) as listening:
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # asyncio does it for its own sockets alone
        site = Site(folder, read_settings(folder).serve.address, is_behind_proxy, called.set)
        begun(f"http://127.0.0.1:{listening.getsockname()[1]}/")

        def do_rounds() -> None:
            while True:
                try:
                    run(folder, show, called)
                except BaseException as failure:
                    is_bug = not isinstance(failure, AdjudicatorError)
                    _log.error("the rounds have failed, and begin again in a minute: %s", failure, exc_info=is_bug)
                called.wait(60)
                called.clear()

        Thread(target=do_rounds, daemon=True, name="rounds").start()
        server_of(site).run([listening])
        kept.close()
