"""The command `new`: sets a game up."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli.arguments import Json, pairs, players
from adjudicator.cli.failures import explained
from adjudicator.cli.files import only_one_stdin, write_new
from adjudicator.cli.output import MisuseError, say_bytes, say_json, say_safely, warn

if TYPE_CHECKING:
    from adjudicator.core.ruleset import AnyRuleset, Player
    from adjudicator.session import Session

_MOST_RECORDED = 100_000
_MOST_SEATS = 20
"""Seats that are listed one by one."""
_LONGEST_SECRET = 1_000
"""Bytes of its file that are looked at."""

Many = list[str] | None
RulesetId = Annotated[
    str, typer.Argument(metavar="RULESET", help="what is played, such as checkpoint-rally", show_default=False)
]
Seats = Annotated[
    Many,
    typer.Option("--seat", metavar="SEAT[=NAME]", help="a seat and who holds it, in order [repeatable]"),
]
Entrants = Annotated[
    str | None,
    typer.Option("--seats", metavar="FILE", help="a list of seats for very many: a line each, `seat,name,class`"),
]
Output = Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="the new game file; `-` is standard output")]
Options = Annotated[Many, typer.Option("--option", metavar="KEY=VALUE", help="see `adjudicator games` [repeatable]")]
Components = Annotated[str | None, typer.Option(metavar="SET", help="a component set by name, or the file of your own")]
Position = Annotated[
    str | None, typer.Option(metavar="FILE", help="an explicit position to begin with, instead of a dealt one")
]
Seed = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="the secret of chance, 64 hex digits in a file; `-` is standard input; without it a fresh one is drawn."
        " The digits themselves would be seen by all who see what runs: for tests only",
    ),
]
Entropy = Annotated[
    Many, typer.Option("--entropy", metavar="SEAT=WORD", help="a player's own word, mixed into every draw [repeatable]")
]
Recorded = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="you draw, and write the outcomes down: FILE has those of the set-up, in order"),
]
GameId = Annotated[str | None, typer.Option("--id", metavar="ID", help="the game's id; else the name of the file")]
Languages = Annotated[
    Many,
    typer.Option("--language", metavar="CODE", help="orders may also be written in it: see `language` [repeatable]"),
]
CommitOnly = Annotated[
    bool,
    typer.Option("--commit-only", help="do not begin yet: first the players send their words, see `adjudicator words`"),
]
Force = Annotated[bool, typer.Option("--force", help="replace the file if it is there")]


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
    """Set a game up and write its game file.

    The file holds everything, secrets too: it is for the moderator's eyes. What each player may see, `show` tells. With
    --commit-only nothing is dealt before the players have sent their words (`words`, `begin`): you cannot choose the deal.

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
        wish = begin.Wish(
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
                raise MisuseError(
                    "--language and --commit-only exclude each other: choose languages when the game has begun"
                )
            write_prepared(wish, output, force=force, as_json=as_json)
            return
        _write(_speaking(begin.begin_game(wish), language), output, force=force, as_json=as_json)


def _players(seat: Many, entrants: str | None) -> tuple[Player, ...]:
    """Return the players named, then those in the file ``entrants``. Raises ``MisuseError``, and as reading does."""
    from adjudicator.store.entrants import load_entrants

    named = players(seat or ())
    if not named and entrants is None:
        raise MisuseError("name the seats: --seat red=Ann --seat blue=Bob, or --seats FILE with a line for each")
    return named if entrants is None else (*named, *load_entrants(entrants))


def _refuse_nonsense(seed: str | None, entropy: Many, recorded: str | None, *, commit_only: bool) -> None:
    """Raise ``MisuseError`` if outcomes are written down, and yet something is given of which they would be derived.

    Likewise if words are given of players who are to send them only when the commitment is known.
    """
    if commit_only and entropy:
        raise MisuseError("--entropy and --commit-only exclude each other: the words come later, see `adjudicator words`")
    if commit_only and recorded is not None:
        raise MisuseError("--recorded and --commit-only exclude each other: what is written down needs no commitment")
    if recorded is None:
        return
    if seed is not None:
        raise MisuseError("--seed and --recorded exclude each other: chance is derived, or written down")
    if entropy:
        raise MisuseError("--entropy and --recorded exclude each other: words are mixed into draws that are derived")


def _speaking(session: Session, language: Many) -> Session:
    """Return the game of ``session`` with these languages; words that cannot be told apart are noted."""
    if not language:
        return session
    from adjudicator.cli.language import language_notes
    from adjudicator.game_languages import conflicts_of, with_languages

    spoken = with_languages(session, language)
    for note in language_notes(conflicts_of(spoken)):
        warn(note)
    return spoken


def _write(session: Session, output: str, *, force: bool, as_json: bool) -> None:
    """Write the new game, and tell where, and who is to decide; standard output gets the game alone."""
    from adjudicator.store.save import dump_game

    data = dump_game(session.game)
    if output == "-":
        say_bytes(data)
        return
    write_new(Path(output), data, force=force)
    tell_session(session, output, as_json=as_json)


def tell_session(session: Session, output: str, *, as_json: bool) -> None:
    """Tell where the game of ``session``, just set up, is filed (``output``), and what to do next."""
    from adjudicator.outputs.games import NewGame

    game, due = session.game, session.rules.awaiting(session.config, session.game.state)
    if as_json:
        say_json(
            NewGame(
                file=output,
                game=game.id,
                ruleset=game.ruleset.id,
                turn=game.turn,
                components=game.components.id,
                components_version=game.components.version,
                components_hash=game.components.hash,
                commitment=game.chance.commitment,
                due=due,
            )
        )
        return
    say_safely("\n".join(_told(session, output)))


def _told(session: Session, output: str) -> Iterator[str]:
    """Yield what a moderator needs to know of a game just set up, and what to do next."""
    import shlex

    from adjudicator.reports.heading import to_write
    from adjudicator.reports.outcome import due_lines

    game, rules, file = session.game, session.rules, shlex.quote(output)
    seats = [f"{player.seat} ({player.holder})" if player.holder else player.seat for player in game.setup.players]
    if len(seats) > _MOST_SEATS:
        seats = [*seats[: _MOST_SEATS // 2], f"… {len(seats) - _MOST_SEATS:,} more …", *seats[-_MOST_SEATS // 2 :]]
    yield f"{output}: {rules.meta.name}, game {game.id}, components {game.components.id}"
    yield f"  seats       {', '.join(seats)}"
    if game.chance.commitment is None:
        yield "  chance      recorded: what is drawn stands in brackets after its order"
    else:
        yield f"  commitment  {game.chance.commitment}"
        if game.chance.promised:
            yield f"  promise     {game.promise}"
            yield "              both were published before the words: they prove that you did not choose what was dealt"
        else:
            yield "              publish it today: it proves at the end that no draw was changed"
    yield f"turn {game.turn}, due now:"
    yield from due_lines(rules.awaiting(session.config, game.state), session.holders)
    yield f"players {to_write(game.turn, 'their')}"
    steps = {
        f"show {file} --as {session.seats[0]}": "what to send to its player; so for each seat",
        f"legal {file}": "what may be ordered now: for the seat that is due",
        f"apply {file} ORDERS": "when orders have come, in a text file",
    }
    width = max(map(len, steps))
    yield "next:"
    yield from (f"  adjudicator {step:{width}}  {words}" for step, words in steps.items())


def _id_of(output: str) -> str:
    """Return an id from the name of the file: what an id may not have becomes a dash."""
    name = "" if output == "-" else Path(output).name.removesuffix(".json")
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-._")[:80] or "game"


def _secret(seed: str | None) -> str:
    """Return the secret as it was given, or from the file ``seed``, or else a fresh one. Raises ``CannotRead``."""
    if seed is None:
        import secrets

        return secrets.token_hex(32)
    if seed != "-" and not os.path.isfile(seed):
        return seed.strip().lower()
    from adjudicator.store.reading import read

    _, data = read(seed)
    words = data[:_LONGEST_SECRET].decode("ascii", "replace").split()
    return words[0].lower() if len(words) == 1 else ""


def chosen_components(rules: AnyRuleset, wanted: str | None) -> Any:
    """Return the component set called ``wanted``, by name or file; ``None``: the default. Raises as loading does."""
    from adjudicator.core.suggestions import in_any_case
    from adjudicator.store.components import shipped
    from adjudicator.store.load import load_components

    if wanted is None:
        return shipped(rules)[0]
    named, is_there = in_any_case(wanted, rules.meta.component_sets), wanted == "-" or os.path.exists(wanted)
    if named is not None and (named == wanted or not is_there):
        return shipped(rules, named)[0]
    if not is_there:
        shipped_sets = ", ".join(rules.meta.component_sets)
        raise MisuseError(f"“{wanted}” is neither a component set of {rules.meta.id} ({shipped_sets}) nor a file")
    return load_components(wanted, rules)


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
        raise MisuseError(f"{name}: more than {_MOST_RECORDED:,} bytes of recorded outcomes")
    try:
        lines = lines_of(decode(data))
    except NotTextError as error:
        raise MisuseError(f"{name}: {error}") from error
    return tuple(word for line in lines for word in clean(line).replace(",", " ").split())
