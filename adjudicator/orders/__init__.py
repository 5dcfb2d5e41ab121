"""Turn text into typed orders and back. Only this package knows the grammar and Lark.

* One line: ``grammar.py`` (with a cache), ``fast.py`` (the tables of a grammar and the loop over them), ``build.py`` (what the
  common grammar means).
* One text: ``clean.py`` (characters), ``reading.py`` (lines), ``headers.py``, ``sheets.py``; several: ``turnfile.py``.
  ``findings.py`` collects problems and ignored lines, ``submission.py`` describes a text that was sent.
* The order form of a report, wherever it comes back: ``form.py``.
* Ignored text: ``earlier.py`` (quotes, earlier mails, signatures), ``courtesy.py`` (greetings, footers), with the phrases
  in ``courtesy.toml``.
* Orders or remarks: ``remarks.py``, ``likeness.py``, ``heads.py`` (names that need an order below), ``second_order.py``.
* Messages: ``line_problem.py``, ``problems.py``, ``explain.py``, ``parse_failure.py``, ``expected.py`` (words that
  fit), ``locate.py`` (the place on the line).
* Other languages: ``languages.py`` (files of words, words in a grammar, translations back).
* Caches of what a ruleset needs once: ``per_ruleset.py``.
"""
