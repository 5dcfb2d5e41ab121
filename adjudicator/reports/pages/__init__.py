"""Write whole documents.

* The report of a turn in each format: ``forms.py`` lists ``report_text.py``, ``report_html.py``, ``report_markdown.py`` and
  ``report_picture.py`` (SVG, PNG). ``board_figures.py`` draws the boards of a page one by one.
* The replay page: ``replay_page.py``, ``log_lines.py``, ``frames.py`` (pictures in pieces). The site: ``site.py``.
* Every web page: ``web.py`` and ``templates/``, with the common look in ``identity.css``.
"""
