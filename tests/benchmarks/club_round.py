"""Measures rounds of a club: `python -m tests.benchmarks.club_round [GAMES [PICTURES]]`, in seconds.

First one with so many new games, then one with nothing new, as commands of their own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import adjudicator as adj
from adjudicator.club.club import open_club
from adjudicator.club.folder import begin_club
from adjudicator.club.seats import add_game
from adjudicator.club.settings import change_club


def main(games: str = "1000", pictures: str = "none") -> None:
    """Print the time by the clock and of the processor for each round."""
    with tempfile.TemporaryDirectory() as top:
        folder = Path(top, "thursday")
        begin_club(folder, name="T", address="club@example.org", moderator="gm@example.org", zone="UTC")
        change_club(folder / "club.toml", {"pictures": pictures})
        with open_club(folder, int(time.time())) as club, club.locked():
            for number in range(int(games)):
                game = adj.new("checkered-flag", {"red": "Ann", "blue": "Bob"}, id=f"race{number}")
                path = Path(top, "new.json")
                path.write_bytes(game.to_bytes())
                add_game(club, path, {"red": f"ann{number}@example.org", "blue": f"bob{number}@example.org"}, len)
        for what in (f"{games} new games", "nothing new"):
            begun, before = time.monotonic(), os.times()
            command = [sys.executable, "-m", "adjudicator", "club", "run", str(folder), "--once"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            after = os.times()
            used = after.children_user + after.children_system - before.children_user - before.children_system
            print(f"{what}: {time.monotonic() - begun:.2f} s by the clock, {used:.2f} s of processor time")  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
