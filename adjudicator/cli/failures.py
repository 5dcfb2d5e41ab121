"""What may go wrong, each with its exit code and its words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from adjudicator.cli.output import MISUSE, PROBLEMS, UNTRUSTED, MisuseError, fail
from adjudicator.core.chance import ImpossibleOutcomeError
from adjudicator.core.problem import SetupError
from adjudicator.desk import UnknownViewerError
from adjudicator.resources import MissingResource
from adjudicator.rulesets import UnknownRuleset, UnusableRuleset
from adjudicator.store.errors import FileProblem, Untrusted


@contextmanager
def explained(*, as_json: bool = False) -> Iterator[None]:
    """Turn what may go wrong inside into a message and an exit code; a bug goes through."""
    try:
        yield
    except MisuseError as error:
        fail(MISUSE, "misuse", str(error), as_json=as_json)
    except (UnknownRuleset, UnusableRuleset, MissingResource) as error:
        fail(MISUSE, "ruleset", str(error), as_json=as_json)
    except UnknownViewerError as error:
        fail(MISUSE, "unknown-seat", str(error), as_json=as_json)
    except SetupError as error:
        _fail_setup(error, as_json=as_json)
    except ImpossibleOutcomeError as error:
        fail(PROBLEMS, "impossible-outcome", _outcome_words(error), as_json=as_json)
    except Untrusted as error:
        violations = [{"path": violation.path, "words": violation.words} for violation in error.violations]
        fail(UNTRUSTED, "untrusted", str(error), as_json=as_json, file=error.file, violations=violations)
    except FileProblem as error:
        fail(MISUSE, "file", str(error), as_json=as_json, file=error.file)


def _fail_setup(error: SetupError, *, as_json: bool) -> None:
    lines = ["the game cannot be set up so:"]
    for problem in error.problems:
        rule = f" ({problem.rule})" if problem.rule else ""
        lines.append(f"  {problem.message}{rule}")
        if problem.suggestions:
            lines.append(f"    did you mean: {', '.join(problem.suggestions)}")
    data = [
        {
            "code": problem.code,
            "message": problem.message,
            "rule": problem.rule,
            "suggestions": list(problem.suggestions),
        }
        for problem in error.problems
    ]
    fail(MISUSE, "setup", "\n".join(lines), as_json=as_json, problems=data)


def _outcome_words(error: ImpossibleOutcomeError) -> str:
    if error.purpose == "nothing":
        return f"too many recorded outcomes: nothing was drawn for “{error.outcome}”"
    possible = ", ".join(error.among[:12]) + (" …" if len(error.among) > 12 else "")
    if error.outcome is None:
        return f"a recorded outcome is missing: {error.purpose}; it may be: {possible}"
    return f"“{error.outcome}” cannot be the outcome of: {error.purpose}; it may be: {possible}"
