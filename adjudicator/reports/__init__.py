"""Make reports for people and machines from views, drawings, problems and visible events, never from a state.

Every ``…_text`` function returns text without a final newline that is safe to print on a terminal. Every ``…_data`` function
returns dictionaries, lists, strings, integers, booleans and ``None``, with verbatim text.

* The report of a turn: ``report.py`` and ``report_blocks.py`` (content), ``report_text.py``, ``html.py``,
  ``markdown.py``, ``report_picture.py`` (its forms, listed in ``forms.py``), ``order_form.py``, ``heading.py`` (with
  heads), ``receipt.py``, ``changes.py`` (changes since the reader's last view).
* Every web page: ``web.py`` and ``templates/``. The replay page: ``replay_page.py``, ``frames.py`` (pictures in
  pieces), ``log_lines.py``.
* Texts of other commands: ``log.py``, ``position.py``, ``legal.py``, ``waiting.py``, ``promise.py``,
  ``club.py``, ``archives.py``, ``audits.py``, ``replay.py``, ``rules.py``, ``classification.py``; of the site: ``site.py``,
  ``plots.py``.
* A drawing as text: ``drawing.py``, ``shape_tables.py`` (tables), ``scene_text.py`` (scenes).
* As a picture: ``picture.py``, ``picture_legend.py``, ``picture_tables.py`` (without a scene), ``picture_sections.py``
  (details for a phone); ``scene_svg.py`` (SVG), ``scene_parts.py`` (places and tokens), ``sketch.py`` (scenes with their
  size), ``seat_key.py`` (seats). Marks for changes: ``picture_changes.py``.
"""
