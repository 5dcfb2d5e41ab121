"""The library that ``import adjudicator`` offers; commands, clubs and the desk use it, too.

* ``game.py``: ``Game``, its properties, corrections and files; ``amendments.py``: what the moderator writes to amend it
* ``reader.py``: ``Reader``, what one viewer may know of a game; ``seat_records.py``: what each player has done
* ``begin.py``: games begun at once, or in steps
* ``texts.py``: the texts with orders that a program or a moderator gives
* ``words.py``: the words of orders; a file of its own, because it loads the grammar
* ``adjudicate.py``: which mails count, and all that becomes of orders; ``results.py``: the result, as a value for programs,
  with receipts, and whole turns with their reports, and the mails with these
* ``own_orders.py``: a seat's own orders, as far as it can know what becomes of them
* ``rulesets.py``: installed games, their rules, component sets and schemas, and the package of a new one
* ``errors.py``: what the library refuses

A game makes readers, results and turns: these know the classes ``Game`` and ``Reader`` only as types.
"""
