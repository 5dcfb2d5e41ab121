"""Begin a game: seats, options, components, chance, and the events of the set-up."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from adjudicator.core.chance import ChanceRecord, commitment
from adjudicator.core.engine import begin
from adjudicator.core.game import Record, RulesetRef
from adjudicator.core.problem import Problem, SetupError
from adjudicator.core.rules import Ruleset
from adjudicator.core.ruleset import Player, Setup, fill_options, options_in_any_case
from adjudicator.core.values import USUAL_SEATS, Seat, Value, field
from adjudicator.library.game import Game, bind_rules
from adjudicator.orders.languages import LINE_WORDS, LanguageError, line_words
from adjudicator.rulesets import ruleset
from adjudicator.store.components import is_borrowed, reference

_SEAT: Final = re.compile(r"[a-z][a-z0-9_]{0,23}")
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_SECRET: Final = re.compile(r"[0-9a-f]{64}")


class GameChoices(Value, kw_only=True):
    """The moderator's choices for a new game.

    ``secret`` is 64 hexadecimal digits (chance derived from it), or ``None`` where the outcomes are ``recorded``: those of
    the set-up, in order. ``components`` is a component set as built, ``position`` an explicit one or ``None``. ``version``
    is that of the rules (0: the present one). ``is_promised`` says that the rest was published before the words were known.
    """

    ruleset: str
    id: str
    players: tuple[Player, ...]
    components: Any
    options: Mapping[str, str] = field(default_factory=dict)
    position: Any = None
    secret: str | None = None
    entropy: Mapping[str, str] = field(default_factory=dict)
    recorded: Sequence[str] = ()
    version: int = 0
    is_promised: bool = False


def begin_game(choices: GameChoices) -> Game:
    """Return the new game, set up. Raises ``SetupError`` with all problems of the choices.

    Raises ``ImpossibleOutcomeError`` if the recorded outcomes do not make a set-up.
    """
    game = empty_game(choices)
    return game.with_record(begin(game.rules, game.record, choices.recorded))


def empty_game(choices: GameChoices) -> Game:
    """Return the new game before anything is drawn, with an empty journal. Raises ``SetupError``."""
    rules = ruleset(choices.ruleset)
    problems = tuple(_problems(rules, choices))
    if problems:
        raise SetupError(problems)
    seats = tuple(player.seat for player in choices.players)
    version = choices.version or rules.meta.version
    options = fill_options(rules.meta, seats, options_in_any_case(rules.meta, seats, choices.options), version)
    setup = Setup(choices.players, options, choices.components, choices.position)
    record = Record(
        id=choices.id,
        ruleset=RulesetRef(rules.meta.id, version),
        components=reference(choices.components),
        chance=_chance(choices),
        setup=setup,
        journal=(),
        pending=(),
        state=None,
    )
    return Game.of(record, bind_rules(rules, setup, version))


def _chance(choices: GameChoices) -> ChanceRecord:
    if choices.secret is None:
        return ChanceRecord(source="recorded")
    committed = commitment(bytes.fromhex(choices.secret))
    silent = tuple(player.seat for player in choices.players if choices.is_promised and player.seat not in choices.entropy)
    return ChanceRecord(
        source="committed",
        commitment=committed,
        secret=choices.secret,
        entropy=dict(choices.entropy),
        promised=choices.is_promised,
        without=silent,
    )


def _problems(rules: Ruleset, choices: GameChoices) -> Iterator[Problem]:
    fewest, most = rules.meta.players
    count = len(choices.players)
    if not fewest <= count <= most:
        yield Problem("core/player-count", f"{rules.meta.name} is for {rules.meta.players_words}, not {count}", part="seat")
    if choices.version and not rules.meta.can_decide(choices.version):
        message = f"this program cannot play version {choices.version} of the rules of {rules.meta.name}"
        yield Problem("core/no-such-version", message)
    if not _ID.fullmatch(choices.id):
        message = f"use only letters, digits, `.`, `_` and `-` in the id of a game, at most 80; not “{choices.id[:80]}”"
        yield Problem("core/bad-id", message, part="id")
    if is_borrowed(rules, choices.components):
        message = f"give your own component set another id than “{choices.components.id}”: the game has a set with this id"
        yield Problem("core/borrowed-name", message)
    if choices.secret is not None and not _SECRET.fullmatch(choices.secret):
        yield Problem("core/bad-seed", "write the secret of chance (the seed) as 64 digits 0–9 and a–f")
    yield from _seat_problems(rules, [player.seat for player in choices.players])
    for at, player in enumerate(choices.players):
        if len(player.holder) > 80 or not is_text(player.holder):
            message = f"use at most 80 characters of plain text for the name of the player of {player.seat}"
            yield Problem("core/bad-seat", message, part=f"player:{at}")
    seats = {player.seat for player in choices.players}
    for seat, word in choices.entropy.items():
        if seat not in seats:
            yield Problem("core/unknown-seat", f"the word for chance is for “{seat}”, which is not a seat of this game")
        if not 1 <= len(word) <= 80 or not is_text(word):
            yield Problem("core/bad-entropy", f"the word of {seat} must be 1 to 80 characters of plain text")


def is_text(words: str) -> bool:
    """Return whether ``words`` fit into a file and on a line: no control characters, no half characters."""
    return not any(unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in words)


def _seat_problems(rules: Ruleset, seats: list[Seat]) -> Iterator[Problem]:
    places: dict[Seat, list[int]] = {}
    for at, seat in enumerate(seats):
        places.setdefault(seat, []).append(at)
    words = set(LINE_WORDS)
    with suppress(LanguageError):  # the file of another package is damaged
        words = line_words(rules.meta)
    words.update(example.split()[0].casefold() for example in rules.language.examples)
    for seat, found in places.items():
        part = f"seat:{found[0]}"
        if not _SEAT.fullmatch(seat):
            message = f"begin a seat with a letter, and use only letters, digits and `_`, at most 24; not “{seat[:40]}”"
            yield Problem("core/bad-seat", message, part=part)
        elif seat in words:
            message = f"choose another name for the seat “{seat}”: this word has a meaning in orders"
            yield Problem("core/bad-seat", message, part=part)
    for seat, found in places.items():
        if len(found) > 1:
            message = f"choose another name for one seat: two seats have the name “{seat}”"
            yield Problem("core/bad-seat", message, part=f"seat:{found[1]}")


def set_flaws(rules: Ruleset, components: Any) -> tuple[Problem, ...]:
    """Return everything that makes ``components`` unfit for a game of ``rules`` with the fewest players and no options."""
    seats = tuple(map(Seat, USUAL_SEATS[: rules.meta.players[0]]))
    version = rules.meta.version
    options = fill_options(rules.meta, seats, {}, version)
    try:
        bind_rules(rules, Setup(tuple(map(Player, seats)), options, components), version)
    except SetupError as error:
        return error.problems
    return ()
