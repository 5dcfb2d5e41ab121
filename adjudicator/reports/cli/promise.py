"""Write the announcements before a game begins: first the promise with its hashes, then the words of the players."""

from __future__ import annotations

from adjudicator.core.ruleset import Player
from adjudicator.core.values import Seat, Value
from adjudicator.reports.text.sanitize import printable
from adjudicator.results import PromisedGame


class Promise(Value, kw_only=True):
    """A game that has not begun, as everybody may know it.

    ``ruleset``, ``name`` and ``version`` are those of the rules; ``components`` are id, version and hash of the component
    set; ``seats`` are the seats with their players, in playing order. ``commitment`` fixes the secret of chance,
    ``promise`` fixes all of this. ``words`` are those of the seats that sent one, ``silent`` are the other seats;
    ``spelled`` spells out words whose letters look like others.
    """

    game: str
    ruleset: str
    name: str
    version: int
    components: tuple[str, int, str]
    seats: tuple[tuple[Seat, str], ...]
    options: tuple[tuple[str, str], ...]
    has_position: bool
    commitment: str
    promise: str
    words: tuple[tuple[Seat, str], ...] = ()
    spelled: tuple[tuple[Seat, str], ...] = ()
    silent: tuple[Seat, ...] = ()
    are_published: bool = False


def promise_text(promise: Promise) -> str:
    """Return the announcement to publish before the players send their words."""
    identity, version, digest = promise.components
    options = [f"  options     {' '.join(f'{name}={value}' for name, value in promise.options)}"] if promise.options else []
    lines = [
        f"game {promise.game}: {promise.name}, version {promise.version} of the rules",
        f"  seats       {', '.join(f'{seat} ({holder})' if holder else seat for seat, holder in promise.seats)}",
        *options,
        f"  components  {identity}, version {version}, {digest}",
        *(["  position    explicit; the promise fixes it"] if promise.has_position else []),
        f"  commitment  {promise.commitment}",
        f"  promise     {promise.promise}",
        "Each player now sends one word of 3 to 60 letters, digits and spaces. The moderator publishes all words.",
        "Then the game begins. The promise fixes everything above it, and the commitment fixes the secret of chance:",
        "no moderator can choose the deal.",
    ]
    return "\n".join(map(printable, lines))


def words_text(promise: Promise) -> str:
    """Return the announcement to publish before the game begins: each seat with its word, or without one."""
    lines = [f"game {promise.game}: the words of its players", f"  promise     {promise.promise}"]
    spelled = dict(promise.spelled)
    lines += [f"  {seat}: {spelled.get(seat, word)}" for seat, word in promise.words]
    lines += [f"  {seat}: no word" for seat in promise.silent]
    lines.append("Check your word. If it is missing or wrong, tell the moderator today, and the game does not begin yet.")
    return "\n".join(map(printable, lines))


def promised_game(promise: Promise, file: str) -> PromisedGame:
    """Return ``promise``, of the game prepared in ``file``, for machines."""
    identity, version, digest = promise.components
    return PromisedGame(
        file=file,
        game=promise.game,
        ruleset=promise.ruleset,
        name=promise.name,
        version=promise.version,
        components=identity,
        components_version=version,
        components_hash=digest,
        players=tuple(Player(seat, holder) for seat, holder in promise.seats),
        options=dict(promise.options),
        position=promise.has_position,
        commitment=promise.commitment,
        promise=promise.promise,
        words=dict(promise.words),
        silent=promise.silent,
        published=promise.are_published,
    )
