"""Make `tests/data/club-1.0.0.tar.xz`: a club as version 1.0.0 left it, for the tests of `club upgrade`.

    git worktree add ../old f2e73fc1
    python -m tests.drivers.old_club PYTHON    # one with the program of that folder

Ann, Bob and Eve are members. In `waiting`, Ann (red) plays from two addresses, one of them that of the member; Carol has
left the seat blue to Blue, who has a holiday; a mail of Ann waits, with a mistake. In `paused`, the moderator has paused the
game of Ann and Bob. In `killed`, a round ended right after it had saved the game. Three matters wait, a place on a list, and
letters that no server took.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from typer.testing import CliRunner, Result

from tests.drivers.club import DAY, FOLDER, HOUR, START, Club, address

ARCHIVE = FOLDER.parent / "data" / "club-1.0.0.tar.xz"
END = START + 2 * DAY + 6 * HOUR
"""The time at which the club was left."""
DESK, PUBLIC = "https://club.example.org/desk/", "https://club.example.org/"
SETTINGS = f"""
[desk]
folder = "../desk"
address = "{DESK}"

[public]
address = "{PUBLIC}"

[[webhooks]]
kind = "discord"
url.env = "CHAT_URL"
events = ["over"]

[[people.open]]
ruleset = "checkered-flag"
options = {{ laps = "2" }}
condition = "abandoned<=50"

[incoming]"""
KILLED = """
import os
replace = os.replace
def last(old, new, **named):
    replace(old, new, **named)
    if str(new).endswith("killed/game.json"):
        os._exit(9)
os.replace = last
"""


@dataclass
class OldClub(Club):
    """A club that the earlier version plays: its ``python`` has the program."""

    python: str = ""
    before: str = ""

    def command(self, *words: object, stdin: bytes = b"", code: int | None = 0) -> Result:
        clock = f"import time; time.time = lambda: {float(self.now)}"
        script = f"{clock}\n{self.before}\nfrom adjudicator.__main__ import main\nmain()"
        done = subprocess.run(
            [self.python, "-c", script, *map(str, words)], cwd=self.top, input=stdin, capture_output=True, check=False
        )
        said = done.stdout.decode(), done.stderr.decode()
        assert code is None or done.returncode == code, (words, done.returncode, said)
        both = done.stdout + done.stderr
        return Result(CliRunner(), done.stdout, done.stderr, both, None, done.returncode, None)

    def begin(self, game: str, **seats: str) -> None:
        """Take a new game into the club: each seat has a name and an address."""
        players = [word for seat in seats for word in ("--seat", f"{seat}={seats[seat].title()}")]
        self.command("new", "checkered-flag", *players, "--seed", "ab" * 32, "-o", f"{game}.json")
        self.club("add", f"{game}.json", *(w for seat, who in seats.items() for w in ("--seat", f"{seat}={address(who)}")))


def play(club: OldClub) -> None:
    """Let the club become what the tests need."""
    moderator = ("--address", "club@example.org", "--moderator", "gm@example.org")
    club.command("club", "init", "thursday", "--name", "Thursday club", *moderator)
    club.club("set", "pictures=none", "people.join=true", "people.new=true", "deadlines.nmr=default")
    (club.top / "desk").mkdir()
    (club.top / "desk" / "index.html").write_text("<title>The desk</title>")
    club.change("club.toml", "\n[incoming]", SETTINGS)
    for who in ("ann", "bob", "eve"):
        club.mail(who, "JOIN")
    club.round()
    for who in ("ann", "bob", "eve"):
        club.mail(who, f"REGISTER {who.title()}\nSET format=text")
    club.round(60)
    club.begin("waiting", red="ann", blue="carol")
    club.begin("paused", red="ann", blue="bob")
    club.begin("killed", red="red", blue="white")
    club.change("games/waiting/game.toml", '["ann@example.org"]', '["ann@home.example", "ann@example.org"]')
    club.change("games/waiting/game.toml", "[seats.blue]", '[deadlines]\nevery = "5 days"\n\n[seats.blue]')
    club.round(60)
    club.club("seat", "waiting", "blue", "Blue", "blue@example.org")
    club.round(60)
    club.mail("bob", "STATUS\nHOLIDAY 2026-04-06 to 2026-04-09", "paused")
    club.mail("blue", "HOLIDAY 2026-03-20 to 2026-03-25\nMESSAGE to red: a question", "waiting")
    club.mail("ann@home.example", "MESSAGE to moderator: hello", "waiting")
    club.mail("zoe", "GEAR 1", Subject=f"[{club.known('tag', 'red', 'killed')}]")
    club.mail("zoe", "JOIN", "new")
    club.mail("eve", "JOIN checkered-flag\nHOLIDAY 2026-05-01 to 2026-05-05")
    club.round(HOUR)
    club.now += DAY
    club.club("pause", "paused")
    club.change("club.toml", 'kind = "folder"', 'kind = "smtp"\nhost = "127.0.0.1"\nport = 9\nsecurity = "none"')
    club.mail("ann@home.example", "GEAR 1\nGAER 2", "waiting")
    club.mail("ann", "GEAR 1", "paused")
    club.round(DAY, code=None)
    club.change("club.toml", 'kind = "smtp"\nhost = "127.0.0.1"\nport = 9\nsecurity = "none"', 'kind = "folder"')
    club.mail("red", "GEAR 1", "killed")
    club.now = END
    club.before = KILLED
    club.club("run", "--once", code=9)


def main() -> None:
    """Play the club, and pack it."""
    with tempfile.TemporaryDirectory() as top:
        club = OldClub(Path(top), python=sys.argv[1])
        play(club)
        with tarfile.open(ARCHIVE, "w:xz", format=tarfile.PAX_FORMAT) as archive:
            for name in ("desk", "thursday"):
                archive.add(Path(top) / name, name, filter=anonymous)


def anonymous(info: tarfile.TarInfo) -> tarfile.TarInfo:
    """Return the entry of an archive without what it says of this machine."""
    info.uid = info.gid = 0
    info.uname = info.gname = ""
    return info


def unpacked(top: Path) -> Club:
    """Return the club in the folder ``top``, with the letters that its players have got."""
    top.mkdir(exist_ok=True)
    with tarfile.open(fileobj=BytesIO(ARCHIVE.read_bytes()), mode="r:xz") as archive:
        archive.extractall(top, filter="data")
    (top / "thursday").chmod(0o700)
    club = Club(top, END, number=1000)
    club.read_letters()
    club.new = []
    return club


if __name__ == "__main__":
    main()
