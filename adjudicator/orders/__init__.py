"""Turn text into typed orders and back. Only this package knows the grammar and Lark.

* One line: ``grammar.py`` (with a cache), ``fast.py`` (the tables of a grammar and the loop over them), ``build.py`` (what
  the common grammar means).
* One text: ``clean.py`` (characters), ``lines.py`` (what one line is), ``reading.py`` (all lines, and several texts);
  ``submission.py`` describes a text that was sent.
* The order form of a report, wherever it comes back: ``form.py``.
* Ignored text: ``earlier.py`` (quotes, earlier mails, signatures), ``courtesy.py`` (greetings, footers), with the phrases
  in ``courtesy.toml``.
* Orders or remarks: ``likeness.py``.
* Messages: ``problems.py``, ``explain.py``, ``locate.py`` (the place on the line).
* Other languages: ``languages.py`` (files of words, words in a grammar, translations back).
"""
