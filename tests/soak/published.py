"""Write the public pages of a club, and read them."""

from __future__ import annotations

from contextlib import closing
from typing import Any

from players_post import Post

from adjudicator.club.public import write_public_pages
from adjudicator.outputs.clubs import ClubPublished


def publish(post: Post, name: str = "public", **options: Any) -> ClubPublished:
    """Publish the club into the folder ``name`` beside it."""
    with closing(post.club.ledger()) as ledger:
        return write_public_pages(post.club, ledger, str(post.folder.parent / name), **options)


def files(post: Post, name: str = "public") -> dict[str, bytes]:
    """Return the published files."""
    folder = post.folder.parent / name
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
