"""What can happen in a game of Checkpoint Charlie that the recorded games must show, read from the events of a journal."""

from __future__ import annotations

from itertools import pairwise

from journals import EVERYWHERE, Test, entries_of, events_of, happened, is_over, option, players, wrote

from adjudicator.core.game import Game

FEWEST = 48
"""So many games at least are kept."""


def winners(game: Game) -> tuple[str, ...]:
    return events_of(game, "game-ended")[-1].winners if is_over(game) else ()


def points(game: Game) -> list[int]:
    return [event.after for event in events_of(game, "spent")] if is_over(game) else []


def ended(reason: str) -> Test:
    return lambda game: is_over(game) and events_of(game, "end-declared")[-1].reason == reason


def is_tie_for_gold(game: Game) -> bool:
    """Tell whether two had the most points and one of them the most gold."""
    return len(winners(game)) == 1 and points(game).count(max(points(game))) > 1


def has_late_white(game: Game) -> bool:
    return any(event.suspect is None and event.colour == "white" for event in events_of(game, "accusation-judged"))


def is_first_by_catch(game: Game) -> bool:
    """Tell whether a later round began with another seat than the one before."""
    firsts = [event.first for event in events_of(game, "round-begun")]
    return any(one != other for one, other in pairwise(firsts))


def has_stasi_to_the_end(game: Game) -> bool:
    return len(events_of(game, "stasi-shown")) > len(events_of(game, "stasi-returned")) and is_over(game)


def has_last_swap(game: Game) -> bool:
    """Tell whether markers were exchanged after the end had been declared."""
    kinds = [event.kind for entry in entries_of(game) for event in entry.events]
    return "end-declared" in kinds and "markers-swapped" in kinds[kinds.index("end-declared") :]


def has_rows_only_last_call(game: Game) -> bool:
    return game.setup.options["accuse"] == "rows" and bool(events_of(game, "deck-emptied"))


def chose_after_watched(game: Game) -> bool:
    """Tell whether somebody chose a clue after the player had whom the Stasi officer watched, and before it was opened."""
    chosen: list[str] = []
    for event in (event for entry in entries_of(game) for event in entry.events):
        if event.kind == "round-begun":
            chosen = []
        elif event.kind == "clue-chosen":
            chosen.append(event.seat)
        elif event.kind == "clue-opened" and chosen[-1] != event.seat:
            return True
    return False


def passes_over_what_lies_open(game: Game) -> bool:
    """Tell whether a marker was taken in exchange from one with whom an exchanged one of the colour lay open."""
    opened: set[tuple[str, str]] = set()
    for event in (event for entry in entries_of(game) for event in entry.events):
        if event.kind == "adler-opened":
            opened.add((event.seat, event.colour))
        elif event.kind == "markers-swapped" and (event.other, event.colour) in opened:
            return True
    return False


def of_version(version: int) -> Test:
    return lambda game: game.ruleset.version == version and is_over(game)


OF_VERSION_2: dict[str, Test] = {
    "version 2 of the rules": of_version(2),
    "version 2: an open clue": happened("clue-opened"),
    "version 2: a clue chosen after that of who is watched": chose_after_watched,
    "version 2: an exchanged marker lies open": happened("adler-opened"),
    "version 2: chance picks past what lies open": passes_over_what_lies_open,
    "version 2: a swap that found nothing left": happened("swap-missed"),
}
OF_VERSION_1: dict[str, Test] = {
    "version 1 of the rules": of_version(1),
    **EVERYWHERE,
    "3 players": players(3),
    "4 players": players(4),
    "5 players": players(5),
    "ten points announced": ended("announced"),
    "a colour run out": ended("colour-out"),
    "the last round": ended("last-round"),
    "all five rounds": lambda game: len(events_of(game, "round-begun")) == 5 and is_over(game),
    "one round": option("rounds", "1"),
    "two rounds": option("rounds", "2"),
    "three rounds": option("rounds", "3"),
    "a shared victory": lambda game: len(winners(game)) > 1,
    "a tie decided by gold": is_tie_for_gold,
    "points below 0": lambda game: min(points(game), default=0) < 0,
    "a claim rejected": happened("claim-rejected"),
    "a claim void": happened("claim-void"),
    "the deck exhausted": happened("round-ended", late=None),
    "a chief caught": happened("accusation-judged", colour="gold"),
    "a chief in the deck still": happened("chief-named", is_shown=False),
    "white for being late": has_late_white,
    "a new first player": is_first_by_catch,
    "a public clue": happened("investigator-turned"),
    "a counter tossed for scoring": happened("counter-tossed"),
    "a marker missed": happened("marker-missed"),
    "windows after a lap": option("window", "lap"),
    "only rows accused": option("accuse", "rows"),
    "a last call for rows": has_rows_only_last_call,
    "an investigator chosen": lambda game: any(
        game.setup.options[f"investigator.{player.seat}"] != "auto" for player in game.setup.players
    ),
    "the Stasi officer": option("stasi", "on"),
    "the Stasi marker returned": happened("stasi-returned"),
    "an open clue": happened("clue-chosen", is_open=True),
    "the Stasi marker kept": has_stasi_to_the_end,
    "Café Adler": option("adler", "on"),
    "markers swapped": happened("markers-swapped"),
    "markers swapped after the last scoring": has_last_swap,
    "a swap that came to nothing": happened("swap-void"),
    "nothing to say": wrote("PASS"),
    "waiting ahead": wrote("in round"),
    "times received": wrote("received"),
    "a condition": wrote("IF "),
    "an explicit position": lambda game: game.setup.position is not None and is_over(game),
}
SITUATIONS = OF_VERSION_1 | OF_VERSION_2
"""Each situation and whether a game shows it; those of version 1 all games can show but an open clue."""
