"""What a club has in the end, in a form in which two clubs can be compared: its games, letters and ledger."""

from __future__ import annotations

import email
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

from adjudicator.audit.decide import audit_game

if TYPE_CHECKING:
    from players_post import Post

OF_FAILURES = ("broken/", "waits/")
"""How the keys begin of what the moderator is told about failures."""


def games(post: Post) -> dict[str, Any]:
    """Return every game; each must pass an audit."""
    found = {}
    for game in post.club.games:
        session = post.session(game)
        assert audit_game(session).divergence is None
        found[game] = session.game
    return found


def letters(post: Post) -> dict[str, tuple[str, ...]]:
    """Return what every letter says to whom, by its key; those about failures are for the moderator alone."""
    found = {}
    with closing(sqlite3.connect(post.folder / "ledger.sqlite")) as db:
        for key, to, state, data in db.execute("select key, recipient, state, data from letters"):
            if key.startswith(OF_FAILURES):
                continue
            mail = email.message_from_bytes(data)
            del mail["Date"]
            head = [f"{name}: {value}" for name, value in mail.items() if name != "Content-Type"]
            parts = [str(part.get_payload(decode=True)) for part in mail.walk() if not part.is_multipart()]
            found[key] = (to, state, *head, *parts)
    return found


def addressed(post: Post) -> list[tuple[str, str]]:
    """Return the recipient and the Message-ID of every letter."""
    with closing(sqlite3.connect(post.folder / "ledger.sqlite")) as db:
        return db.execute("select recipient, message_id from letters").fetchall()


def ledger(post: Post) -> dict[str, list[tuple[Any, ...]]]:
    """Return what the ledger knows of mails, games, holidays, votes, messages and what waits for the moderator."""
    queries = {
        "mails": "select identity, state, game, seat, is_flawed, why, received from mails order by identity",
        "games": "select id, seal, position, due, paused, stopped, is_over, awaited from games order by id",
        "holidays": "select * from holidays order by game, seat, first",
        "messages": "select key, game, seat, recipients, waiting, is_anonymous, text, state from messages order by key",
        "votes": "select * from votes order by game, seat, kind",
        "matters": "select key, game, words from matters where key not like 'broken/%' order by key",
    }
    with closing(sqlite3.connect(post.folder / "ledger.sqlite")) as db:
        return {name: db.execute(query).fetchall() for name, query in queries.items()}
