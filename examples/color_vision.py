"""Show a picture as people see it who do not tell all colours apart, and as it is printed in grey.

    adjudicator report game.json -o board.svg
    python examples/color_vision.py board.svg -o seen.svg

``seen.svg`` has the picture five times: as it is, as seen with protanopia and deuteranopia (no red, no green), with
tritanopia (no blue), and in grey. The colours are changed by the matrices of Machado, Oliveira and Fernandes (2009) at
full severity, in linear light; grey is the luminance of sRGB. The tests of the program look at the pictures of all games
in the same way.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

Matrix = tuple[tuple[float, float, float], ...]

_LUMINANCE = (0.2126, 0.7152, 0.0722)
VISIONS: dict[str, Matrix] = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    "grey": (_LUMINANCE, _LUMINANCE, _LUMINANCE),
}
"""What becomes of red, green and blue, by the name of a way to see."""
COLOR = re.compile(r"#[0-9a-f]{6}\b")
_NAMES = re.compile(r'(?<= id=")[\w-]+|(?<=url\(#)[\w-]+|(?<=href="#)[\w-]+')
_OPENING = re.compile(r'<svg [^>]*viewBox="0 0 ([\d.]+) ([\d.]+)"[^>]*>')
_LABELLED = re.compile(r"<title\b.*?</title>|<desc\b.*?</desc>", re.DOTALL)
_COLUMNS = 3
_GAP = 24
_HEAD = 34


def linear(color: str) -> tuple[float, float, float]:
    """Return a ``color`` (``#c0392b``) as red, green and blue light, each from 0 to 1."""
    parts = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return red, green, blue


def seen_color(color: str, vision: str) -> str:
    """Return how a ``color`` looks to one of the ``VISIONS``."""
    light = linear(color)
    mixed = (min(1.0, max(0.0, sum(a * b for a, b in zip(row, light, strict=True)))) for row in VISIONS[vision])
    return "#" + "".join(f"{round(255 * _encoded(part)):02x}" for part in mixed)


def seen_svg(svg: str, vision: str) -> str:
    """Return an SVG document with all its colours as one of the ``VISIONS`` sees them."""
    return COLOR.sub(lambda found: seen_color(found[0], vision), svg)


def difference(one: str, other: str) -> float:
    """Return how different two colours are: their distance in CIE L*a*b*. About 2 is the least that is noticed."""
    pairs = zip(_lab(one), _lab(other), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours as WCAG has it, from 1 to 21."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def seen_sheet(svg: str) -> str:
    """Return a sheet with ``svg`` as it is and as all the ``VISIONS`` see it, each under its name."""
    opening = _OPENING.search(svg)
    if opening is None:
        raise ValueError("this is no picture with a viewBox from 0 0 on")
    width, height = (float(side) for side in opening.groups())
    inner = _LABELLED.sub("", svg[opening.end() : svg.rindex("</svg>")])
    shown = [("as it is", inner), *((name, seen_svg(inner, name)) for name in VISIONS)]
    rows = -(-len(shown) // _COLUMNS)
    wide, high = _COLUMNS * (width + _GAP) + _GAP, rows * (height + _HEAD + _GAP)
    sheet = [f'<rect width="{wide:g}" height="{high:g}" fill="#ffffff"/>']
    for at, (name, drawn) in enumerate(shown):
        x, y = _GAP + at % _COLUMNS * (width + _GAP), at // _COLUMNS * (height + _HEAD + _GAP)
        own = _NAMES.sub(lambda found, at=at: f"{found[0]}-{at}", drawn)
        sheet.append(f'<text x="{x:g}" y="{y + 24:g}" font-size="20" font-weight="bold">{name}</text>')
        sheet.append(f'<g transform="translate({x:g} {y + _HEAD:g})">{own}</g>')
    size = f'viewBox="0 0 {wide:g} {high:g}" width="{wide:g}" height="{high:g}"'
    title = "<title>The same picture as it is, with protanopia, deuteranopia and tritanopia, and in grey</title>"
    head = f'<svg font-family="sans-serif" xmlns="http://www.w3.org/2000/svg" {size} role="img">'
    return f"{head}{title}{''.join(sheet)}</svg>\n"


def _encoded(part: float) -> float:
    return 12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055


def _luminance(color: str) -> float:
    return sum(a * b for a, b in zip(_LUMINANCE, linear(color), strict=True))


def _lab(color: str) -> tuple[float, float, float]:
    red, green, blue = linear(color)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, _luminance(color), z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def main() -> None:
    """Read a picture, write the sheet."""
    parser = argparse.ArgumentParser(description="Show a picture as the colour-blind see it, and in grey.")
    parser.add_argument("picture", type=Path, help="an SVG file that adjudicator has written")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the SVG file with all five")
    arguments = parser.parse_args()
    arguments.output.write_text(seen_sheet(arguments.picture.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
