"""The command `adjudicator`, also as `python -m adjudicator`."""

from __future__ import annotations

import gc
import sys

_INTERRUPTED = 130


def main() -> None:
    """Run the command line and exit with its code."""
    if sys.argv[1:] == ["--version"]:
        # Asked by scripts all the time: answered before anything is loaded.
        from adjudicator import __version__

        sys.stdout.write(f"adjudicator {__version__}\n")
        return
    # A command is short and makes hardly any garbage: looking for it all the time while loading is felt at every start.
    gc.set_threshold(100_000)
    try:
        from adjudicator.cli.app import run

        run()
    except KeyboardInterrupt:  # while the program was still being loaded
        sys.exit(_INTERRUPTED)
    finally:
        gc.freeze()  # The end of the process frees everything at once: it need not be looked through once more.


if __name__ == "__main__":
    main()
