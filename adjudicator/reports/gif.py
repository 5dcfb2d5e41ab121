"""Turn the pictures of a game into a moving picture, a GIF."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from io import BytesIO
from typing import Final

from adjudicator.reports.png import MADE_BY, NoPictureError, png_of, require_png
from adjudicator.reports.svg import Sheet

MOST_FRAMES: Final = 120
"""The greatest number of frames; a longer game shows some of its entries only."""
_LONGEST: Final = 720
"""The longest side in pixels, unless its text would be too small."""
_LEAST_SCALE: Final = 0.75
"""The least scale at which the text of a picture can be read."""
_MILLISECONDS: Final = 600
_LAST_MILLISECONDS: Final = 4000
_COLORS: Final = 128


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
        made, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0, optimize=True, comment=MADE_BY
    )
    return made.getvalue()
