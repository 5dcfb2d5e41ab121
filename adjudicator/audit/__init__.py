"""Decide games again and say whether rules, chance and clock really gave what their files say.

* One game: ``audit_source.py`` reads it; ``decide.py`` decides each entry again and compares it with the record.
* Many games: ``run.py`` lets a pool of processes audit them, each game with a time limit.
* What was published: ``published_texts.py`` reads it; ``published.py`` compares it with the game file, or decides the game
  again from it alone.
"""
