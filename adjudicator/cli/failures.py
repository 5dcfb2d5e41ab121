"""Turn every error into a message and an exit code."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import typer

from adjudicator.cli.files import Opened
from adjudicator.cli.output import (
    INTERRUPTED,
    MISUSE,
    PROBLEMS,
    UNHEARD,
    UNTRUSTED,
    MisuseError,
    OutputError,
    abandon_output,
    fail,
    flush,
    say_failure,
    warn,
)

if TYPE_CHECKING:
    from adjudicator import SetupError, Untrusted
    from adjudicator.library.begin import ImpossibleOutcomeError


@contextmanager
def explained(*, as_json: bool = False) -> Iterator[Opened]:
    """Turn errors inside the block into a message and an exit code; bugs pass through.

    Open the game with the yielded object. If the program or the rules fail on it, its file is audited: rules may fail in any
    way on a forged file, and the message then says so. Every other failure is a bug.
    """
    opened = Opened()
    with _output_guarded(as_json=as_json):
        try:
            yield opened
            flush()
        except (BrokenPipeError, OutputError):
            raise
        except (KeyboardInterrupt, GeneratorExit, typer.Exit):
            raise
        except Exception as error:  # the classes of expected errors are loaded only now, because that takes time
            _explain(error, as_json=as_json)
            forgery = forgery_in(opened)
            if forgery is not None:
                _explain(forgery, as_json=as_json)
            error.add_note(opened.note)
            raise
        except BaseException as left:  # only a ruleset of another package ends in this way
            from adjudicator.library.errors import EngineFaultError

            words = f"a ruleset tried to end the program: {type(left).__name__}: {left}".removesuffix(": ")
            raise EngineFaultError(words).with_traceback(left.__traceback__) from None


@contextmanager
def _output_guarded(*, as_json: bool) -> Iterator[None]:
    """End the command if the output pipe was closed or somebody stopped it."""
    try:
        yield
    except KeyboardInterrupt as stopped:
        _give_way(as_json=as_json)
        raise typer.Exit(getattr(stopped, "code", INTERRUPTED)) from None
    except BrokenPipeError:
        abandon_output()
        raise typer.Exit(UNHEARD) from None
    except OutputError as error:
        abandon_output()
        warn(f"adjudicator: {error}")
        raise typer.Exit(MISUSE) from None


def _give_way(*, as_json: bool) -> None:
    """Print that the command was interrupted."""
    words = "interrupted; your game file is safe: it is unchanged, or completely written"
    with suppress(OSError, OutputError):  # the exit code says it as well
        if as_json:
            say_failure("interrupted", words)
            flush()
        else:
            warn(f"adjudicator: {words}")


def _explain(error: Exception, *, as_json: bool) -> None:
    """End the command with the message and the exit code for ``error``, or return if it is a bug."""
    from adjudicator import AdjudicatorError, FileProblem, SetupError, UnknownRuleset, Untrusted
    from adjudicator.library.begin import ImpossibleOutcomeError
    from adjudicator.library.errors import UnknownViewerError
    from adjudicator.library.rulesets import MissingResource, UnusableRuleset

    match error:
        case UnknownRuleset() | UnusableRuleset() | MissingResource():
            fail(MISUSE, "ruleset", str(error), as_json=as_json)
        case UnknownViewerError():
            fail(MISUSE, "unknown-seat", str(error), as_json=as_json)
        case SetupError():
            _fail_setup(error, as_json=as_json)
        case ImpossibleOutcomeError():
            fail(PROBLEMS, "impossible-outcome", _outcome_words(error), as_json=as_json)
        case Untrusted():
            from adjudicator.results import Violation

            violations = tuple(Violation(violation.path, violation.words) for violation in error.violations)
            fail(UNTRUSTED, "untrusted", str(error), as_json=as_json, file=error.file, violations=violations)
        case FileProblem():
            fail(MISUSE, "file", str(error), as_json=as_json, file=error.file)
        case MisuseError() | AdjudicatorError():
            fail(MISUSE, "misuse", str(error), as_json=as_json)
        case OSError():
            fail(MISUSE, "system", f"system error: {_system_words(error)}", as_json=as_json)


def forgery_in(opened: Opened) -> Untrusted | None:
    """Return the forgery or damage that the audit finds in the game file ``opened``; ``None`` if it finds none.

    A forger can make schema, chain and seal fit. A bug that also stops the audit proves nothing against the file.
    """
    if opened.data is None or os.environ.get("ADJUDICATOR_DEBUG"):  # a developer wants to see the bug itself
        return None
    from adjudicator.audit.files import forgery_in as found_in

    return found_in(opened.data, opened.file)


def _system_words(error: OSError) -> str:
    """Return the system's own words for ``error``, with the file if there is one."""
    words = error.strerror or str(error)
    return f"{words}: {error.filename}" if error.filename else words


def reasons(headline: str, error: SetupError) -> str:
    """Return ``headline``, and below it each reason of ``error`` with its rule and its suggestions."""
    lines = [headline]
    for problem in error.problems:
        rule = f" ({problem.rule})" if problem.rule else ""
        lines.append(f"  {problem.message}{rule}")
        if problem.suggestions:
            lines.append(f"    did you mean: {', '.join(problem.suggestions)}")
    return "\n".join(lines)


def _fail_setup(error: SetupError, *, as_json: bool) -> None:
    from adjudicator.results import Problem

    words = reasons("the game cannot be set up in this way:", error)
    fail(MISUSE, "setup", words, as_json=as_json, problems=tuple(map(Problem.of, error.problems)))


def _outcome_words(error: ImpossibleOutcomeError) -> str:
    if error.purpose == "nothing":
        return f"too many recorded outcomes: there is no draw for “{error.outcome}”"
    possible = ", ".join(error.among[:12]) + (" …" if len(error.among) > 12 else "")
    if error.outcome is None:
        return f"a recorded outcome is missing for this draw: {error.purpose}; possible outcomes: {possible}"
    return f"“{error.outcome}” is not a possible outcome of this draw: {error.purpose}; possible outcomes: {possible}"
