"""Change a game without orders: undo, amend, hand over a seat, note a holiday or a missed deadline, reveal the secret."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from adjudicator.library.reading import GameReading

if TYPE_CHECKING:  # each method loads only what it needs: the command line starts for each command
    from typing import Self

    from adjudicator.session import Session


class GameCorrections(GameReading):
    """The methods with which a moderator changes a game without orders: each returns the changed game."""

    def bring_back(self, number: int) -> Self:
        """Return the game with the set-aside orders of this ``number`` pending again. Raises ``CorrectionError``."""
        from adjudicator.core.game import bring_back

        session = self.whole
        return self._as(session.with_game(bring_back(session.game, number)))

    def withdraw(self, seat: str, reason: str, first: int = 1) -> Self:
        """Return the game without the pending orders of ``seat``, from the ``first`` (counted from 1) to the last.

        Raises ``CorrectionError``.
        """
        from adjudicator.core.game import withdraw
        from adjudicator.library.correct import reason_words

        session = self.whole
        game = withdraw(session.game, session.seat(seat), "withdrawn", reason_words(reason), first)
        return self._as(session.with_game(game))

    def with_languages(self, languages: Iterable[str]) -> Self:
        """Return the game with orders in English and these ``languages``, by code or name. Raises ``LanguageError``."""
        from adjudicator.session import with_languages

        return self._as(with_languages(self.session, languages))

    def undo(self, to: int, reason: str) -> Self:
        """Return the game in the position after entry ``to`` (0: the set-up); its journal keeps the later entries, too.

        Raises ``CorrectionError``.
        """
        from adjudicator.library import correct

        return self._as(correct.undo(self.whole, to, reason))

    def amend(self, changes: Iterable[str], reason: str) -> Self:
        """Return the game with other values in its position; write ``changes`` such as ``clock of red=31``.

        Raises ``CorrectionError`` for a wrong change, ``SetupError`` for an impossible position.
        """
        from adjudicator.library import correct

        return self._as(correct.amend(self.whole, changes, reason))

    def hand_over(self, seat: str, player: str, reason: str) -> Self:
        """Return the game in which ``player`` plays ``seat`` from now on. Raises ``CorrectionError``."""
        from adjudicator.library import correct

        return self._as(correct.hand_over(self.whole, self.session.seat(seat), player, reason))

    def take_holiday(self, seat: str, first: str, last: str) -> Self:
        """Return the game with the note that the player of ``seat`` is away from ``first`` to ``last``, days as text.

        A game that has this note already is returned as it is. Raises ``CorrectionError``.
        """
        from adjudicator.core.corrections import WentOnHoliday
        from adjudicator.library import correct

        session, event = self.whole, WentOnHoliday(seat=self.session.seat(seat), first=first, last=last)
        if any(event in link.entry.events for link in session.game.journal):
            return self
        return self._as(correct.take_holiday(session, event.seat, first, last, takes_number=False))

    def miss_deadline(self, seat: str, due: str, policy: str) -> Self:
        """Return the game with the note that ``seat`` sent no orders by ``due``, a time as text.

        ``policy`` says who decides for it: ``default`` (pass, or the cheapest order), ``bot`` (a simulated player, now) or
        ``drop`` (a simulated player, always). Raises ``CorrectionError``.
        """
        from adjudicator.core.corrections import MissedPolicy
        from adjudicator.library import correct

        session, missed = self.whole, self.missed_deadlines(seat) + 1
        return self._as(
            correct.miss_deadline(session, session.seat(seat), due, MissedPolicy(policy), missed, takes_number=False)
        )

    def reveal(self, reason: str = "", *, force: bool = False) -> Self:
        """Return the game with its secret of chance published; before the end only with ``force`` and a reason.

        Raises ``CorrectionError``.
        """
        from adjudicator.library import correct

        return self._as(correct.reveal(self.whole, reason, is_forced=force))

    def _as(self, session: Session) -> Self:
        return type(self)(session)
