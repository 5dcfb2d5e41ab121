"""The library that ``import adjudicator`` offers; the command line uses it, too.

* ``properties.py``, ``seat_orders.py``, ``reading.py``: what a game is, what a seat may order, and what each reader may know
* ``game.py``, ``corrections.py``: what makes a new game of it, orders and corrections; audit, saving
* ``begin.py``: open, begin, play and audit games; ``prepared.py``: games begun in steps
* ``simulations.py``: simulated games, and their counts
* ``letters.py``: mails with reports
* ``lessons.py``: tasks that teach the orders of a game
* ``own_orders.py``: the texts of one seat, and which of them count; ``what_if.py``: where they lead, as far as it can know
* ``rulesets.py``: installed games, their rules, component sets and schemas; ``new_ruleset.py``: the package of a new one
* ``texts.py``: the texts with orders that a program gives
"""
