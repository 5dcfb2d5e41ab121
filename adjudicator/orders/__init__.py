"""Turn text into typed orders and back. Only this package knows the grammar and Lark.

* One line: ``grammar.py`` (to its order, or where it cannot be read), ``build.py`` (what the common grammar means),
  ``fast.py`` (good lines without Lark), ``locate.py`` (the place of a problem on its line).
* Texts: ``clean.py`` (characters), ``lines.py`` (what one line is), ``reading.py`` (from lines to sheets),
  ``submission.py`` (what was sent, and to which game).
* The order form of a report, wherever it comes back: ``form.py``.
* Ignored text: ``earlier.py`` (quotes, earlier mails, signatures), ``courtesy.py`` (greetings, footers), with the phrases
  in ``courtesy.toml``.
* Orders or remarks: ``lines.py``, ``likeness.py``.
* Messages: ``problems.py``, ``explain.py`` (why a line cannot be read, and what was meant).
* Other languages: ``languages.py``.
"""
