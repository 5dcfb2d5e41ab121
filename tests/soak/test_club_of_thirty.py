"""A club of thirty people who come as strangers, over real servers, among forged mails, loops, bounces and kills.

No mail and no order is lost, no letter goes out twice, no loop is endless, and nobody learns the secret of another: not from
letters, public pages, calendars or notices.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

import pytest
from attack import Attack
from members import CLUB, VICTIMS, Members, bounce
from people import MODERATOR, connect, require_answered, require_secret, text_of
from stopping import KILLED, Steps, call_apart

sys.path.insert(0, str(Path(__file__).parents[1] / "club"))

from chat import Chat, chat
from players_post import DAY, HOUR, Post, founded
from published import files, publish
from season import message
from servers import dovecot, smtp

import adjudicator as adj
from adjudicator.audit.decide import audit_game
from adjudicator.club.ledger import MailState
from adjudicator.club.manage import ClubError, pause, release
from adjudicator.club.members import grant, settle
from adjudicator.club.run import run_once
from adjudicator.club.standings import standings
from adjudicator.club.turns import open_game
from adjudicator.core.corrections import MissedDeadline, SeatHanded
from adjudicator.core.game import Game
from adjudicator.outputs.standings import SeatRecord
from adjudicator.reports.data.player_standing import by_player, places_of
from adjudicator.reports.pages.ratings import ratings
from adjudicator.rulesets import metas
from adjudicator.session import Session

SETTINGS = """[people]
join = true
new = true
confirm = "1 day"

[public]
address = "https://club.example.org/"

[limits]
receipts = 20

[[webhooks]]
kind = "discord"
url.env = "CHAT_URL"
{lists}
[incoming]"""
OPTIONS = {"rally-round": 'options = { mode = "table", kit = "deal" }', "checkered-flag": 'options = { laps = "1" }'}
STEP = 12 * HOUR


def draws(seed: int) -> dict[str, Callable[..., Any]]:
    """Return the methods from which `secrets` has all that it draws, so that they follow from ``seed``."""
    luck = Random(seed)
    return {"getrandbits": lambda _own, size: luck.getrandbits(size), "randbytes": lambda _own, size: luck.randbytes(size)}


class Season:
    """The season of a club whose people are ``members``."""

    def __init__(self, attack: Attack, members: Members, folder: Path, rulesets: tuple[str, ...], service: Chat) -> None:
        self.attack, self.members, self.post, self.service = attack, members, members.post, service
        self.rulesets, self.pages = rulesets, dict[str, bytes]()
        self.on_time: dict[tuple[str, str, str], set[int]] = defaultdict(set)
        self.delivered = Counter[bytes]()
        deliver = self.post.deliver

        def noted(data: bytes) -> None:
            self.delivered[data] += 1
            deliver(data)

        self.post.deliver = noted  # type: ignore[method-assign]
        lists = "".join(f'\n[[people.open]]\nruleset = "{name}"\n{OPTIONS.get(name, "")}\n' for name in rulesets)
        self.post.settings("[incoming]", SETTINGS.format(lists=lists))

    def step(self, *, is_killed: bool = False) -> None:
        """Let half a day go by, with mails of members and strangers, a round, and what the moderator does."""
        members = self.members
        members.look()
        members.live(self.rulesets)
        members.play()
        self.forge()
        members.look()
        self.post.now += STEP
        if is_killed:
            self.kill_round()
        self.round()
        self.note_orders()
        members.look()
        self.moderate()
        members.answer_letters()

    def round(self) -> None:
        done = run_once(self.post.club, self.post.now)
        assert done.troubles == (), (self.attack.told, done.troubles)

    def kill_round(self) -> None:
        """Begin rounds that are killed at some step; the next one goes on."""
        at = round(10 ** self.attack.luck.uniform(0, 2.8))
        ended = call_apart(self.post.folder, partial(self.run_apart, self.attack.luck.getrandbits(64)), Steps(kill_in=at))
        assert ended.code in (0, KILLED), ended
        self.attack.count("kills", ended.code == KILLED)

    def run_apart(self, seed: int) -> None:
        """Do a round in another process, with other random secrets than those of the next one here."""
        for name, draw in draws(seed).items():
            setattr(SystemRandom, name, draw)
        run_once(self.post.club, self.post.now)

    def forge(self) -> None:
        """Write mails in the name of others: strangers who did not ask, members, the club itself, mail servers."""
        members, luck = self.members, self.attack.luck
        number = len(members.victims)
        victim = f"v{number}@victims.example"
        members.victims[victim] = VICTIMS[number % len(VICTIMS)]
        member, spam = luck.choice(members.members), "from x ([198.51.100.9]) by mx; x"
        mails = [(victim, "JOIN", "hello"), (victim, "REGISTER Eve", "Re: [club/member#abcdefgh23456789] x")]
        mails += [(f"fl.ood+{one}@victims.example", "JOIN", "") for one in range(3)]
        mails += [(member.address, "SET address=eve@victims.example\nLEAVE", "Re: [club/member#abcdefgh23456789] x")]
        mails += [(member.address, "RESIGN", "Re: [checkered-flag-1/red#abcdefgh23456789] x"), (CLUB, "GAMES", "")]
        for sender, body, subject in luck.sample(mails, 4):
            if sender == member.address:
                members.lacks_token(sender)
            identifier = f"<{next(members.numbers)}@forged.example>"
            self.post.send("", "", body, From=sender, Subject=subject, Message_ID=identifier, Received=spam)
            self.attack.count("forged mails")
        self.post.deliver(bounce(f"<{luck.randbytes(16).hex()}@example.org>", member.address))

    def moderate(self) -> None:
        """Grant or drop what waits for the moderator."""
        club, luck = self.post.club, self.attack.luck
        with closing(club.ledger()) as ledger:
            for matter in ledger.matters():
                kind, *parts = matter.key.split("/")
                with suppress(ClubError):
                    if kind == "held":
                        release(ledger, matter.number) if luck.random() < 0.7 else settle(
                            club, ledger, matter.number, self.post.now
                        )
                    elif kind in ("standin", "new"):
                        seat = parts[1] if kind == "standin" else ""
                        if luck.random() < 0.2:
                            settle(club, ledger, matter.number, self.post.now)
                        else:
                            self.attack.count(
                                f"granted: {kind}", bool(grant(club, ledger, matter.number, seat, self.post.now))
                            )

    def note_orders(self) -> None:
        """Each order that a member wrote is played as the first of its seat since then, or waits, while the member plays."""
        club, due = self.post.club, self.members.due
        with closing(club.ledger()) as ledger:
            waiting = {(mail.game, mail.seat) for mail in ledger.mails(MailState.WAITING)}
        for (game, seat), (begin, order, name) in list(due.items()):
            session, member = self.post.session(game), self.members.at[club.settings_of(game).seats[seat].addresses[0]]
            entries = [link.entry for link in session.game.journal[begin:] if link.entry.seat == seat]
            if entries:
                first = entries[0]
                assert (first.written or first.order).startswith(order), (self.attack.told, game, seat, order, first)
                self.on_time[game, seat, member.name].add(first.turn)
                self.attack.count("orders carried out")
            elif (game, seat) in waiting or seat in open_game(club, game).pending_counts:
                continue
            else:
                is_over = session.rules.is_over(session.config, session.game.state)
                assert is_over or member.name != name, (self.attack.told, game, seat, order)
                self.attack.count("orders of players who left, or after the end")
            del due[game, seat]

    def storm(self, rounds: int) -> None:
        """Let mailboxes that answer by themselves and the club write to each other, round after round."""
        self.members.is_storm = True
        for _ in range(rounds):
            self.members.answer_letters()
            self.post.now += 60
            self.round()

    def finish(self, rounds: int) -> None:
        """Let simulated players end the short games while everybody is away: then there are results to rate."""
        self.post.settings("drop_after = 2", "drop_after = 0")
        with closing(self.post.club.ledger()) as ledger:
            others = [game for game in self.post.club.games if not game.startswith("checkered-flag")]
            if others:
                pause(self.post.club, ledger, others, self.post.now)
        short = [game for game in self.post.club.games if game not in others]
        for _ in range(rounds):
            if all(open_game(self.post.club, game).is_over for game in short):
                break
            self.post.now += 2 * DAY
            self.round()
        self.members.read = len(self.members.out.mails)
        self.note_orders()

    def publish(self) -> None:
        """Write the public pages, and keep all that anybody could ever read there."""
        assert (done := publish(self.post)).unmade == () and done.troubles == (), done
        found = {f"{self.post.now}/{name}": data for name, data in files(self.post).items()}
        self.pages |= {name: data for name, data in found.items() if data not in self.pages.values()}


def hidden_words(members: Members) -> dict[str, Iterable[str]]:
    """Return each token, name of a calendar, and address, with the addresses of those who may read it."""
    addresses = {address: one.addresses for one in members.members for address in one.addresses}
    return {**members.tokens, **addresses}


def require_hidden(season: Season) -> None:
    """No letter, page, calendar or notice has a secret of somebody else."""
    members, post = season.members, season.post
    words = hidden_words(members)
    secrets = [one.chance.secret or "?!" for one in running_games(post)]
    for to, data in members.out.mails:
        text = text_of(message(data))
        there = [word for word in words if word in text]
        found = [word for word in there if to not in words[word]]
        season.attack.count("own secrets in letters", len(there) - len(found))
        if to == MODERATOR:
            found = [word for word in found if "@" not in word]
        assert not found, (season.attack.told, to, found, text[:2_000])
        assert not any(secret in text for secret in secrets)
    names = {one.name for one in members.members if not one.is_public}
    for name, data in [*season.pages.items(), *((f"notice/{one}", text.encode()) for one, text in notices(season.service))]:
        text = data.decode("utf-8", "replace")
        found = [word for word in (*words, *secrets) if word in text]
        found += [one for one in names if re.search(rf"\b{one}\b", text)] + re.findall(r"Zq[bcdfghjkmpqrtvwxz]{10}", text)
        assert not found, (season.attack.told, name, found)
    season.attack.count("pages read", len(season.pages))


def running_games(post: Post) -> list[Game]:
    sessions = [post.session(game) for game in post.club.games]
    return [one.game for one in sessions if not one.rules.is_over(one.config, one.game.state)]


def notices(service: Chat) -> list[tuple[str, str]]:
    return list(zip(service.ids, service.texts, strict=True))


def require_once(season: Season) -> None:
    """Each letter went out once; after a kill, at most one went out again without a change. Notices never do."""
    sent = season.members.out.mails
    known: dict[tuple[str, str], bytes] = {}
    texts = set()
    for to, data in sent:
        mail = message(data)
        key = to, str(mail["Message-ID"])
        assert known.setdefault(key, data) == data, (season.attack.told, key)
        text = mail.get_body(("plain",)).get_content()  # type: ignore[union-attr]
        texts.add((to, str(mail["Subject"]), str(mail["In-Reply-To"]), str(mail["Date"])[:16], text))
    again = len(sent) - len(known)
    assert again <= season.attack.counts["kills"], season.attack.told
    assert len(texts) == len(known), (season.attack.told, len(texts), len(known))
    assert len(set(season.service.ids)) == len(season.service.ids)
    season.attack.count("letters sent again after a kill, unchanged", again)


def require_kept(season: Season) -> None:
    """Each mail is in the ledger with its result, and each held one has a matter or one that the moderator settled."""
    with closing(season.post.club.ledger()) as ledger:
        rows = list(ledger._db.execute("select state, why, matter, count(*) from mails group by state, why, matter"))
        counts = ledger.counts()
        keys = {row[0] for row in ledger._db.execute("select key from matters")}
    assert sum(row[3] for row in rows) == len(season.delivered), season.attack.told
    for state, why, matter, number in rows:
        assert state in ("taken", "answered", "waiting", "passed over", "held"), state
        assert why or state in ("taken", "answered", "waiting"), state
        assert state != "held" or matter in keys
        season.attack.count(f"mails {state}", number)
    assert {state for _, state in counts} <= {"sent", "given up", "dropped", "held"}, counts
    gone = sum(number for (_, state), number in counts.items() if state == "given up")
    season.attack.count("letters given up", gone)


def require_bounded(season: Season) -> None:
    """No mailbox that answers every letter gets more than its share of a day; programs and lists get no answer at all."""
    games = Counter(address for _, address in season.members.players.values())
    for (to, _), number in season.members.days.items():
        most = 25 * (games[to] + 2)
        assert to == MODERATOR or number <= most, (season.attack.told, to, number)
        if season.members.victims.get(to, "") or to.endswith("victims.example"):
            assert number == 1, (to, number)


@dataclass
class Played:
    """A game as anybody can rate it who has its file."""

    rated: dict[str, int]
    finished: int | None


def require_standings(season: Season, folder: Path) -> None:
    """The standing and rating of each member follow from copies of the game files, and from what this test has seen."""
    club, records = season.post.club, list[SeatRecord]()
    played, missed = defaultdict[str, list[Played]](list), Counter[tuple[str, str, str]]()
    for game in club.games:
        path = shutil.copy(club.game_file(game), folder / f"{game}.json")
        names = {(seat, one.name): one.addresses[0] for seat, one in club.settings_of(game).players}
        found = adj.open(path)
        own = found.seat_records(names)
        records += own
        played[found.meta.id].append(Played(places_of(own), own[0].finished_at))
        missed.update((game, *key) for key in missed_deadlines(season.post.session(game), names))
    expected = dict(by_player(records))
    rated = {name: ratings(games) for name, games in played.items()}
    rows = {one.address: one for one in standings(club).club_standings}
    assert rows.keys() == expected.keys()
    for address, row in rows.items():
        assert row.seats == expected[address].seats, (season.attack.told, address)
        values = {name: found[address].value for name, found in rated.items() if address in found}
        assert {one.ruleset: one.rating for one in row.player_ratings} == values
        season.attack.count("ratings", len(values))
        for one in row.seats:
            assert one.missed + one.excused == missed[one.game, one.seat, address]
            turns = season.on_time[one.game, one.seat, season.members.at[address].name]
            assert one.on_time == len(turns), (season.attack.told, one, turns)
    season.attack.count("standings", len(rows))


def missed_deadlines(session: Session, names: Mapping[tuple[str, str], str]) -> Iterator[tuple[str, str]]:
    """Yield the seat and the player's address of each missed deadline in a journal."""
    held = {one.seat: one.holder for one in session.game.setup.players}
    for event in (event for link in session.game.journal for event in link.entry.events):
        if isinstance(event, SeatHanded):
            held[event.seat] = event.holder
        elif isinstance(event, MissedDeadline):
            yield event.seat, names.get((event.seat, held[event.seat]), "")


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize(
    ("size", "steps", "rulesets"),
    [
        (4, 6, ("checkered-flag", "checkpoint-charlie")),
        pytest.param(30, 40, tuple(sorted(name for name, _ in metas())), marks=pytest.mark.soak),
    ],
)
def test_a_season_of_strangers(
    attack: Attack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, steps: int, rulesets: tuple[str, ...]
) -> None:
    for name, draw in draws(attack.seed).items():  # tokens and secrets of games follow from the seed
        monkeypatch.setattr(SystemRandom, name, draw)
    post = founded(tmp_path / "club")
    post.settings('nmr = "wait"', 'nmr = "bot"')
    post.settings("drop_after = 0", "drop_after = 2")
    post.settings('every = "3 days"', 'every = "1 day"')
    post.settings("most_missing = 1", "most_missing = 5")
    with dovecot() as imap, smtp() as out, chat() as service:
        monkeypatch.setenv("CHAT_URL", service.url)
        connect(post, imap, out, monkeypatch)
        season = Season(attack, Members(post, attack.luck, attack.count, out, size), tmp_path, rulesets, service)
        for number in range(attack.times(steps)):
            season.step(is_killed=number % 3 == 2)
            if number % 4 == 3:
                season.publish()
        if attack.options == ():
            season.finish(60)
        season.storm(steps // 2)
        season.round()
        season.publish()
        season.members.look()
        assert imap.count("INBOX") == 0
    require_season(season, tmp_path)


def require_season(season: Season, folder: Path) -> None:
    post, attack, people = season.post, season.attack, season.members
    require_kept(season)
    require_once(season)
    require_bounded(season)
    deaf = ("full", "echo")  # their letters are refused, or they have had all their answers of the day
    people.to_answer = {key: to for key, to in people.to_answer.items() if people.kind_of(to) not in deaf}
    require_answered(people, people.out.mails)
    require_secret(people, people.out.mails)
    require_hidden(season)
    for game in post.club.games:
        session = post.session(game)
        assert audit_game(session).divergence is None, game
        attack.count("games", 1)
        attack.count("games over", bool(session.rules.is_over(session.config, session.game.state)))
        attack.count("entries", len(session.game.journal) - 1)
    require_standings(season, folder)
    attack.count("letters", len(people.out.mails))
    attack.count("notices", len(season.service.got))
