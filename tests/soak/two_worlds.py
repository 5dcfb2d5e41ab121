"""Two games that differ in what one seat may not know, and in nothing else; and everything that this seat can get of one."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import replace
from random import Random
from typing import Any

import typer

from adjudicator.cli import pending, show, turns
from adjudicator.core.game import Game, PendingOrder, PendingSheet, Receipt, SetAside
from adjudicator.core.ids import Seat
from adjudicator.core.journal import Entry, Journal, Link
from adjudicator.core.timeline import Timeline
from adjudicator.moderate.turn import play_turn
from adjudicator.orders.submission import Submission, text_submission
from adjudicator.own_file import own_file
from adjudicator.replay_page import page_of
from adjudicator.reporting import report_for
from adjudicator.reports.pages.forms import FORMS
from adjudicator.reports.pages.report_text import report_text
from adjudicator.session import Session
from adjudicator.store.seat_files import dump_seat_file
from adjudicator.testing.games import Games, Moment
from adjudicator.testing.secrets import _Domains, _marks, _others, _put, hidden_from


class OtherWorlds:
    """Makes of positions of ``games`` others that are the same to one seat."""

    def __init__(self, games: Games) -> None:
        """Look at all that is met in secret places."""
        self.games, self.domains = games, _Domains(games)
        self.words = [games.rules.language.text(order) for some in games.orders.values() for order in some]

    def pair(self, moment: Moment, seat: Seat, luck: Random) -> tuple[Session, Session, bool]:
        """Return two games at ``moment``, the second with other secrets, and whether their positions differ too."""
        here = self._with_mail(moment.session.with_game(moment.game), seat, Random(luck.random()))
        other = next(iter(_others(self.games, moment, seat, self.domains, luck)), moment.state)
        there = self._with_mail(moment.session.with_game(moment.game), seat, Random(luck.random()))
        game = replace(
            there.game,
            state=other,
            journal=self._journal(here, seat, luck),
            chance=replace(here.game.chance, secret=f"{luck.getrandbits(256):064x}" if here.game.chance.secret else None),
        )
        return here, there.with_game(game), other != moment.state

    def _journal(self, session: Session, seat: Seat, luck: Random) -> Journal:
        """Return the journal with other secrets, the hashes as they were; events change only where they can be folded."""
        links = [replace(link, entry=self._entry(session, link.entry, seat, luck)) for link in session.game.journal]
        if not self._is_possible(session, links, seat):  # only the words of others are different then
            pairs = zip(links, session.game.journal, strict=True)
            links = [replace(link, entry=replace(link.entry, events=old.entry.events)) for link, old in pairs]
        return Journal(links)

    def _is_possible(self, session: Session, links: list[Link], seat: Seat) -> bool:
        """Return whether these entries could follow each other, and look to ``seat`` as those of ``session`` all the way."""
        rules, config = session.rules, session.config
        try:
            ours = session.timeline.states()
            theirs = Timeline(rules, config, replace(session.game, journal=Journal(links))).states()
            return all(
                rules.view(config, one, seat) == rules.view(config, rules.validated_amendment(config, other), seat)
                for (_, one), (_, other) in zip(ours, theirs, strict=True)
            )
        except Exception:
            return False

    def _entry(self, session: Session, entry: Entry, seat: Seat, luck: Random) -> Entry:
        """Return ``entry`` with other things in what ``seat`` is not shown of it."""
        events = tuple(self._event(session, event, seat, luck) for event in entry.events)
        if entry.seat == seat or entry.seat is None:
            return replace(entry, events=events)
        return replace(entry, events=events, written=luck.choice((None, "DRAW OR DRAW")), notes=(luck.choice("abc"),))

    def _event(self, session: Session, event: Any, seat: Seat, luck: Random) -> Any:
        if type(event) not in self.games.rules.types.events:
            return event
        for one in hidden_from(session.config, event, seat):
            value = luck.choice([*self.domains.values.get((one.holder, one.name), ()), one.value])
            mark = _marks(one.holder)[one.name]
            if mark is not None and mark.instead(session.config, value) == one.shown:
                changed = _put(event, one.path, value)
                with suppress(Exception):  # what cannot be told to the moderator could not have happened
                    self.games.rules.tell(session.config, changed)
                    event = changed
        return event

    def _with_mail(self, session: Session, seat: Seat, luck: Random) -> Session:
        """Return the game with what others have sent, what waits of them, and what was set aside: all of it by ``luck``."""
        due = {decision.seat for decision in session.rules.awaiting(session.config, session.game.state)}
        others = [other for other in session.seats if other != seat]
        waiting = [other for other in others if other not in due and luck.random() < 0.5]
        game: Game = session.game
        turn = game.turn
        pending = tuple(self._sheet(other, turn, luck) for other in waiting)
        aside = [SetAside(turn, "withdrawn", self._sheet(luck.choice(others), turn, luck), "asked") for _ in range(2)]
        receipts = tuple(
            Receipt(turn - 1, other, f"{luck.getrandbits(256):064x}", luck.randrange(10**9)) for other in waiting
        )
        return session.with_game(
            replace(game, pending=pending, set_aside=tuple(aside) if others else (), receipts=receipts)
            if turn
            else replace(game, pending=pending)
        )

    def _sheet(self, seat: Seat, turn: int, luck: Random) -> PendingSheet:
        orders = (PendingOrder(luck.randrange(99), luck.choice(self.words)) for _ in range(luck.randint(1, 3)))
        return PendingSheet(seat, max(0, turn - 1), tuple(orders))


def given_to(session: Session, seat: Seat, file: str, opens: Callable[[Session], None]) -> Iterator[tuple[str, str]]:
    """Yield all that the command line gives ``seat`` of the game of ``session``, each with what it is.

    ``file`` has orders that the seat might send; ``opens`` makes every command open this game.
    """
    opens(session)
    for as_json in (False, True):
        kind = " --json" if as_json else ""
        yield f"show{kind}", printed(lambda as_json=as_json: show.show("g", seat, as_json=as_json))
        yield f"legal{kind}", printed(lambda as_json=as_json: show.legal("g", seat, as_json=as_json))
        yield f"log{kind}", printed(lambda as_json=as_json: show.log("g", seat, events=True, as_json=as_json))
        yield f"pending{kind}", printed(lambda as_json=as_json: pending.pending("g", seat, as_json=as_json))
        yield f"check{kind}", printed(lambda as_json=as_json: turns.check("g", [file], seat, as_json=as_json))
    yield "picture", printed(lambda: show.show("g", seat, svg="-"))
    told = report_for(session, seat, 0)
    for form in ("txt", "html", "md", "svg", "json"):  # PNG is made of the SVG alone
        yield f"report as {form}", FORMS[form](told).decode()
    late = report_for(session, seat, len(session.game.journal) * 2 // 3)  # what is new since then is marked
    for form in ("txt", "html", "svg"):
        yield f"later report as {form}", FORMS[form](late).decode()
    yield "the player's own file", dump_seat_file(session.rules, own_file(session, seat)).decode()
    yield "replay page", page_of(session, seat).text


def reported_to(session: Session, seat: Seat, own: str, luck: Random) -> str:
    """Return the report of a turn in which ``seat`` sends ``own``, and others what cannot be read."""
    texts: list[Submission] = [text_submission("own.txt", own.encode("utf-8", "replace"), seat)]
    for other in session.seats:
        if other != seat and luck.random() < 0.5:
            words = "".join(luck.choices("qxyz ", k=12))
            texts.append(text_submission(f"{luck.randrange(99)}.txt", f"Z{words}\n".encode(), other))
    played = play_turn(session, texts)
    assert not played.result.accepted or seat in {link.entry.seat for link in played.result.accepted}
    return next((report_text(report) for report in played.reports if report.viewer == seat), "")


def printed(command: Callable[[], None]) -> str:
    """Return what ``command`` prints, on both streams, and its exit code."""
    with io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace") as stream:
        with redirect_stdout(stream), redirect_stderr(stream):
            try:
                command()
                code = 0
            except typer.Exit as left:
                code = left.exit_code
        stream.flush()
        raw = stream.buffer
        assert isinstance(raw, io.BytesIO)
        return f"{raw.getvalue().decode('utf-8')}\nexit {code}"
