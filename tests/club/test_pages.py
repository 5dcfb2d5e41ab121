"""The page of each player: the own file and the report, in the folder of a desk, at an address that nobody can guess."""

from __future__ import annotations

import re
import shutil
from contextlib import closing
from html import escape
from pathlib import Path
from typing import NoReturn
from urllib.parse import parse_qsl, urlsplit

import pytest
from players_post import HOUR, Post, founded, matters
from test_public import FLAG

import adjudicator as adj
from adjudicator.club import pages, run
from adjudicator.club.folder import ClubFolder
from adjudicator.club.manage import add_game, status_of
from adjudicator.club.pages import page_address
from adjudicator.club.players import remove_game
from adjudicator.club.tokens import is_page_name, page_name, without_tokens
from adjudicator.core.ids import Seat
from adjudicator.files.errors import CannotWrite, Untrusted
from adjudicator.library.reading import GameReading
from adjudicator.reports.cli.club import status_text

DESK = "https://club.example.org/desk/"
LINK = re.compile(r"^Your board: (\S+)\r?$", re.MULTILINE)


def desk_of(post: Post) -> Path:
    return post.folder / "public" / "desk"


@pytest.fixture(scope="module")
def _published(tmp_path_factory: pytest.TempPathFactory) -> Post:
    post = founded(tmp_path_factory.mktemp("published") / "club")
    post.give_desk(DESK)
    (desk_of(post) / "0123456789ab").mkdir()
    post.add("checkered-flag", "red", "blue", game="race")
    post.run()
    return post


@pytest.fixture
def published(_published: Post, tmp_path: Path) -> Post:
    """A club with a desk and a race whose first reports have gone out."""
    return _published.copied(tmp_path / "club")


def addresses(post: Post) -> dict[str, str]:
    """Return the address in the new report to each seat."""
    mails = [mail for mail in post.mails() if "turn" in str(mail["Subject"]) or "over" in str(mail["Subject"])]
    texts = {str(mail["To"]).partition("@")[0]: mail.get_body(("plain",)).get_content() for mail in mails}
    return {seat: found[1] for seat, text in texts.items() if (found := LINK.search(text))}


def given_in(address: str) -> dict[str, str]:
    """Return what the link to a page gives the desk: ``file``, ``to``, ``token``."""
    return dict(parse_qsl(urlsplit(address).fragment, strict_parsing=True))


def page_at(post: Post, address: str, form: str = "json") -> bytes:
    assert address.startswith(DESK)
    return (desk_of(post) / given_in(address)["file"]).with_suffix(f".{form}").read_bytes()


def names(post: Post) -> set[str]:
    return {path.name for path in desk_of(post).iterdir()} - {"index.html", "0123456789ab"}


def status(post: Post) -> str:
    with closing(post.club.ledger()) as ledger:
        return status_text(status_of(post.club, ledger), str)


def test_each_report_links_to_the_own_file_with_the_report_beside_it(published: Post) -> None:
    found = addresses(published)
    assert set(found) == {"red", "blue"}
    game = adj.open(published.club.game_file("race"))
    for seat, address in found.items():
        token = published.club.seat_of("race", seat).token
        file = given_in(address).pop("file")
        assert given_in(address) == {"file": file, "to": "club@example.org", "token": token}
        assert file.endswith("/race.json")
        assert token not in f"{address.partition('#')[0]} {file}"
        assert page_at(published, address) == game.own_file(seat)
        report = published.club.path("race", "reports", f"{seat}.html").read_bytes()
        assert page_at(published, address, "html") == report
        assert token not in f"{page_at(published, address)!r} {report!r}"
    assert len({address.partition("#")[2].partition("/")[0] for address in found.values()}) == 2
    assert len(names(published)) == 2


def test_the_page_of_a_mail_has_the_link_too(published: Post) -> None:
    mail = next(
        mail for mail in published.mails() if "your turn" in str(mail["Subject"]) and mail["To"] == "red@example.org"
    )
    address = LINK.search(mail.get_body(("plain",)).get_content())
    assert address is not None
    page = mail.get_body(("html",)).get_content()
    link = escape(address[1])
    assert f'<a href="{link}">{link}</a>' in page
    assert "Keep this address secret" in page


def test_a_page_follows_the_reports_at_the_same_address(published: Post) -> None:
    before = addresses(published)
    files = {seat: page_at(published, address) for seat, address in before.items()}
    published.send("race", "red", "GEAR 1 go")
    published.run(after=HOUR)
    after = addresses(published)
    assert after == before
    game = adj.open(published.club.game_file("race"))
    for seat, address in after.items():
        assert page_at(published, address) == game.own_file(seat) != files[seat]


def test_an_order_that_waits_changes_no_page(empty: Post) -> None:
    empty.give_desk(DESK)
    empty.add("checkpoint-charlie", "red", "blue", "green", game="spies")
    empty.run()
    found = addresses(empty)
    before = {seat: page_at(empty, address) for seat, address in found.items()}
    empty.send("spies", "red", "HOLIDAY 2026-03-03 to 2026-03-04")
    empty.run(after=HOUR)
    assert {seat: page_at(empty, address) for seat, address in found.items()} == before


def test_a_round_writes_only_files_that_differ(published: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "write_atomic", lambda *_given, **_named: pytest.fail("a file is written again"))
    assert published.run(after=60).troubles == ()


def test_a_link_in_the_place_of_a_page_is_not_followed(published: Post, tmp_path: Path) -> None:
    address = addresses(published)["red"]
    page = desk_of(published) / given_in(address)["file"]
    for other in (b"other", page.read_bytes()):
        page.unlink()
        (tmp_path / "other").write_bytes(other)
        page.symlink_to(tmp_path / "other")
        (trouble,) = published.run(after=60).troubles
        assert "a link" in trouble
        assert (tmp_path / "other").read_bytes() == other
    page.unlink()
    assert published.run(after=60).troubles == ()
    assert page_at(published, address)


@pytest.mark.parametrize("broken", ["publish", "post"])
def test_the_next_round_writes_what_an_interrupted_one_did_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    post = founded(tmp_path / "club")
    post.give_desk(DESK)
    post.add("checkered-flag", "red", "blue", game="race")
    with monkeypatch.context() as patch:
        patch.setattr(run, broken, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            post.run()
    post.run()
    found = addresses(post)
    assert set(found) == {"red", "blue"}
    assert all(page_at(post, address) for address in found.values())


def test_a_lost_page_is_written_again(published: Post) -> None:
    found = addresses(published)
    for name in names(published):
        shutil.rmtree(desk_of(published) / name)
    published.run(after=60)
    assert all(page_at(published, address) for address in found.values())


def test_a_handed_over_seat_gets_a_new_address_and_the_old_page_goes(published: Post) -> None:
    before = addresses(published)
    published.seat("race", "red", "Carol", "carol@example.org")
    published.run(after=60)
    mails = [mail for mail in published.mails() if mail["To"] == "carol@example.org" and "turn" in str(mail["Subject"])]
    address = LINK.search(mails[0].get_body(("plain",)).get_content())
    assert address is not None
    assert address[1] != before["red"]
    assert b'"Carol"' in page_at(published, address[1])
    assert not (desk_of(published) / given_in(before["red"])["file"]).parent.exists()
    assert page_at(published, before["blue"])
    assert len(names(published)) == 2


def test_the_final_page_stays_until_the_game_is_removed(published: Post, tmp_path: Path) -> None:
    before = names(published)
    game = adj.open(FLAG)
    *earlier, last = (link.entry for link in game.session.game.journal)
    game.undo(len(earlier) - 1, "the last turn again").save(tmp_path / "last.json")
    add_game(published.club, tmp_path / "last.json", {seat: f"{seat}@example.org" for seat in ("red", "blue")})
    published.run()
    published.send(game.id, last.seat, last.order)
    published.mails()
    published.run(after=HOUR)
    found = addresses(published)
    published.run(after=HOUR)
    assert b'"log"' in page_at(published, found["red"])
    played = adj.open(published.club.game_file(game.id))
    assert played.is_over
    assert page_at(published, found["red"]) == played.own_file("red")
    with closing(published.club.ledger()) as ledger:
        remove_game(published.club, ledger, game.id)
    published.run(after=HOUR)
    assert names(published) == before
    assert (desk_of(published) / "index.html").is_file()
    assert (desk_of(published) / "0123456789ab").is_dir()


def test_two_clubs_share_a_desk(published: Post, tmp_path: Path) -> None:
    other = founded(tmp_path / "other")
    other.give_desk(DESK, desk_of(published))
    other.add("checkered-flag", "red", "blue", game="race")
    for post in (other, published, other):
        post.run(after=60)
    assert len(names(published)) == 4


def test_settings_that_cannot_be_read_cost_no_page(published: Post) -> None:
    before = names(published)
    text = published.club.path("race", "game.toml").read_text()
    published.club.path("race", "game.toml").write_text("[seats")
    assert published.run(after=60).troubles
    assert names(published) == before
    published.club.path("race", "game.toml").write_text(text)
    assert published.run(after=60).troubles == ()


@pytest.mark.parametrize("lost", ["folder", "desk"])
def test_a_folder_without_a_desk_is_a_warning(published: Post, lost: str) -> None:
    assert "desk" not in status(published)
    published.mails()
    if lost == "folder":
        shutil.rmtree(desk_of(published))
    else:
        (desk_of(published) / "index.html").unlink()
        shutil.rmtree(desk_of(published) / sorted(names(published))[0])
    left = names(published) if lost == "desk" else set()
    words = {"folder": "this folder does not exist", "desk": "this folder has no desk"}[lost]
    published.send("race", "red", "GEAR 1 go")
    done = published.run(after=60)
    assert done.games == ("race",)
    (trouble,) = done.troubles
    assert words in trouble
    assert f"adjudicator desk -o {desk_of(published)}" in trouble
    assert words in status(published)
    assert addresses(published)
    assert (names(published) if lost == "desk" else set()) == left
    desk_of(published).mkdir(exist_ok=True)
    (desk_of(published) / "index.html").write_text("")
    assert published.run(after=60).troubles == ()
    assert len(names(published)) == 2


def test_a_page_that_cannot_be_written_delays_no_mail(published: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    published.mails()
    blue = addresses_of(published, "blue")

    def refuse(path: Path, *given: object, **named: object) -> None:
        if Path(path).suffix == ".html" and blue not in str(path):
            raise CannotWrite(str(path), "the disk is full")
        write(path, *given, **named)  # type: ignore[arg-type]

    write = pages.write_atomic
    monkeypatch.setattr(pages, "write_atomic", refuse)
    published.send("race", "red", "GEAR 1 go")
    (trouble,) = published.run(after=60).troubles
    assert "disk is full" in trouble
    found = addresses(published)
    assert set(found) == {"red", "blue"}
    assert page_at(published, found["blue"]) == adj.open(published.club.game_file("race")).own_file("blue")
    monkeypatch.undo()
    assert published.run(after=60).troubles == ()
    assert b"GEAR 1" in page_at(published, found["red"], "html")


def addresses_of(post: Post, seat: str) -> str:
    with closing(post.club.ledger()) as ledger:
        return page_name(ledger.secret(), "race", seat, post.club.seat_of("race", Seat(seat)).token)


def test_a_bug_in_the_own_file_costs_the_page_alone(published: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    published.mails()
    with monkeypatch.context() as patch:
        patch.setattr(GameReading, "own_file", lambda *_: {}["H2"])
        published.send("race", "red", "GEAR 1 go")
        assert published.run(after=60).troubles == ()
    assert addresses(published) == {}, "an old file beside a new report would be wrong"
    assert names(published) == set()
    assert [words for words in matters(published) if "the players' pages of this game" in words and "KeyError" in words]
    published.send("race", "blue", "GEAR 1 go")
    published.run(after=60)
    assert set(addresses(published)) == {"red", "blue"}
    assert matters(published) == []


def test_an_own_file_that_cannot_be_written_is_written_by_the_next_round(
    published: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    published.mails()
    with monkeypatch.context() as patch:
        patch.setattr(pages, "deliver", refuse_own_files)
        published.send("race", "red", "GEAR 1 go")
        (trouble,) = published.run(after=60).troubles
    assert "disk is full" in trouble
    assert addresses(published) == {}, "no report goes out before its page"
    published.run(after=60)
    found = addresses(published)
    assert set(found) == {"red", "blue"}
    assert page_at(published, found["red"]) == adj.open(published.club.game_file("race")).own_file("red")
    assert not [words for words in matters(published) if "pages" in words]


def refuse_own_files(folder: str, *_given: object) -> NoReturn:
    raise CannotWrite(folder, "the disk is full")


def test_without_the_setting_there_is_neither_link_nor_file(post: Post) -> None:
    post.send("race", "red", "GEAR 1 go")
    post.run(after=60)
    assert addresses(post) == {}
    assert [path.name for path in post.club.path("race", "reports").glob("*.json")] == []


def test_a_running_game_gets_its_pages_with_the_next_report(post: Post) -> None:
    post.give_desk(DESK)
    post.send("race", "red", "RESEND")
    post.run(after=60)
    (mail,) = (mail for mail in post.mails() if "sent again" in str(mail["Subject"]))
    assert not LINK.search(mail.get_body(("plain",)).get_content())
    assert names(post) == set()
    post.send("race", "red", "GEAR 1 go")
    post.run(after=60)
    assert set(addresses(post)) == {"red", "blue"}
    post.send("race", "red", "RESEND")
    post.run(after=60)
    (mail,) = (mail for mail in post.mails() if "sent again" in str(mail["Subject"]))
    assert LINK.search(mail.get_body(("plain",)).get_content())


def test_an_own_file_from_before_the_desk_was_switched_off_is_not_shown(published: Post) -> None:
    setting = f'[desk]\nfolder = "public/desk"\naddress = "{DESK}"\n'
    published.settings(setting, "")
    published.send("race", "red", "GEAR 1 go")
    published.run(after=60)
    published.settings("[incoming]", f"{setting}\n[incoming]")
    published.run(after=60)
    assert names(published) == set()


@pytest.mark.parametrize(
    ("address", "link"),
    [
        ("https://club.example.org/desk", "https://club.example.org/desk/#file="),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000/#file="),
    ],
)
def test_the_address_may_lack_its_last_slash(published: Post, address: str, link: str) -> None:
    published.settings(DESK, address)
    with closing(published.club.ledger()) as ledger:
        assert page_address(published.club, ledger, "race", Seat("red")).startswith(link)


@pytest.mark.parametrize(
    "address", ["club.example.org/desk/", "https://x.org/#a", "https://x.org/a b", "javascript:x", "https://"]
)
def test_an_address_that_no_browser_opens_is_refused(published: Post, address: str) -> None:
    published.settings(DESK, address)
    with pytest.raises(Untrusted) as refused:
        ClubFolder(published.folder)
    assert "$.desk.address" in str(refused.value.violations)


@pytest.mark.parametrize("line", ['folder = "public/desk"\n', f'address = "{DESK}"\n'])
def test_folder_and_address_belong_together(published: Post, line: str) -> None:
    published.settings(line, "")
    with pytest.raises(Untrusted):
        ClubFolder(published.folder)


def test_the_name_of_a_page_depends_on_secret_game_seat_and_token() -> None:
    given = (b"s" * 32, "race", "red", "abcd2345")
    name = page_name(*given)
    assert re.fullmatch("[a-z2-7]{24}", name)
    others = {
        page_name(*[other if at == changed else value for at, value in enumerate(given)])  # type: ignore[arg-type]
        for changed, other in enumerate((b"t" * 32, "race2", "blue", "abcd2346"))
    }
    assert len({name, *others}) == 5
    assert is_page_name(b"s" * 32, name)
    assert not is_page_name(b"t" * 32, name)
    assert not any(is_page_name(b"s" * 32, other) for other in ("0123456789ab", "", "a" * 24, f"{name}/", name.upper()))


@pytest.mark.parametrize(
    "post", ["", "&to=club@example.org&token=abcd2345", "&amp;to=c%2Bd@example.org&amp;token=abcd-2345"]
)
def test_no_address_of_a_page_is_left_in_a_message(post: str) -> None:
    name = page_name(b"s" * 32, "race", "red", "abcd2345")
    assert without_tokens(f"look: {DESK}#file={name}/race.json{post} !") == f"look: {DESK} !"


def test_no_token_is_left_of_an_address_that_a_mail_program_breaks() -> None:
    assert without_tokens("to=club@example.org&\n> token=abcd2345 !") == "to=club@example.org&\n>  !"
