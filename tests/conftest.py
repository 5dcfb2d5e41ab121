"""What the tests of several parts need: options, the command line in an empty folder, a forger of game files, browsers."""

from __future__ import annotations

import gc
import importlib
import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from typer.testing import Result

pytest.register_assert_rewrite("tests.drivers")

from tests.drivers.attacks import FOUGHT, attack  # noqa: E402 (the drivers are rewritten first)
from tests.drivers.commands import called  # noqa: E402
from tests.drivers.pages import at_desk, browser, desk, desk_address, violations, visit  # noqa: E402

__all__ = ["at_desk", "attack", "browser", "desk", "desk_address", "violations", "visit"]

TESTS = Path(__file__).parent
QUICK = {
    TESTS / name
    for name in (
        "audit/test_command.py",
        "club/test_doctor.py",
        "commands/test_answers.py",
        "commands/test_docs.py",
        "files/test_save.py",
        "laws/test_conditions.py",
        "laws/test_engine.py",
        "laws/test_walls.py",
        "mails/test_corpus.py",
        "mails/test_problems.py",
        "pages/test_rules.py",
        "rules/test_checkered_flag.py",
    )
}
"""The files of the quick run (`-m quick`): something of every part."""
INSTALLABLE = ("apt-get install", "'.[test]'")
"""What a skip says that could run: with ``--need-all`` it fails."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take the size of the long attacks, and a program to try; here, since only this file is read before the options are."""
    parser.addoption("--program", metavar="FILE", help="play the pages of test_readme.py with this installed program")
    need = bool(os.environ.get("NEED_ALL"))  # also for the README's command, which .ci/run runs to the letter
    parser.addoption("--need-all", action="store_true", default=need, help="fail where a skip says what to install")
    group = parser.getgroup("soak", "the attacks of tests/attacks")
    group.addoption("--soak-size", type=float, default=1.0, metavar="SHARE", help="0.01: a hundredth of each long attack")
    group.addoption("--soak-seed", type=int, default=1, metavar="N", help="another seed: other attacks")
    group.addoption("--soak-round", type=int, default=0, metavar="N", help="begin with round N, as told of one that failed")
    group.addoption(
        "--examples", type=int, default=1, metavar="N", help="N times the examples of properties without a number"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Let the processes that tests begin be as they are elsewhere, whatever this one was begun with."""
    gc.set_threshold(50_000, 20, 20)  # to look for garbage as often as usual takes a twentieth of the time
    most = settings.default.max_examples * int(config.getoption("--examples"))  # type: ignore[union-attr]
    quiet = [HealthCheck.too_slow]  # no test fails because the machine is slow
    settings.register_profile("adjudicator", deadline=None, suppress_health_check=quiet, max_examples=most)
    settings.load_profile("adjudicator")
    take_signals()
    work_alone()
    write_into_memory()
    keep_compiled(config)


def take_signals() -> None:
    """Take no signal as ignored, though whoever began the tests may have it so (`nohup`, a job in the background).

    What is ignored is so in every process that is begun from here, and the tests send signals to such.
    """
    usual = {"SIGINT": signal.default_int_handler, "SIGTERM": signal.SIG_DFL, "SIGHUP": signal.SIG_DFL}
    for name, handler in ((getattr(signal, name), handler) for name, handler in usual.items() if hasattr(signal, name)):
        if signal.getsignal(name) is signal.SIG_IGN:
            signal.signal(name, handler)


def work_alone() -> None:
    """Let pools work in the process of the tests: processes take a fifth of a second each time, minutes for all tests."""
    from adjudicator import processes

    processes.is_alone = True


def write_into_memory() -> None:
    """Let tests write their files into memory where the system offers enough: a run makes 50,000 small ones."""
    memory = Path("/dev/shm")
    runs_programs = os.access(memory, os.W_OK) and not os.statvfs(memory).f_flag & os.ST_NOEXEC
    if "TMPDIR" not in os.environ and runs_programs and shutil.disk_usage(memory).free > 4 * 2**30:
        os.environ["TMPDIR"] = tempfile.tempdir = str(memory)  # pytest has already asked where


@pytest.fixture
def other_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pools start processes, as everywhere but in most tests."""
    monkeypatch.setattr("adjudicator.processes.is_alone", False)


def keep_compiled(config: pytest.Config) -> None:
    """Keep compiled modules in a folder of this run where none may be beside them: to compile takes as long again."""
    if not os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        return
    folder = tempfile.mkdtemp(prefix="adjudicator-compiled-")
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    os.environ["PYTHONPYCACHEPREFIX"] = folder


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the other files unread in a quick run."""
    is_test = collection_path.name.startswith("test_") and collection_path.suffix == ".py"
    return True if config.option.markexpr.startswith("quick") and is_test and collection_path not in QUICK else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """In a whole run, let every second process load the files from the last one on: each compiles half for the other."""
    arguments, is_quick = session.config.args, session.config.option.markexpr.startswith("quick")
    number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    if number % 2 and not is_quick and [Path(one).resolve() for one in arguments] == [TESTS]:
        for path in sorted(TESTS.rglob("test_*.py"), reverse=True):
            with suppress(Exception, pytest.skip.Exception):  # the collection comes next and says what is wrong
                importlib.import_module(".".join(path.relative_to(TESTS.parent).with_suffix("").parts))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the quick tests, and skip those for POSIX elsewhere."""
    for item in items:
        if os.name != "posix" and item.get_closest_marker("posix"):
            item.add_marker(pytest.mark.skip(reason="needs permissions, links, signals or locks of POSIX"))
        if item.path in QUICK and not {"soak", "browser"} & {mark.name for mark in item.iter_markers()}:
            item.add_marker("quick")


def pytest_collection_finish() -> None:
    """Leave all that was loaded and collected to itself: to look for garbage in it again and again takes long."""
    gc.collect()
    if hasattr(gc, "freeze"):
        gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With ``--need-all``, let a test fail that was skipped because something is not installed."""
    report = yield
    if report.skipped and item.config.getoption("--need-all") and isinstance(report.longrepr, tuple):
        reason = report.longrepr[2]
        if any(words in reason for words in INSTALLABLE):
            report.outcome, report.longrepr = "failed", f"--need-all: {reason}"
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print what each long attack counted."""
    fought = [one for one in config.stash.get(FOUGHT, []) if one.counts]
    if fought:
        terminalreporter.section("attacks")
        for one in fought:
            terminalreporter.write_line(one.told)


@pytest.fixture(autouse=True, scope="session")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the parsers that are built here away from the user's cache; the processes of this test run share them."""
    base = tmp_path_factory.getbasetemp()
    os.environ.setdefault("ADJUDICATOR_CACHE", str((base.parent if base.name.startswith("popen-") else base) / "cache"))


@pytest.fixture(autouse=True, scope="session")
def _no_memory() -> Iterator[None]:
    """Let no audit in this process remember another: tests change rules that are in no file, or expect every word."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("adjudicator.archive.many.cache_folder", lambda: None)
        yield


@pytest.fixture
def memory_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the memory, which audits and sites have in these tests as everywhere but in most tests."""
    folder = tmp_path.with_name(f"{tmp_path.name}-memory")
    folder.mkdir()
    monkeypatch.setattr("adjudicator.archive.many.cache_folder", lambda: folder)
    return folder


@pytest.fixture(autouse=True, scope="session")
def _no_wait_for_disks() -> Iterator[None]:
    """Let no write in this process wait until a disk has it, 5 ms each time: no test cuts the power."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.fsync", lambda _file: None)
        patch.setattr("adjudicator.club.db._SYNC", "off")
        yield


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Return the command line: arguments, and what stands on standard input; works in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: object, stdin: str | bytes = b"", code: int | None = None) -> Result:
        result = called(list(map(str, arguments)), stdin)
        assert "Traceback" not in result.output
        assert code is None or result.exit_code == code, result.output
        return result

    return call


@pytest.fixture(scope="session")
def forge() -> Callable[[dict[str, Any]], bytes]:
    """Lay a document out with chain and seal made anew: what a clever forger would do."""
    from tests.drivers import records

    def forged(document: dict[str, Any]) -> bytes:
        document.update(records.sealed(document))
        return records.laid_out(document)

    return forged
