"""Make reports for people and machines from views, drawings, problems and visible events, never from a state.

Every ``…_text`` function returns text without a final newline that is safe to print on a terminal. Every ``…_data`` function
returns dictionaries, lists, strings, integers, booleans and ``None``, with verbatim text.

* The report of a turn: ``report.py`` and ``report_blocks.py`` (content), ``report_text.py``, ``html.py``,
  ``markdown.py``, ``report_picture.py`` (its forms, listed in ``forms.py``), ``order_form.py``, ``heading.py`` (with
  heads), ``receipt.py``, ``changes.py`` (what is new since the reader's last view), ``description.py`` (the board as
  sentences).
* Every web page: ``web.py`` and ``templates/``. The replay page: ``replay_page.py``, ``frames.py`` (pictures in
  pieces), ``kept.py`` (what two pictures share), ``log_lines.py``.
* Texts of other commands: ``log.py``, ``position.py``, ``legal.py``, ``waiting.py``, ``promise.py``,
  ``club.py``, ``archives.py``, ``audits.py``, ``replay.py``, ``rules.py``, ``routes.py``, ``time_sheets.py``,
  ``classification.py``; of the site: ``site.py``, ``plots.py``.
* A drawing as text: ``drawing.py``, ``board.py``, ``track.py``, ``chart.py``, ``roadmap.py``, ``shape_tables.py``.
* As a picture: ``picture.py``, and a file for each kind. A board: ``picture_grid.py``, ``picture_tile.py`` (squares
  with roads), ``picture_textures.py`` (grounds), ``picture_shelf.py`` and ``picture_dial.py`` (beside it). A circuit:
  ``loop.py`` (its form), ``picture_circuit.py``, ``picture_cars.py``, ``picture_gate.py`` (gears and wheels). A map:
  ``picture_roadmap.py``, ``map_names.py`` (places of names), ``picture_sections.py`` (for a phone). Marks for changes:
  ``picture_changes.py``, at the anchors of ``sketch.py``.
"""
