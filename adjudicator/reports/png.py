"""Turn SVG into PNG with the shipped fonts, so that every machine makes the same picture."""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import Final
from zlib import crc32

from adjudicator.reports.svg import Sheet

_FAMILY: Final = "DejaVu Sans"
MADE_BY: Final = b"adjudicator"
_SOFTWARE: Final = b"tEXtSoftware\0" + MADE_BY
PNG_MARK: Final = (len(_SOFTWARE) - 4).to_bytes(4, "big") + _SOFTWARE + crc32(_SOFTWARE).to_bytes(4, "big")
GIF_MARK: Final = b"!\xfe" + bytes([len(MADE_BY)]) + MADE_BY
"""The chunk of a PNG and the comment of a GIF that name their program: no command replaces the picture of another one."""
_AFTER_HEADER: Final = 33
"""The bytes of a PNG up to the end of its header, which every PNG begins with."""


class NoPictureError(Exception):
    """There is nothing to draw, or the extra for drawing is missing; the message says which."""

    kind = "misuse"
    exit_code = 2


def require_png() -> None:
    """Raise ``NoPictureError`` if the extra `png` is missing."""
    try:
        import resvg_py  # noqa: F401
    except ImportError:
        words = "install the extra `png` for PNG: pip install 'pbem-adjudicator[png]'; SVG and HTML do not need it"
        raise NoPictureError(words) from None


def png_of(sheet: Sheet, scale: float = 1) -> bytes:
    """Return ``sheet`` as PNG, ``scale`` times its size. Raises ``NoPictureError`` without the extra `png`."""
    require_png()
    import resvg_py

    with as_file(files("adjudicator.reports").joinpath("fonts")) as fonts:
        made = resvg_py.svg_to_bytes(
            svg_string=sheet.svg,
            width=max(1, int(sheet.width * scale)),
            height=max(1, int(sheet.height * scale)),
            skip_system_fonts=True,
            font_files=[str(fonts / "DejaVuSans.ttf"), str(fonts / "DejaVuSans-Bold.ttf")],
            font_family=_FAMILY,
            serif_family=_FAMILY,
            sans_serif_family=_FAMILY,
            cursive_family=_FAMILY,
            fantasy_family=_FAMILY,
            monospace_family=_FAMILY,
        )
    return bytes(made[:_AFTER_HEADER]) + PNG_MARK + bytes(made[_AFTER_HEADER:])
