"""Games to test with: begin one, and play orders in it."""

from __future__ import annotations

from typing import Any

from adjudicator.begin import GameChoices, begin_game
from adjudicator.core.ids import Seat
from adjudicator.core.ruleset import Player
from adjudicator.moderate.adjudicate import adjudicate_files
from adjudicator.rulesets import ruleset
from adjudicator.session import Session
from adjudicator.store.components import shipped

SECRET = f"{7:064x}"


def begin(game: str = "checkpoint-rally", seats: str = "red blue", **choices: Any) -> Session:
    """Return a new game with the shipped components; ``seats`` are words, such as ``red=Ann blue``; see `GameChoices`."""
    players = tuple(Player(Seat(seat), holder) for seat, _, holder in (word.partition("=") for word in seats.split()))
    secret = None if "recorded" in choices else SECRET
    usual = {"id": "g1", "players": players, "components": shipped(ruleset(game))[0], "secret": secret}
    return begin_game(GameChoices(ruleset=game, **{**usual, **choices}))


def due(session: Session) -> Seat:
    """Return the seat that is asked first."""
    return session.rules.awaiting(session.config, session.game.state)[0].seat


def legal(session: Session, seat: str = "") -> list[str]:
    """Return the legal orders of ``seat``, or else of the seat that is asked first."""
    found = session.rules.legal(session.config, session.game.state, Seat(seat) if seat else due(session))
    return [session.rules.language.text(order) for order in found]


def play(session: Session, *orders: str | int) -> Session:
    """Adjudicate one text of orders after the other, in which nothing may be wrong; a number: so many first legal orders."""
    for order in orders:
        for text in [order] if isinstance(order, str) else [""] * order:
            result = adjudicate_files(session, [("t", (text or f"{due(session)}: {legal(session)[0]}").encode())])
            assert not result.diagnostics, result.diagnostics
            session = result.session
    return session
