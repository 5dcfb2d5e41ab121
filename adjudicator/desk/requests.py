"""Answer the requests of the page: each is one use of the library, and answers are JSON in the published shapes.

This runs in the worker of the page, on CPython for WebAssembly. Nothing here reads or writes a file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import adjudicator as adj
from adjudicator.core.ids import MODERATOR
from adjudicator.core.problem import AdjudicatorError
from adjudicator.intake import submissions
from adjudicator.orders.submission import Submission, text_submission
from adjudicator.present import choices_of, heading_of
from adjudicator.replay_page import page_of
from adjudicator.reports.audits import result_text
from adjudicator.reports.diagnostics import order_problem
from adjudicator.reports.heading import title_line
from adjudicator.reports.picture import picture
from adjudicator.reports.position import shown_position
from adjudicator.reports.sanitize import safe_json
from adjudicator.reports.scene_text import description_lines
from adjudicator.rulesets import bug_words

_TEXT = "your orders"
"""The name of the text in the editor."""


class Desk:
    """What one page has open: a game of the moderator, or a player's own file."""

    def __init__(self) -> None:
        """Begin without a game."""
        self._game: adj.Game | None = None

    def answer(self, name: str, text: str, data: Any = None) -> tuple[str, bytes | None]:
        """Answer the request ``name`` with the values in the JSON ``text`` and the bytes ``data`` of files.

        Returns JSON and, if the answer is a file, its bytes. A problem is an ``error`` in the answer, never an exception: a
        ``kind`` (``refused`` or ``bug``) and a ``message`` for people.
        """
        try:
            found = REQUESTS[name](self, json.loads(text), [] if data is None else [bytes(one) for one in data])
        except AdjudicatorError as error:
            return safe_json({"error": {"kind": "refused", "message": str(error)}}), None
        except RecursionError:
            return safe_json({"error": {"kind": "refused", "message": "the file is nested too deeply"}}), None
        except Exception as error:
            ruleset = "" if self._game is None else self._game.meta.id
            return safe_json({"error": {"kind": "bug", "message": f"This is {bug_words(error, ruleset)}."}}), None
        return (safe_json({}), found) if isinstance(found, bytes) else (safe_json(found), None)

    @property
    def game(self) -> adj.Game:
        """The open game. Raises ``RequestError`` if none is open."""
        if self._game is None:
            raise adj.RequestError("open a game first")
        return self._game


Values = Mapping[str, Any]
Files = Sequence[bytes]


def _games(_desk: Desk, _values: Values, _files: Files) -> Any:
    """Return the rulesets that can be played."""
    return {
        "games": [
            {
                "id": meta.id,
                "name": meta.name,
                "players": meta.players,
                "options": [
                    {"name": option.name, "default": option.default, "choices": option.choices, "help": option.help}
                    for option in meta.options
                ],
            }
            for meta in adj.installed_games()
        ]
    }


def _open(desk: Desk, values: Values, files: Files) -> Any:
    """Open the game file in ``files``, which has this ``name``."""
    desk._game = adj.open(files[0], name=values["name"])
    return _summary(desk.game)


def _new(desk: Desk, values: Values, _files: Files) -> Any:
    """Begin a game of ``ruleset`` with ``players``: names by seat."""
    desk._game = adj.new(
        values["ruleset"],
        values["players"],
        id=values.get("id", "game"),
        options=values.get("options"),
        seed=values.get("seed"),
    )
    return _summary(desk.game)


def _summary(game: adj.Game) -> Any:
    known = game.session.knowledge
    return {
        "game": {
            "id": game.id,
            "ruleset": game.meta.id,
            "name": game.meta.name,
            "unit": game.meta.unit,
            "seats": game.seats,
            "players": game.players,
            "own": None if known is None else known.seat,
            "due": game.due_seats,
            "turn": game.turn,
            "over": game.is_over,
        }
    }


def _look(desk: Desk, values: Values, _files: Files) -> Any:
    """Return what ``viewer`` may know: position, picture, log, and for a seat its choices and legal orders."""
    game, viewer = desk.game, values.get("viewer")
    position = game.view(viewer)
    seat = None if viewer in (None, MODERATOR) else game.session.seat(viewer)
    is_due = seat in game.due_seats
    return {
        **_summary(game),
        "position": shown_position(position),
        "title": title_line(heading_of(game.session, seat)),
        "picture": picture(position.drawing, position.heading.name, position.players),
        "text": adj.render(position),
        "description": list(description_lines(position.drawing)),
        "log": game.log(viewer),
        "choices": [] if seat is None else list(choices_of(game.session, seat)),
        "legal": game.legal(seat) if seat is not None and is_due else [],
        "ahead": None if seat is None or is_due or game.is_over else game.legal_ahead(seat),
    }


def _check(desk: Desk, values: Values, _files: Files) -> Any:
    """Check the ``text`` of ``viewer`` with only what this seat may know."""
    game = desk.game
    seat = game.session.seat(values["viewer"])
    result = game.check(text_submission(_TEXT, values["text"].encode("utf-8", "surrogatepass"), seat), seat)
    return _checked(result)


def _checked(result: adj.Result) -> Any:
    return {
        "problems": result.problems,
        "foreseen": list(map(order_problem, result.details.foreseen)),
        "ignored": [{"line": one.line, "text": one.text} for one in result.details.ignored],
    }


def _apply(desk: Desk, values: Values, files: Files) -> Any:
    """Adjudicate ``files`` (texts or mails) with their ``names``, and ``texts`` by seat; with ``trial`` change nothing."""
    game = desk.game
    named = zip(values.get("names", ()), files, strict=True)
    mails = [mail for name, data in named for mail in submissions(name, data, None)]
    orders = [*_texts(values.get("texts", {}), game), *mails]
    result = game.apply(orders, strict=bool(values.get("strict")))
    if not values.get("trial"):
        desk._game = result.game
    return {**_summary(desk.game), **_checked(result), "log": result.log}


def _texts(texts: Mapping[str, str], game: adj.Game) -> list[Submission]:
    return [
        text_submission(f"orders of {seat}", text.encode("utf-8", "surrogatepass"), game.session.seat(seat))
        for seat, text in texts.items()
    ]


def _choose(desk: Desk, values: Values, _files: Files) -> Any:
    """Return an order of the simulated player for ``seat``."""
    return {"order": desk.game.choose(values["seat"], values.get("player", "greedy"), values.get("seed", 0))}


def _undo(desk: Desk, values: Values, _files: Files) -> Any:
    """Take the last turn back, for a ``reason`` that the record keeps."""
    log = desk.game.log(MODERATOR)
    first = next(row.n for row in log if row.turn == log[-1].turn)
    desk._game = desk.game.undo(max(0, first - 1), values["reason"])
    return _summary(desk.game)


def _report(desk: Desk, values: Values, _files: Files) -> Any:
    """Return the report to ``viewer`` as a page (``form`` html) or a text."""
    return adj.render(desk.game.report(values.get("viewer")), values.get("form", "html")).encode()


def _replay(desk: Desk, values: Values, _files: Files) -> Any:
    """Return the page that replays the game as ``viewer`` may know it."""
    game = desk.game
    return page_of(game.whole, game.session.viewer(values.get("viewer"))).text.encode()


def _save(desk: Desk, _values: Values, _files: Files) -> Any:
    """Return the bytes of the game file."""
    return desk.game.to_bytes()


def _audit(desk: Desk, _values: Values, _files: Files) -> Any:
    """Decide the whole game again."""
    verdict = desk.game.audit()
    return {"verified": verdict.is_verified, "words": result_text(verdict)}


REQUESTS: dict[str, Callable[[Desk, Values, Files], Any]] = {
    "games": _games,
    "open": _open,
    "new": _new,
    "look": _look,
    "check": _check,
    "apply": _apply,
    "choose": _choose,
    "undo": _undo,
    "report": _report,
    "replay": _replay,
    "save": _save,
    "audit": _audit,
}
"""The requests of the page by name."""
