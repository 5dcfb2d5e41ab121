"""Turn text into typed orders and back. Only this package knows the grammar and Lark.

* One line: ``parser.py`` (with a cache), ``line_parser.py`` (without), ``stepper.py`` (the loop over the tables of a
  grammar), ``build.py`` (what the common grammar means).
* From grammar to tables: ``grammar.py``, ``grammar_source.py``, ``lark_tables.py``, ``parser_cache.py``.
* Texts: ``clean.py`` (characters), ``lines.py`` (what one line is), ``reading.py`` (from lines to sheets),
  ``submission.py`` (what was sent, and to which game).
* The order form of a report, wherever it comes back: ``form.py``.
* Ignored text: ``earlier.py`` (quotes, earlier mails, signatures), ``courtesy.py`` (greetings, footers), with the phrases
  in ``courtesy.toml``.
* Orders or remarks: ``lines.py``, ``likeness.py``.
* Messages: ``line_problem.py``, ``problems.py``, ``explain.py``, ``parse_failure.py``, ``expected.py`` (words that
  fit), ``locate.py`` (the place on the line).
* Other languages: ``languages.py`` (the list), ``language_file.py`` (a file of words), ``synonyms.py`` (in a grammar),
  ``spelling.py`` (accents), ``conflicts.py``, ``translation.py`` (back, for pages and suggestions).
* Caches of what a ruleset needs once: ``per_ruleset.py``.
"""
