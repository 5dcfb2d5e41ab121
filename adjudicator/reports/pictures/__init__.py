"""Draw pictures as SVG.

* The whole picture: ``picture.py``, or ``tables.py`` without a scene; ``sections.py`` chooses details for a phone.
* Its parts: ``sketch.py`` (scenes with their size), ``legend.py``, ``marks.py`` (changes since the last report),
  ``road_ways.py`` (the ways of arrows).
* SVG: ``scene_svg.py`` (scenes), ``svg.py`` (elements). Bars and histograms: ``plots.py``.
* Pixels: ``png.py``, ``gif.py`` (films). The folder ``fonts`` has their fonts.
"""
