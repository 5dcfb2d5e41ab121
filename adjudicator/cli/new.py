"""The command `new`: set up a game."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli.arguments import Json, RulesetId, pairs, players
from adjudicator.cli.failures import explained
from adjudicator.cli.files import only_one_stdin, read_file, write_new
from adjudicator.cli.language import language_notes
from adjudicator.cli.new_game import tell_game
from adjudicator.cli.output import MisuseError, say_bytes, warn
from adjudicator.cli.prepared import write_prepared
from adjudicator.library.words import ambiguous_words

if TYPE_CHECKING:
    from adjudicator.core.ruleset import Player
    from adjudicator.library.game import Game

_LONGEST_SECRET = 1_000
"""The number of bytes that are read from the file with the secret."""

Many = list[str] | None
Seats = Annotated[
    Many,
    typer.Option("--seat", metavar="SEAT[=NAME]", help="a seat and its player; give them in the order of play [repeatable]"),
]
Entrants = Annotated[
    str | None,
    typer.Option("--seats", metavar="FILE", help="a file with many seats, one per line: `seat,name,class`"),
]
Output = Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="the new game file; `-` for standard output")]
Options = Annotated[
    Many,
    typer.Option(
        "--option", metavar="NAME=VALUE", help="an option of the game; `adjudicator games` lists them [repeatable]"
    ),
]
Components = Annotated[
    str | None, typer.Option(metavar="SET", help="the name of a component set, or a file with your own set")
]
Position = Annotated[str | None, typer.Option(metavar="FILE", help="a file with the first position, instead of a deal")]
Seed = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="a file with the secret of chance, 64 digits 0-9 and a-f; `-` for standard input; without it, a new secret."
        " You can also give the digits themselves, but only for tests: other users of this computer can see them",
    ),
]
Entropy = Annotated[
    Many,
    typer.Option("--entropy", metavar="SEAT=WORD", help="a player's word for chance, mixed into every draw [repeatable]"),
]
Recorded = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="you draw yourself: FILE has the outcomes of the set-up, in order"),
]
GameId = Annotated[
    str | None, typer.Option("--id", metavar="ID", help="the id of the game; without it, the name of the file")
]
Languages = Annotated[
    Many,
    typer.Option(
        "--language", metavar="CODE", help="a language for orders besides English; see `adjudicator language` [repeatable]"
    ),
]
CommitOnly = Annotated[
    bool,
    typer.Option("--commit-only", help="do not deal yet: the players send words first; see `adjudicator words`"),
]
Force = Annotated[bool, typer.Option("--force", help="replace the file if it already exists")]


def new(
    ruleset: RulesetId,
    seat: Seats = None,
    seats: Entrants = None,
    output: Output = "game.json",
    option: Options = None,
    components: Components = None,
    setup: Position = None,
    seed: Seed = None,
    entropy: Entropy = None,
    recorded: Recorded = None,
    commit_only: CommitOnly = False,
    language: Languages = None,
    game_id: GameId = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Set up a game and write its game file.

    The file contains everything, secrets included: only the moderator may see it. Use `show` to see what a player may see.

    Use --commit-only to prevent even yourself from choosing the deal: the program then deals only after the players have
    sent their words (`words`, `begin`).

    Examples:
      adjudicator new checkpoint-rally --seat red=Ann --seat blue=Bob -o race.json
      adjudicator new checkpoint-rally --seat red --seat blue --option map=lower
      adjudicator new checkpoint-rally --seat red --seat blue --commit-only
      adjudicator new checkpoint-rally --seat red --seat blue --language de
      adjudicator new rally-round --seats entrants.csv -o evening.json
    """
    with explained(as_json=as_json):
        from adjudicator.library.begin import new as begin
        from adjudicator.library.begin import prepare_game
        from adjudicator.library.texts import read_outcomes

        _refuse_nonsense(seed, entropy, recorded, commit_only=commit_only)
        only_one_stdin(*filter(None, (components, setup, recorded, seed, seats)))
        if commit_only and language:
            raise MisuseError("use --language or --commit-only, not both: choose the languages when the game has begun")
        wish: dict[str, Any] = {
            "ruleset": ruleset,
            "players": _players(seat, seats),
            "id": game_id or _id_of(output),
            "components": components,
            "options": pairs(option or (), "an option"),
            "position": setup,
            "seed": None if seed is None else _secret(seed),
        }
        if commit_only:
            write_prepared(prepare_game(**wish), output, force=force, as_json=as_json)
            return
        game = begin(
            **wish,
            words=pairs(entropy or (), "a word of entropy", "SEAT=WORD"),
            recorded=None if recorded is None else read_outcomes(recorded),
            languages=language or (),
        )
        if language:
            for note in language_notes(ambiguous_words(game)):
                warn(note)
        _write(game, output, force=force, as_json=as_json)


def _players(seat: Many, entrants: str | None) -> Iterator[Player]:
    """Yield the named players, then those in the file ``entrants``. Raises ``MisuseError``, and as reading does."""
    from adjudicator.library.opening import read_players

    named = players(seat or ())
    if not named and entrants is None:
        raise MisuseError("name the seats: --seat red=Ann --seat blue=Bob, or --seats FILE with a line for each seat")
    yield from named
    if entrants is not None:
        yield from read_players(entrants)


def _refuse_nonsense(seed: str | None, entropy: Many, recorded: str | None, *, commit_only: bool) -> None:
    """Raise ``MisuseError`` if people draw the outcomes, but a secret or words for the program's draws are given.

    Likewise if words are given that the players send only after the commitment is published.
    """
    if commit_only and entropy:
        raise MisuseError("use --entropy or --commit-only, not both: `adjudicator words` takes the words later")
    if commit_only and recorded is not None:
        raise MisuseError("use --recorded or --commit-only, not both: outcomes that you draw need no commitment")
    if recorded is None:
        return
    if seed is not None:
        raise MisuseError("use --seed or --recorded, not both: either the program draws or you do")
    if entropy:
        raise MisuseError("use --entropy or --recorded, not both: words are only mixed into the program's draws")


def _write(game: Game, output: str, *, force: bool, as_json: bool) -> None:
    """Write the new game, and print its place and whose decision is due; standard output gets only the game."""
    data = game.to_bytes()
    if output == "-":
        say_bytes(data)
        return
    write_new(Path(output), data, force=force)
    tell_game(game, output, as_json=as_json)


def _id_of(output: str) -> str:
    """Return an id made of the file name: characters that an id must not contain become dashes."""
    name = "" if output == "-" else Path(output).name.removesuffix(".json")
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-._")[:80] or "game"


def _secret(seed: str) -> str:
    """Return the given secret, or the one in the file ``seed``. Raises ``CannotRead``."""
    if seed != "-" and not os.path.isfile(seed):
        return seed
    words = read_file(seed)[1][:_LONGEST_SECRET].decode("ascii", "replace").split()
    return words[0] if len(words) == 1 else ""
