"""What the program is measured against: hands of poker, games of chess, bare JSON, and Python that does nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Any

from measuring.clock import Work

HANDS, GAMES_OF_CHESS = 6, 8
"""How many are played for a measurement: tens of milliseconds."""

HAND = """
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [2, 4, 0]
min_bet = 4
starting_stacks = [400, 400, 400]
actions = [
  "d dh p1 AcKd", "d dh p2 7h2s", "d dh p3 QhQs",
  "p3 cbr 12", "p1 cc", "p2 cc", "d db 5c6d9h",
  "p1 cc", "p2 cbr 30", "p3 cc", "p1 f", "d db Tc",
  "p2 cc", "p3 cbr 60", "p2 cc", "d db 2d", "p2 cc", "p3 cc",
  "p2 sm 7h2s", "p3 sm QhQs",
]
"""
"""A hand of poker in the notation that pokerkit reads: 20 actions."""

CHESS = """
1. e4 d6 2. d4 Nf6 3. Nc3 g6 4. Be3 Bg7 5. Qd2 c6 6. f3 b5 7. Nge2 Nbd7 8. Bh6 Bxh6 9. Qxh6 Bb7 10. a3 e5 11. O-O-O Qe7
12. Kb1 a6 13. Nc1 O-O-O 14. Nb3 exd4 15. Rxd4 c5 16. Rd1 Nb6 17. g3 Kb8 18. Na5 Ba8 19. Bh3 d5 20. Qf4+ Ka7 21. Rhe1 d4
22. Nd5 Nbxd5 23. exd5 Qd6 24. Rxd4 cxd4 25. Re7+ Kb6 26. Qxd4+ Kxa5 27. b4+ Ka4 28. Qc3 Qxd5 29. Ra7 Bb7 30. Rxb7 Qc4
31. Qxf6 Kxa3 32. Qxa6+ Kxb4 33. c3+ Kxc3 34. Qa1+ Kd2 35. Qb2+ Kd1 36. Bf1 Rd2 37. Rd7 Rxd7 38. Bxc4 bxc4 39. Qxh8 Rd3
40. Qa8 c3 41. Qa4+ Ke1 42. f4 f5 43. Kc1 Rd2 44. Qa7 1-0
"""
"""A game of chess (Kasparov–Topalov, Wijk aan Zee 1999) as everybody writes them down: 87 moves."""


def games() -> Iterator[Work]:
    """Yield the other programs' games that are installed: text in, every position of the game out."""
    try:
        from pokerkit import HandHistory
    except ImportError:
        pass
    else:
        actions = HAND.count('"') // 2 - 1
        yield Work("pokerkit", lambda: [list(HandHistory.loads(HAND)) for _ in range(HANDS)], actions * HANDS)
    try:
        from chess.pgn import read_game
    except ImportError:
        return

    def replay() -> int:
        game = read_game(StringIO(CHESS))
        assert game is not None
        assert not game.errors
        return sum(1 for _ in game.mainline())

    yield Work("python-chess", lambda: [replay() for _ in range(GAMES_OF_CHESS)], replay() * GAMES_OF_CHESS)


def bare_json(files: Sequence[bytes]) -> Work:
    """Return the reading of ``files`` by the JSON reader of Python, often enough to be measured."""
    times = max(1, 4_000_000 // sum(map(len, files)))
    return Work("json", lambda: [json.loads(file) for file in files], len(files), times)


def run(*arguments: str, out: Any = subprocess.DEVNULL) -> None:
    """Run Python as it runs where a package is installed: its modules were compiled once (the first round does that)."""
    surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, *arguments], check=True, stdout=out, env=surroundings)


def bare_python() -> Work:
    """Return the start of Python itself."""
    return Work("python -c pass", lambda: run("-c", "pass"), 1, 3)
