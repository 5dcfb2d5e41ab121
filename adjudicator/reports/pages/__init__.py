"""Write whole documents.

* The report of a turn in each format: ``forms.py`` lists ``report_text.py``, ``report_html.py``, ``report_markdown.py`` and
  ``report_picture.py`` (SVG, PNG). ``board_figures.py`` draws the boards of a page one by one.
* The replay page: ``replay_page.py``, ``log_lines.py``, ``frames.py`` (pictures in pieces). A card to share: ``card.py``.
* The players with their badges, for reports and replays: ``players.py``.
* The site: ``site.py`` plans its lists, ``list_page.py`` writes one, ``game_list.py`` has tables of games, ``site_game.py``
  the facts about one game, ``ratings.py`` the ratings of players, ``rules_page.py`` the rules of a game.
* Every web page: ``web.py`` and ``templates/``, with the common look in ``identity.css``.
"""
