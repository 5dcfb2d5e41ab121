"""Files behind URLs: read where they are, by range, from whatever storage fsspec knows; a server for S3 runs in the test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from adjudicator.audit.run import AuditOptions, audit_sources
from adjudicator.cluster.audit import audit_shards, in_order
from adjudicator.cluster.shards import shards_of
from adjudicator.cluster.workers import Workers
from adjudicator.sources import places
from adjudicator.sources.find import find_sources
from adjudicator.verdict import AuditResult, Skipped, Verdict

pytest.importorskip("fsspec", reason="URLs need fsspec: pip install 'pbem-adjudicator[cluster]'")


def told(results: Iterator[AuditResult], head: str) -> list[tuple[str, str]]:
    found = []
    for one in results:
        words = "skipped" if isinstance(one, Skipped) else one.divergence.kind if one.divergence else "verified"
        found.append((one.source.removeprefix(head), words))
    return found


def audited(url: str) -> list[tuple[str, str]]:
    return told(audit_sources(find_sources([url])), url)


def test_what_is_behind_a_url_is_what_is_in_the_folder(archives: Path) -> None:
    there = sorted(audited(str(archives)))
    assert sorted(audited(archives.as_uri())) == there
    assert sorted(audited(archives.as_uri() + "/")) == sorted((name.lstrip("/"), words) for name, words in there)


def test_one_file_behind_a_url(archives: Path) -> None:
    for name in ("games.zip", "games.tar.zst", "games.jsonl.zst"):
        assert [words for _, words in audited(f"{archives.as_uri()}/{name}")] == ["verified"] * 4
    assert [words for _, words in audited(f"{archives.as_uri()}/games.jsonl.zst#2")] == ["verified"]


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("file:///nowhere/at/all", "there is nothing there"),
        ("nosuch://x/y", "install a package that reads such URLs"),
        ("file:///nowhere/games.jsonl.zst", "there is nothing there"),
    ],
)
def test_a_url_that_leads_nowhere_is_told(url: str, words: str) -> None:
    (result,) = audit_sources(find_sources([url]))
    assert isinstance(result, Verdict) and result.divergence is not None
    assert words in result.divergence.recomputed


def test_what_installs_the_library_is_told_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "fsspec.core", None)
    (result,) = audit_sources(find_sources(["s3://games/"]))
    assert isinstance(result, Verdict) and result.divergence is not None
    assert "pip install 'pbem-adjudicator[cluster]'" in result.divergence.recomputed


@pytest.fixture(scope="module")
def bucket(archives: Path) -> Iterator[str]:
    """Return the URL of a bucket with the archives, on a server of this machine that speaks S3."""
    server = pytest.importorskip("moto.server", reason="the test of S3 needs moto: pip install -e '.[test-storage]'")
    s3fs = pytest.importorskip("s3fs", reason="the test of S3 needs s3fs: pip install -e '.[test-storage]'")
    running = server.ThreadedMotoServer("127.0.0.1", 0)
    running.start()
    host, port = running.get_host_and_port()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (
            ("AWS_ACCESS_KEY_ID", "test"),
            ("AWS_SECRET_ACCESS_KEY", "test"),
            ("AWS_DEFAULT_REGION", "us-east-1"),
            ("AWS_ENDPOINT_URL", f"http://{host}:{port}"),
        ):
            patch.setenv(name, value)
        s3fs.S3FileSystem.clear_instance_cache()
        system = s3fs.S3FileSystem()
        system.mkdir("games")
        for path in archives.rglob("*.*"):
            system.put_file(str(path), f"games/2024/{path.relative_to(archives)}")
        yield "s3://games/2024"
    running.stop()


def test_object_storage_is_audited_over_workers(pool: Workers, archives: Path, bucket: str) -> None:
    how = AuditOptions(is_impact=False, timeout=299)  # another limit, so a new process, which knows where the server is
    found = told(in_order(audit_shards(pool, shards_of([bucket]), how)), bucket)
    assert sorted(found) == sorted(audited(str(archives)))
    assert places.mark_of(f"{bucket}/games.zip")
    assert places.mark_of(f"{bucket}/games.zip") != places.mark_of(f"{bucket}/games.tar")
