# mypy: implicit-reexport
# ruff: noqa: F401 - some imports are for programs
"""Begin a game: at once, or in steps so that even the moderator cannot choose the deal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import Any, Final

from adjudicator.core.chance import BadWordError, ChanceRecord, ImpossibleOutcomeError, commitment, normalize_word
from adjudicator.core.engine import begin
from adjudicator.core.game import PreparedGame, Record, RulesetRef
from adjudicator.core.problem import Problem, SetupError, did_you_mean
from adjudicator.core.rules import Ruleset
from adjudicator.core.ruleset import Player, Setup, fill_options, options_in_any_case
from adjudicator.core.values import Seat, Value, field, is_text
from adjudicator.core.values import replace as replaced  # `add_words` has an argument `replace`
from adjudicator.library.errors import PreparationError
from adjudicator.library.game import Game, bind_rules
from adjudicator.library.rulesets import chosen_components
from adjudicator.orders.languages import LINE_WORDS, LanguageError, line_words
from adjudicator.results import PromisedGame
from adjudicator.rulesets import ruleset as ruleset_named
from adjudicator.store.game_file import is_borrowed, reference
from adjudicator.store.other_files import dump_prepared, load_position, load_prepared

_SEAT: Final = re.compile(r"[a-z][a-z0-9_]{0,23}")
GAME_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
BAD_ID: Final = "use only letters, digits, `.`, `_` and `-` in the id of a game, at most 80; not “{}”"
_SECRET: Final = re.compile(r"[0-9a-f]{64}")


def new(
    ruleset: str,
    players: Mapping[str, str] | Iterable[str | Player],
    *,
    id: str = "game",  # noqa: A002 - as the option of the command line
    options: Mapping[str, str | int] | None = None,
    seed: int | str | None = None,
    words: Mapping[str, str] | None = None,
    recorded: Sequence[str] | None = None,
    components: str | None = None,
    position: str | None = None,
    languages: Iterable[str] = (),
    version: int | None = None,
) -> Game:
    """Begin a game of ``ruleset`` and return it, ready for the first orders.

    ``players`` maps each seat to its player, in the order of play, or lists only the seats. ``options`` maps names to
    values, words or numbers; those left out have their defaults. ``seed`` is the secret of chance: a number, or 64
    hexadecimal digits (``None``: a new random one). ``words`` maps seats to their words for chance. With ``recorded``,
    people draw instead of the program: these are the outcomes of the set-up, in order. ``components`` is the name of a set
    or the path of your own, ``position`` the path of a first position (``None``: as the rules say). Players may write in
    English and these ``languages``, codes or English names. ``version`` is that of the rules (``None``: the present one).

    Raises ``SetupError`` with all ``problems``, ``UnknownRuleset``, ``UnusableRuleset``, ``RequestError`` for an unknown
    component set, ``LanguageError``, ``FileProblem``.
    """
    wish = _wish(ruleset, players, id, options, seed, components, position)
    game = begin_game(
        replaced(
            wish,
            secret=wish.secret if recorded is None else None,
            entropy={seat.lower(): word for seat, word in (words or {}).items()},
            recorded=tuple(recorded or ()),
            version=version or 0,
        )
    )
    chosen = tuple(languages)
    return game.with_languages(chosen) if chosen else game


def prepare_game(
    ruleset: str,
    players: Mapping[str, str] | Iterable[str | Player],
    *,
    id: str = "game",  # noqa: A002 - as the option of the command line
    options: Mapping[str, str | int] | None = None,
    seed: int | str | None = None,
    components: str | None = None,
    position: str | None = None,
) -> Prepared:
    """Prepare a game whose deal even you cannot choose, because players add words to chance; return it (see ``Prepared``).

    The arguments and errors are those of ``new``.
    """
    wish = _wish(ruleset, players, id, options, seed, components, position)
    game = empty_game(replaced(wish, is_promised=True))
    record = begin(game.rules, game.record)  # a trial: only a game that can begin may be promised
    chance = replaced(record.chance, without=())  # the seats without a word are known after the publication
    return Prepared(
        PreparedGame(id=record.id, ruleset=record.ruleset, components=record.components, chance=chance, setup=record.setup)
    )


def _wish(
    ruleset: str,
    players: Mapping[str, str] | Iterable[str | Player],
    id_: str,
    options: Mapping[str, str | int] | None,
    seed: int | str | None,
    components: str | None,
    position: str | None,
) -> GameChoices:
    rules = ruleset_named(ruleset.lower())
    named = [Player(Seat(seat), name) for seat, name in players.items()] if isinstance(players, Mapping) else players
    each = (Player(Seat(one), "") if isinstance(one, str) else one for one in named)
    return GameChoices(
        ruleset=rules.meta.id,
        id=id_,
        players=tuple(Player(Seat(one.seat.lower()), one.holder) for one in each),
        components=chosen_components(rules, components),
        options={name: str(value) for name, value in (options or {}).items()},
        position=None if position is None else load_position(position, rules),
        secret=token_hex(32) if seed is None else f"{seed:064x}" if isinstance(seed, int) else seed.strip().lower(),
    )


class Prepared(Value):
    """A game before its deal, which ``prepare_game`` makes. It never changes: a method returns the next step.

    Publish its ``promise``, ``add_words`` of the players, ``publish`` the words, then ``begin``. So not even the
    moderator can choose the deal. The ``record`` is the content of its file, with the secret.
    """

    record: PreparedGame

    @property
    def id(self) -> str:
        """The id of the game."""
        return self.record.id

    @property
    def promise(self) -> PromisedGame:
        """What to publish: the hashes that fix the secret and the settings, and the words so far; never the secret."""
        record, setup, words = self.record, self.record.setup, self.record.chance.entropy
        return PromisedGame(
            file="",
            game=record.id,
            ruleset=record.ruleset.id,
            name=ruleset_named(record.ruleset.id).meta.name,
            version=record.ruleset.version,
            components=record.components.id,
            components_version=record.components.version,
            components_hash=record.components.hash,
            players=setup.players,
            options=setup.options,
            position=setup.position is not None,
            commitment=record.chance.commitment or "",
            promise=record.promise,
            words={seat: words[seat] for seat in setup.seats if seat in words},
            silent=record.silent,
            published=record.are_published,
        )

    def add_words(self, words: Mapping[str, str], *, replace: bool = False) -> Prepared:
        """Return the game with more ``words``, by seat; with ``replace``, a seat's second word replaces its first.

        Raises ``PreparationError`` with all reasons.
        """
        if self.record.are_published:
            raise PreparationError("the words are published and can no longer change; prepare a new game for other words")
        known, wrong = dict(self.record.chance.entropy), []
        for seat, text in ((seat.lower(), text) for seat, text in words.items()):
            if seat not in self.record.setup.seats:
                wrong.append(self._no_seat(seat))
                continue
            try:
                word = normalize_word(text)
            except BadWordError as error:
                wrong.append(f"the word of {seat} {error}")
                continue
            if known.get(seat, word) != word and not replace:
                wrong.append(f"the word of {seat} is already “{known[seat]}”; use `replace` to replace it")
            known[seat] = word
        if wrong:
            raise PreparationError("\n".join(wrong))
        return Prepared(replaced(self.record, chance=replaced(self.record.chance, entropy=known)))

    def publish(self, without: Iterable[str] = ()) -> Prepared:
        """Return the game with final words: none can change any more. ``without`` names each seat that sent no word.

        Raises ``PreparationError`` if these are not exactly the seats without a word.
        """
        record, named = self.record, tuple(dict.fromkeys(seat.lower() for seat in without))
        if record.are_published:
            if named and set(named) != set(record.chance.without):
                raise PreparationError("the words are published: the list of seats without a word can no longer change")
            return self
        wrong = [self._no_seat(seat) for seat in named if seat not in record.setup.seats]
        sent = record.chance.entropy
        wrong += [
            f"leave out `without` {seat}: it has sent the word “{word}”" for seat, word in sent.items() if seat in named
        ]
        missing = [seat for seat in record.silent if seat not in named]
        if missing:
            options = " ".join(f"`without` {seat}" for seat in missing)
            wrong.append(f"{', '.join(missing)} sent no word; to continue without it: {options}")
        if wrong:
            raise PreparationError("\n".join(wrong))
        chance = replaced(record.chance, without=record.silent)
        return Prepared(replaced(record, chance=chance, are_published=True))

    def begin(self) -> Game:
        """Deal, and return the game. Raises ``PreparationError`` if the words are not published."""
        record = self.record
        if not record.are_published:
            raise PreparationError("publish the words first")
        rules = bind_rules(ruleset_named(record.ruleset.id), record.setup, record.ruleset.version)
        heading = {name: getattr(record, name) for name in ("id", "ruleset", "components", "chance", "setup")}
        return Game.of(begin(rules, Record(**heading, journal=(), pending=(), state=None)), rules)

    def to_bytes(self) -> bytes:
        """Return the bytes of the file, which ``open_prepared`` reads."""
        return dump_prepared(self.record)

    def _no_seat(self, name: str) -> str:
        seats = self.record.setup.seats
        return f"this game has no seat “{name}”{did_you_mean(name, seats)}; its seats are: {', '.join(seats)}"


def open_prepared(source: str | Path | bytes) -> Prepared:
    """Open a prepared game: the path of its file, or its bytes. Raises ``FileProblem``."""
    return Prepared(load_prepared(source))


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
    rules = ruleset_named(choices.ruleset)
    problems = tuple(_problems(rules, choices))
    if problems:
        raise SetupError(problems)
    seats = tuple(player.seat for player in choices.players)
    version = choices.version or rules.meta.version
    options = fill_options(rules.meta, seats, options_in_any_case(rules.meta, seats, choices.options), version)
    setup = Setup(choices.players, options, choices.components, choices.position)
    chance = ChanceRecord(source="recorded")
    if choices.secret is not None:
        silent = [player.seat for player in choices.players if choices.is_promised and player.seat not in choices.entropy]
        chance = ChanceRecord(
            source="committed",
            commitment=commitment(bytes.fromhex(choices.secret)),
            secret=choices.secret,
            entropy=dict(choices.entropy),
            promised=choices.is_promised,
            without=tuple(silent),
        )
    record = Record(
        id=choices.id,
        ruleset=RulesetRef(rules.meta.id, version),
        components=reference(choices.components),
        chance=chance,
        setup=setup,
        journal=(),
        pending=(),
        state=None,
    )
    return Game.of(record, bind_rules(rules, setup, version))


def _problems(rules: Ruleset, choices: GameChoices) -> Iterator[Problem]:
    fewest, most = rules.meta.players
    count = len(choices.players)
    if not fewest <= count <= most:
        yield Problem("core/player-count", f"{rules.meta.name} is for {rules.meta.players_words}, not {count}", part="seat")
    if choices.version and not rules.meta.can_decide(choices.version):
        message = f"this program cannot play version {choices.version} of the rules of {rules.meta.name}"
        yield Problem("core/no-such-version", message)
    if not GAME_ID.fullmatch(choices.id):
        yield Problem("core/bad-id", BAD_ID.format(choices.id[:80]), part="id")
    if is_borrowed(rules, choices.components):
        message = f"give your own component set another id than “{choices.components.id}”: the game has a set with this id"
        yield Problem("core/borrowed-name", message)
    if choices.secret is not None and not _SECRET.fullmatch(choices.secret):
        yield Problem("core/bad-seed", "write the secret of chance (the seed) as 64 digits 0–9 and a–f")
    places: dict[Seat, list[int]] = {}
    for at, seat in enumerate(player.seat for player in choices.players):
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
    for at, player in enumerate(choices.players):
        if len(player.holder) > 80 or not is_text(player.holder):
            message = f"use at most 80 characters of plain text for the name of the player of {player.seat}"
            yield Problem("core/bad-seat", message, part=f"player:{at}")
    for named, word in choices.entropy.items():
        if named not in places:
            yield Problem("core/unknown-seat", f"the word for chance is for “{named}”, which is not a seat of this game")
        if not 1 <= len(word) <= 80 or not is_text(word):
            yield Problem("core/bad-entropy", f"the word of {named} must be 1 to 80 characters of plain text")
