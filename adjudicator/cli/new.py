"""The command `new`: set up a game."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli.arguments import Json, pairs, players
from adjudicator.cli.failures import explained
from adjudicator.cli.files import only_one_stdin, write_new
from adjudicator.cli.new_game import tell_session
from adjudicator.cli.output import MisuseError, say_bytes, warn
from adjudicator.library.begin import chosen_components as chosen_components  # other commands have the same option

if TYPE_CHECKING:
    from adjudicator.core.rules import AnyRuleset
    from adjudicator.core.ruleset import Player
    from adjudicator.session import Session

_MOST_RECORDED = 100_000
_LONGEST_SECRET = 1_000
"""The number of bytes that are read from the file with the secret."""

Many = list[str] | None
RulesetId = Annotated[
    str, typer.Argument(metavar="RULESET", help="the game to play, such as checkpoint-rally", show_default=False)
]
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
        from adjudicator import begin, rulesets

        _refuse_nonsense(seed, entropy, recorded, commit_only=commit_only)
        only_one_stdin(*filter(None, (components, setup, recorded, seed, seats)))
        rules = rulesets.ruleset(ruleset.lower())
        choices = begin.GameChoices(
            ruleset=rules.meta.id,
            id=game_id or _id_of(output),
            players=_players(seat, seats),
            components=chosen_components(rules, components),
            options=pairs(option or (), "an option"),
            position=_position(rules, setup),
            secret=None if recorded is not None else _secret(seed),
            entropy={name.lower(): word for name, word in pairs(entropy or (), "a word of entropy", "SEAT=WORD").items()},
            recorded=_outcomes(recorded),
        )
        if commit_only:
            from adjudicator.cli.prepared import write_prepared

            if language:
                raise MisuseError("use --language or --commit-only, not both: choose the languages when the game has begun")
            write_prepared(choices, output, force=force, as_json=as_json)
            return
        _write(_speaking(begin.begin_game(choices), language), output, force=force, as_json=as_json)


def _players(seat: Many, entrants: str | None) -> tuple[Player, ...]:
    """Return the named players, then those in the file ``entrants``. Raises ``MisuseError``, and as reading does."""
    from adjudicator.store.entrants import load_entrants

    named = players(seat or ())
    if not named and entrants is None:
        raise MisuseError("name the seats: --seat red=Ann --seat blue=Bob, or --seats FILE with a line for each seat")
    return named if entrants is None else (*named, *load_entrants(entrants))


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


def _speaking(session: Session, language: Many) -> Session:
    """Return the game of ``session`` with these languages; print a note for each pair of ambiguous words."""
    if not language:
        return session
    from adjudicator.cli.language import language_notes
    from adjudicator.game_languages import conflicts_of, with_languages

    spoken = with_languages(session, language)
    for note in language_notes(conflicts_of(spoken)):
        warn(note)
    return spoken


def _write(session: Session, output: str, *, force: bool, as_json: bool) -> None:
    """Write the new game, and print its place and whose decision is due; standard output gets only the game."""
    from adjudicator.store.save import dump_game

    data = dump_game(session.game)
    if output == "-":
        say_bytes(data)
        return
    write_new(Path(output), data, force=force)
    tell_session(session, output, as_json=as_json)


def _id_of(output: str) -> str:
    """Return an id made of the file name: characters that an id must not contain become dashes."""
    name = "" if output == "-" else Path(output).name.removesuffix(".json")
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-._")[:80] or "game"


def _secret(seed: str | None) -> str:
    """Return the given secret, or the one in the file ``seed``, or a new one. Raises ``CannotRead``."""
    if seed is None:
        import secrets

        return secrets.token_hex(32)
    if seed != "-" and not os.path.isfile(seed):
        return seed.strip().lower()
    from adjudicator.store.reading import read

    _, data = read(seed)
    words = data[:_LONGEST_SECRET].decode("ascii", "replace").split()
    return words[0].lower() if len(words) == 1 else ""


def _position(rules: AnyRuleset, path: str | None) -> Any:
    from adjudicator.store.load import load_position

    return None if path is None else load_position(path, rules)


def _outcomes(path: str | None) -> tuple[str, ...]:
    """Return the outcomes in ``path``: words separated by spaces, commas or lines; `#` begins a comment."""
    if path is None:
        return ()
    from adjudicator.orders.clean import NotTextError, clean, decode, lines_of
    from adjudicator.store.reading import read

    name, data = read(path)
    if len(data) > _MOST_RECORDED:
        raise MisuseError(f"{name}: the file is too large for recorded outcomes: more than {_MOST_RECORDED:,} bytes")
    try:
        lines = lines_of(decode(data))
    except NotTextError as error:
        raise MisuseError(f"{name}: {error}") from error
    return tuple(word for line in lines for word in clean(line).replace(",", " ").split())
