"""Makes the mails of the corpus, and the page that says what each must give.

Run it after a frame was added or changed: ``python tests/mail/making.py``. The mails are made up, after the formats of the
programs they are named after.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
CORPUS = HERE / "corpus"
sys.path.insert(0, str(HERE))

from frames import others, replies  # noqa: E402, F401
from frames.pieces import FRAMES, ORDERS, Frame, lines_for  # noqa: E402


def expected(one: Frame) -> dict[str, list[str]]:
    """Return the sheets that a mail of the corpus must give."""
    return {"red": list(ORDERS[one.game])} if one.sheets is None else one.sheets


def page() -> str:
    """Return what is expected of every mail, as TOML."""
    return "".join(map("".join, map(_entry, FRAMES)))


def _entry(one: Frame) -> Iterator[str]:
    yield f"[{one.name}]\n"
    yield f'game = "{one.game}"\n'
    yield f'language = "{one.language}"\n'
    if one.seat:
        yield f'seat = "{one.seat}"\n'
    if one.codes:
        yield f"problems = {list(one.codes)}\n".replace("'", '"')
    if one.left_out:
        yield f"left_out = {list(one.left_out)}\n".replace("'", '"')
    for seat, orders in expected(one).items():
        yield f"{seat} = {orders}\n".replace("'", '"')
    yield "\n"


def files() -> dict[str, bytes]:
    """Return the files of the corpus by name."""
    mails = {f"{one.name}.eml": one.build(lines_for(one)) for one in FRAMES}
    return {**mails, "sheets.toml": page().encode()}


if __name__ == "__main__":
    CORPUS.mkdir(exist_ok=True)
    made = files()
    for path in CORPUS.iterdir():
        if path.name not in made:
            path.unlink()
    for name, data in made.items():
        (CORPUS / name).write_bytes(data)
    print(f"{len(FRAMES)} mails, {len({one.language for one in FRAMES})} languages")  # noqa: T201
