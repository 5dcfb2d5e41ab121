"""Turn text into typed orders and back. Only this package knows the grammar and Lark.

* One line: ``grammar.py`` (to its order, or where it cannot be read), ``fast.py`` (good lines without Lark).
* Texts: ``submission.py`` (what was sent, to which game, and its characters), ``lines.py`` (what one line is),
  ``reading.py`` (from lines to sheets).
* The order form of a report, wherever it comes back: ``form.py``.
* Ignored text: ``ignored.py`` (quotes, earlier mails, signatures, greetings), with its phrases in ``courtesy.toml``.
* Messages: ``problems.py`` (with their places), ``explain.py`` (was an order meant, which, and why it cannot be read).
* Other languages: ``languages.py``.
"""
