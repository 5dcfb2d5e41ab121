"""The command `adjudicator`, also as `python -m adjudicator`."""

from __future__ import annotations

import gc
import sys

_INTERRUPTED = 130


def main() -> None:
    """Run the command line and exit with its code."""
    if sys.argv[1:] == ["--version"]:
        # Scripts ask for it often: answer before anything is loaded.
        from adjudicator import __version__

        try:
            sys.stdout.write(f"adjudicator {__version__}\n")
            sys.stdout.flush()
            return
        except (OSError, AttributeError):  # a full disk, a closed output pipe, no output: the command line reports it
            pass
    # A command is short and makes hardly any garbage: searching for it during loading slows every start.
    _tune("set_threshold", 100_000)
    try:
        from adjudicator.cli.app import run

        run()
    except KeyboardInterrupt as stopped:  # while the program was still being loaded
        sys.exit(getattr(stopped, "code", _INTERRUPTED))
    finally:
        _tune("freeze")  # The end of the process frees everything at once, without a last search for garbage.


def _tune(name: str, *given: int) -> None:
    """Call the function ``name`` of ``gc`` where this Python has it: PyPy does not."""
    tune = getattr(gc, name, None)
    if tune is not None:
        tune(*given)


if __name__ == "__main__":
    main()
