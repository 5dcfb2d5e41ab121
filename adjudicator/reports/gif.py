"""Turn the pictures of a game into a moving picture, a GIF."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from io import BytesIO
from typing import Final

from adjudicator.reports.png import MADE_BY, NoPictureError, png_of, require_png

MOST_FRAMES: Final = 120
"""The greatest number of frames; a longer game shows some of its entries only."""
_LONGEST: Final = 720
"""The longest side in pixels, unless its text would be too small."""
_LEAST_SCALE: Final = 0.75
"""The least scale at which the text of a picture can be read."""
_MILLISECONDS: Final = 600
_LAST_MILLISECONDS: Final = 4000
_COLORS: Final = 128
_SIZE: Final = re.compile(r'viewBox="0 0 ([0-9.]+) ([0-9.]+)"')


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


def gif_of(pictures: Sequence[str], notify: Callable[[], object] = lambda: None) -> bytes:
    """Return ``pictures``, at least one SVG document, as a GIF on paper as large as the largest; each calls ``notify``.

    Raises ``NoPictureError`` without the extra `gif`.
    """
    require_gif()
    from PIL import Image

    sizes = [_size(svg) for svg in pictures]
    wide, high = (max(sides) for sides in zip(*sizes, strict=True))
    scale = min(1.0, max(_LEAST_SCALE, _LONGEST / max(wide, high)))
    frames = []
    for svg, (width, height) in zip(pictures, sizes, strict=True):
        png = png_of(svg, max(1, int(width * scale)), max(1, int(height * scale)))
        paper = Image.new("RGB", (max(1, int(wide * scale)), max(1, int(high * scale))), "#ffffff")
        paper.paste(Image.open(BytesIO(png)).convert("RGB"))
        frames.append(paper.quantize(_COLORS, dither=Image.Dither.NONE))
        notify()
    times = [_MILLISECONDS] * (len(frames) - 1) + [_LAST_MILLISECONDS]
    made = BytesIO()
    frames[0].save(
        made, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0, optimize=True, comment=MADE_BY
    )
    return made.getvalue()


def _size(svg: str) -> tuple[float, float]:
    found = _SIZE.search(svg)
    assert found is not None, "this is not a picture of this program"
    return float(found[1]), float(found[2])
