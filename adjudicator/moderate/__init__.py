"""Do a moderator's work with orders that arrive: adjudicate them, keep pending ones, write receipts.

``submit.py`` decides which mails count. ``adjudicate.py`` adjudicates texts, ``turn.py`` does a whole turn with its
reports, ``receipts.py`` makes receipts, ``take_words.py`` takes players' words for chance. ``own_check.py`` says what a seat
may learn about its orders beforehand (``check --as``).
"""
