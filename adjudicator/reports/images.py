"""Turn SVG into PNG and GIF with the shipped fonts, so that all machines make the same picture; recognize own pictures."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from importlib.resources import as_file, files
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING, Final
from zlib import crc32

if TYPE_CHECKING:  # most reports draw no picture
    from adjudicator.reports.svg import Sheet

_FAMILY: Final = "DejaVu Sans"
_MADE_BY: Final = b"adjudicator"
_SOFTWARE: Final = b"tEXtSoftware\0" + _MADE_BY
_PNG_MARK: Final = (len(_SOFTWARE) - 4).to_bytes(4, "big") + _SOFTWARE + crc32(_SOFTWARE).to_bytes(4, "big")
_GIF_MARK: Final = b"!\xfe" + bytes([len(_MADE_BY)]) + _MADE_BY
"""The chunk of a PNG and the comment of a GIF that name their program: no command replaces the picture of another one."""
_PLOT_MARK: Final = b"<dc:title>adjudicator</dc:title>"
_SVG: Final = re.compile(
    rb'<svg font-family="sans-serif" xmlns="[^"]*" viewBox="0 0 ([0-9.]+) ([0-9.]+)" width="\1" height="\2"'
)
_MARKED: Final = 2048
"""The bytes at the beginning of a picture that say which program has drawn it."""
_AFTER_HEADER: Final = 33
"""The bytes of a PNG up to the end of its header, which every PNG begins with."""
MOST_FRAMES: Final = 120
"""The greatest number of frames; a longer game shows some of its entries only."""
_LONGEST: Final = 720
"""The longest side in pixels, unless its text would be too small."""
_LEAST_SCALE: Final = 0.75
"""The least scale at which the text of a picture can be read."""
_MILLISECONDS: Final = 600
_LAST_MILLISECONDS: Final = 4000
_COLORS: Final = 128


def is_picture(head: bytes) -> bool:
    """Return whether a file that begins with ``head`` is a picture that this program has drawn: SVG, PNG, plot or film."""
    begins = head[:_MARKED]
    return _SVG.match(begins) is not None or any(mark in begins for mark in (_PNG_MARK, _GIF_MARK, _PLOT_MARK))


def picture_form() -> str:
    """Return the picture format that most programs can show: ``png`` if its extra is installed, else ``svg``."""
    return "svg" if find_spec("resvg_py") is None else "png"


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
    return bytes(made[:_AFTER_HEADER]) + _PNG_MARK + bytes(made[_AFTER_HEADER:])


def require_gif() -> None:
    """Raise ``NoPictureError`` if the extra `gif` is missing."""
    try:
        import PIL.Image  # noqa: F401

        require_png()
    except (ImportError, NoPictureError):
        raise NoPictureError("install the extra `gif` for GIF: pip install 'pbem-adjudicator[gif]'") from None


def frames_of(count: int) -> Iterable[int]:
    """Return the numbers of the pictures to show of ``count``, at even distances, the first and the last included."""
    if count <= MOST_FRAMES:
        return range(count)
    return (at * (count - 1) // (MOST_FRAMES - 1) for at in range(MOST_FRAMES))


def gif_of(pictures: Sequence[Sheet], notify: Callable[[], object] = lambda: None) -> bytes:
    """Return ``pictures``, at least one, as a GIF on paper as large as the largest; each calls ``notify``.

    Raises ``NoPictureError`` without the extra `gif`.
    """
    require_gif()
    from PIL import Image

    wide, high = max(one.width for one in pictures), max(one.height for one in pictures)
    scale = min(1.0, max(_LEAST_SCALE, _LONGEST / max(wide, high)))
    frames = []
    for one in pictures:
        paper = Image.new("RGB", (max(1, int(wide * scale)), max(1, int(high * scale))), "#ffffff")
        paper.paste(Image.open(BytesIO(png_of(one, scale))).convert("RGB"))
        frames.append(paper.quantize(_COLORS, dither=Image.Dither.NONE))
        notify()
    times = [_MILLISECONDS] * (len(frames) - 1) + [_LAST_MILLISECONDS]
    made = BytesIO()
    frames[0].save(
        made, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0, optimize=True, comment=_MADE_BY
    )
    return made.getvalue()
