"""Say what is true of a game, whoever reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudicator.core.ruleset import GameMeta
from adjudicator.core.values import Value
from adjudicator.library.texts import RequestError

if TYPE_CHECKING:  # each property loads only what it needs: the command line starts for each command
    from adjudicator.core.chance import Head
    from adjudicator.core.game import ComponentsRef
    from adjudicator.core.ruleset import Standing
    from adjudicator.core.values import Seat
    from adjudicator.results import Decision
    from adjudicator.session import Session


class GameProperties(Value):
    """The properties of a game."""

    session: Session

    def __repr__(self) -> str:
        return f"<Game {self.id}: {self.meta.id}, turn {self.turn}, due: {', '.join(self.due_seats) or 'none'}>"

    @property
    def id(self) -> str:
        """The id of the game."""
        return self.session.game.id

    @property
    def meta(self) -> GameMeta:
        """The ruleset: its ``id``, ``name``, ``version``, ``options``, and the ``unit`` of its costs."""
        return self.session.rules.meta

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in the order of the set-up."""
        return self.session.seats

    @property
    def players(self) -> dict[Seat, str]:
        """The present player of each seat."""
        return self.session.holders

    @property
    def turn(self) -> int:
        """The number of the next turn, which players may write above their orders."""
        return self.session.valid_turns.turn

    @property
    def latest_turn(self) -> int:
        """The greatest number of a turn that orders may name now."""
        return max(self.turn, self.session.valid_turns.latest)

    @property
    def turns(self) -> int:
        """The number of turns so far, as the moderator's record counts them."""
        return self.session.game.turn - 1

    @property
    def is_over(self) -> bool:
        """Whether the rules have ended the game."""
        return self.session.rules.is_over(self.session.game.state)

    @property
    def due(self) -> tuple[Decision, ...]:
        """The decisions that the game awaits now, each with its ``seat``, its ``kind`` and its question (``ask``)."""
        from adjudicator.results import Decision

        return Decision.due_in(self.session.rules, self.session.game.state)

    @property
    def due_seats(self) -> tuple[Seat, ...]:
        """The seats whose decisions are due, each once."""
        return tuple(dict.fromkeys(decision.seat for decision in self.due))

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The ranking, the best first: each seat's ``place``, ``score`` (in the game's unit) and ``note``."""
        return self.session.rules.standings(self.session.game.state)

    @property
    def commitment(self) -> str | None:
        """The commitment to the secret of chance, for publication; ``None`` if people draw the outcomes."""
        return self.session.game.chance.commitment

    @property
    def version(self) -> int:
        """The version of the rules by which the game is played."""
        return self.session.game.ruleset.version

    @property
    def options(self) -> dict[str, str]:
        """The value of each option of the game."""
        from adjudicator.core.ruleset import options_in_play

        return dict(options_in_play(self.meta, self.seats, self.session.game.setup.options, self.version))

    @property
    def beginning(self) -> str:
        """The hash of the set-up: games with the same one are versions of one game."""
        return self.session.game.beginning

    @property
    def position_hash(self) -> str:
        """The hash of the position: games with the same one differ at most in their record."""
        from adjudicator.core.values import canonical_bytes, digest

        return digest(canonical_bytes(self.session.game.state))

    @property
    def seal(self) -> str:
        """The hash of the whole game file."""
        return self.session.game.seal

    @property
    def secret(self) -> str | None:
        """The secret of chance, which only the moderator may know; ``None`` if people draw the outcomes."""
        return self.session.game.chance.secret

    @property
    def components(self) -> ComponentsRef:
        """The component set: its ``id``, ``version`` and ``hash``."""
        return self.session.game.components

    @property
    def promise(self) -> str | None:
        """The promise that was published before the players sent words for chance; ``None`` if there was none."""
        from adjudicator.library.present import promise_of_game

        return promise_of_game(self.session)

    @property
    def head(self) -> Head | None:
        """The proof of the game so far, for publication; ``None`` if it can have none yet."""
        from adjudicator.library.present import head_of

        return head_of(self.session)

    @property
    def pending_counts(self) -> dict[Seat, int]:
        """The number of pending orders of each seat that has any."""
        return {sheet.seat: len(sheet.orders) for sheet in self.session.game.pending}

    @property
    def receipt_hashes(self) -> frozenset[str]:
        """The hashes of the texts for which the game has a receipt."""
        return frozenset(receipt.hash for receipt in self.session.game.receipts)

    @property
    def unreported(self) -> tuple[Any, ...]:
        """The events since the reports of the last turn, for the moderator."""
        journal, first = self.session.game.journal, self.session.game.reported
        return tuple(event for link in journal[first:] for event in link.entry.events)

    @property
    def warnings(self) -> tuple[str, ...]:
        """The remarks of the ruleset on the position, for the moderator."""
        return tuple(self.session.rules.warnings(self.session.game.state))

    @property
    def cautions(self) -> tuple[str, ...]:
        """Warnings about a secret of chance that is public too early, for the moderator."""
        from adjudicator.library.correct import cautions

        return cautions(self.session)

    @property
    def languages(self) -> tuple[str, ...]:
        """The codes of the languages in which players may write orders in addition to English."""
        return self.session.game.languages

    @property
    def installed_languages(self) -> dict[str, str]:
        """The names of the languages that the game could use, by code."""
        from adjudicator.orders.languages import languages

        return {str(code): one.name for code, one in languages(self.meta).items()}

    @property
    def ambiguous_words(self) -> tuple[str, ...]:
        """A sentence for each word of orders that is ambiguous in the languages of the game."""
        from adjudicator.orders.conflicts import conflicts

        session = self.session
        return conflicts(session.spoken_rules, (*session.rules.names(), *session.seats))

    @property
    def own_seat(self) -> Seat | None:
        """The seat whose player's own file this is; ``None`` for a whole game."""
        return None if self.session.knowledge is None else self.session.knowledge.seat

    @property
    def caveat(self) -> str:
        """What a player's own file cannot know, as a sentence; empty for a whole game."""
        from adjudicator.library.own_file import NOT_KNOWN

        return "" if self.session.knowledge is None else NOT_KNOWN

    @property
    def order_examples(self) -> tuple[str, ...]:
        """An order of each kind, as an example."""
        return self.session.rules.language.examples

    @property
    def whole(self) -> Session:
        """The session of a whole game. Raises ``RequestError`` for a player's own file, which has no journal."""
        if self.session.knowledge is not None:
            raise RequestError(f"use the moderator's game file: this is {self.session.knowledge.seat}'s own file")
        return self.session
