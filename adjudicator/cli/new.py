"""The command `new`: sets a game up."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from adjudicator.cli.arguments import Json, pairs, players
from adjudicator.cli.failures import explained
from adjudicator.cli.output import MisuseError, say, say_bytes, say_json
from adjudicator.core.ruleset import Ruleset

_MOST_RECORDED = 100_000


def new(
    ruleset: Annotated[str, typer.Argument(help="which game, such as checkpoint-rally", show_default=False)],
    seat: Annotated[list[str], typer.Option("--seat", metavar="SEAT[=NAME]", help="a seat, in order; repeat it")],
    output: Annotated[str, typer.Option("-o", "--output", help="the new game file; `-` is standard output")] = "game.json",
    option: Annotated[
        list[str] | None, typer.Option("--option", metavar="KEY=VALUE", help="see `adjudicator games`")
    ] = None,
    components: Annotated[str | None, typer.Option(help="a shipped component set, or the file of your own")] = None,
    setup: Annotated[str | None, typer.Option(help="a file with an explicit position instead of a dealt one")] = None,
    seed: Annotated[str | None, typer.Option(metavar="HEX", help="64 hex digits: the same set-up and draws again")] = None,
    recorded: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="chance is what you write down: FILE has the outcomes of the set-up"),
    ] = None,
    game_id: Annotated[str | None, typer.Option("--id", help="the game's id; default: the name of the file")] = None,
    force: Annotated[bool, typer.Option("--force", help="replace the file if it is there")] = False,
    as_json: Json = False,
) -> None:
    """Set a game up and write its game file.

    Example:  adjudicator new checkpoint-rally --seat red=Ann --seat blue=Bob -o rally-042.json
    """
    from adjudicator.begin import Wish, begin_game
    from adjudicator.rulesets import ruleset as rules_of
    from adjudicator.store.save import dump_game

    with explained(as_json=as_json):
        if seed is not None and recorded is not None:
            raise MisuseError("--seed and --recorded exclude each other: chance is derived, or written down")
        rules = rules_of(ruleset)
        desk = begin_game(
            Wish(
                ruleset=ruleset,
                id=game_id or _id_of(output),
                players=players(seat),
                components=_components(rules, components),
                options=pairs(option or (), "an option"),
                position=_position(rules, setup),
                secret=None if recorded is not None else _secret(seed),
                recorded=_outcomes(recorded),
            )
        )
        data = dump_game(desk.game)
        if output == "-":
            say_bytes(data)
            return
        _write_new(Path(output), data, force=force)
        due = [{"seat": decision.seat, "ask": decision.ask} for decision in rules.awaiting(desk.table, desk.game.state)]
        if as_json:
            say_json({"file": output, "game": desk.game.id, "turn": desk.game.turn, "due": due})
            return
        say(f"{output}: {rules.meta.name}, game {desk.game.id}, turn {desk.game.turn}")
        for decision in due:
            say(f"  {decision['seat']}: {decision['ask']}")


def _id_of(output: str) -> str:
    return "game" if output == "-" else Path(output).name.removesuffix(".json")


def _secret(seed: str | None) -> str:
    if seed is not None:
        return seed.lower()
    import secrets

    return secrets.token_hex(32)


def _components(rules: Ruleset[Any, Any, Any], wanted: str | None) -> Any:
    from adjudicator.store.components import shipped
    from adjudicator.store.load import load_components

    if wanted is None or wanted in rules.meta.component_sets:
        return shipped(rules, wanted or "")[0]
    return load_components(wanted, rules)


def _position(rules: Ruleset[Any, Any, Any], path: str | None) -> Any:
    from adjudicator.store.load import load_position

    return None if path is None else load_position(path, rules)


def _outcomes(path: str | None) -> tuple[str, ...]:
    """Return the outcomes in ``path``: words separated by spaces, commas or lines; `#` begins a comment."""
    if path is None:
        return ()
    from adjudicator.cli.files import read_bytes
    from adjudicator.orders.clean import NotTextError, clean, decode, lines_of

    data = read_bytes(path, _MOST_RECORDED)
    if len(data) > _MOST_RECORDED:
        raise MisuseError(f"{path}: more than {_MOST_RECORDED:,} bytes of recorded outcomes")
    try:
        lines = lines_of(decode(data))
    except NotTextError as error:
        raise MisuseError(f"{path}: {error}") from error
    return tuple(word for line in lines for word in clean(line).replace(",", " ").split())


def _write_new(path: Path, data: bytes, *, force: bool) -> None:
    from adjudicator.store.save import locked, write_atomic

    with locked(path):
        if path.exists() and not force:
            raise MisuseError(f"{path} is there already; --force replaces it")
        write_atomic(path, data)
