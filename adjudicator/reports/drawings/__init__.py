"""Read what a game draws, compare it with an earlier drawing, and write it as text.

* Places and tokens of a scene: ``scene_parts.py``. Seats and their short names: ``seat_key.py``.
* Changes since the reader's last view: ``changes.py``.
* The drawing as text: ``drawing_text.py``, with ``scene_text.py`` for scenes and ``shape_tables.py`` for tables.
"""
