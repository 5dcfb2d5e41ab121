"""Lines of orders that are nearly right, quite wrong, or none at all, for every game and language."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from random import Random
from typing import Final

from attack import mutated_text

from adjudicator.orders.languages import languages, rules_with_languages
from adjudicator.orders.submission import Submission, text_submission
from adjudicator.orders.translation import translate
from adjudicator.rulesets import ruleset
from adjudicator.session import Session, with_languages
from adjudicator.testing.games import Games

COMPARISONS: Final = ("is", "is not", "has", "has no", "<", ">=", "=", "!=", "at least", "more than", "", "in")
AROUND: Final = (
    *("", " ", "> DRAW", ">> > x", "-- ", "--", "-----", "# comment", "; GO", "END", "end.", "WITHDRAW", "WITHDRAW 2"),
    *("On Friday Bob wrote:", "Am Freitag schrieb Bob:", "From: a@example.org", "Date: Mon, 2 Mar 2026", "Subject: turn 7"),
    *("-----Original Message-----", "Begin forwarded message:", "Hello Ann,", "Viele Grüße", "Sent from my phone", "PS: no"),
    *("game", "turn", "turn 0", "turn 1", "turn 999999999", "game x", "turn: 3", "Orders:", "received", "received: now"),
    *("(" * 30, ")" * 30, "x" * 520, "9" * 400, "if " * 90, "[" * 60, "IF IF IF", "OR", "THEN", "ELSE", "NOT", "\t\t"),
)
"""What stands in mails beside orders, and what is nothing."""


class LineMaker:
    """Makes lines for games of one ruleset, at positions that ``games`` came to, in English and other languages."""

    def __init__(self, name: str, games: Games) -> None:
        """Look at the orders that were legal in ``games`` of the ruleset ``name``."""
        rules = ruleset(name)
        self.games = games
        self.moments = list(self.games.sampled(60))
        self.codes = tuple(languages(rules.meta))
        self.orders = [rules.language.text(order) for some in self.games.orders.values() for order in some]
        self.orders += rules.language.examples
        self.facts = tuple(rules.fact_names)
        self._spoken: dict[tuple[str, tuple[str, ...]], str] = {}

    def session(self, luck: Random) -> Session:
        """Return a game at one of the positions, with some languages in it or none."""
        moment = luck.choice(self.moments)
        session = moment.session.with_game(moment.game)
        codes = luck.sample(self.codes, luck.choice((0, 0, 1, 1, 2, len(self.codes)))) if self.codes else ()
        return with_languages(session, codes)

    def text(self, luck: Random, session: Session, size: int, error: float) -> str:
        """Return ``size`` lines; of each the chance is ``error`` that it is changed. Sound orders may stand before them."""
        noise = luck.choice((0.0, 0.002, 0.1))
        opening = self._opening(luck, session) if luck.random() < 0.7 else []
        return "\n".join([*opening, *(self._line(luck, session, error, noise) for _ in range(size - len(opening)))])

    def texts(self, luck: Random, session: Session, size: int, error: float) -> list[Submission]:
        """Return texts that have ``size`` lines together: of one seat or of several, received at some time or at none."""
        parts = luck.choice((1, 1, 1, 2, 3))
        return [
            Submission(
                *(found.source, found.lines, luck.choice((None, None, *session.seats))),
                received=luck.choice((None, 0, luck.randrange(2**31), -1)),
                is_mail=luck.random() < 0.2,
                names=luck.choice(((), ("Ann",), tuple(session.seats))),
                problem=found.problem,
                hash=found.hash,
            )
            for number in range(parts)
            for found in [text_submission(f"{number}.txt", self._bytes(luck, session, size // parts, error))]
        ]

    def _bytes(self, luck: Random, session: Session, size: int, error: float) -> bytes:
        charset = luck.choice(("utf-8",) * 8 + ("utf-8-sig", "utf-16", "cp1252"))
        text = self.text(luck, session, size, error)
        # One NUL makes a text a picture: hardly anything would be read.
        return (text if luck.random() < 0.1 else text.replace("\0", "")).encode(charset, "replace")

    def _opening(self, luck: Random, session: Session) -> list[str]:
        """Return what can be carried out now, or could be but for one word."""
        lines = []
        for decision in session.rules.awaiting(session.config, session.game.state):
            orders = islice(session.rules.legal(session.config, session.game.state, decision.seat), 40)
            legal = [session.rules.language.text(order) for order in orders]
            if legal:
                lines += [f"{decision.seat}:", *luck.choices(legal, k=luck.randint(1, 3))]
        return lines

    def _line(self, luck: Random, session: Session, error: float, noise: float) -> str:
        line = luck.choice(AROUND) if luck.random() < noise else self._sound(luck, session)
        if luck.random() < 0.1:
            line = f"{luck.choice(session.seats)}{luck.choice((':', ' :', ': ', '', '::'))} {line}"
        if luck.random() < 0.3:
            line = luck.choice(("  ", "\t", " - ", "1. ", "* ", "> ", "\u00a0")) + line
        return mutated_text(luck, line) if luck.random() < error else line

    def _sound(self, luck: Random, session: Session) -> str:
        match luck.randrange(12):
            case 0 | 1:
                return self._condition(luck, session)
            case 2:
                return " OR ".join(luck.choices(self.orders, k=luck.randint(2, 4)))
            case 3 if luck.random() < 0.3:
                return f"{luck.choice(self.orders)} [{' '.join(luck.choices(self._names(session), k=luck.randint(0, 3)))}]"
            case 4:
                return luck.choice(
                    (f"{luck.choice(session.seats)}:", f"game {session.game.id}", f"turn {session.game.turn}")
                )
            case 5 | 6 if session.game.languages:
                return self._translated(session, luck.choice(self.orders))
            case _:
                return luck.choice(self.orders)

    def _names(self, session: Session) -> Sequence[str]:
        return [*sorted(map(str, session.rules.names(session.config))), *session.seats, "7", "nonsense"]

    def _condition(self, luck: Random, session: Session) -> str:
        fact, name = luck.choice((*self.facts, "nonsense")), luck.choice(self._names(session))
        asked = f"{fact}{luck.choice(('', f' of {name}', f' at {name}'))}"
        value = luck.choice((str(luck.randrange(40)), luck.choice(self._names(session))))
        condition = f"{luck.choice(('', 'NOT ', '('))}{asked} {luck.choice(COMPARISONS)} {value}"
        otherwise = f" ELSE {luck.choice(self.orders)}" if luck.random() < 0.6 else ""
        return f"IF {condition} THEN {luck.choice(self.orders)}{otherwise}"

    def _translated(self, session: Session, order: str) -> str:
        key = order, session.game.languages
        if key not in self._spoken:
            spoken = rules_with_languages(session.rules, session.game.languages).language.spoken
            self._spoken[key] = order
            if spoken is not None:
                with suppress(ValueError):
                    self._spoken[key] = translate(session.rules, spoken, order)
        return self._spoken[key]
