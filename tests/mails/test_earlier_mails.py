"""An earlier mail that is quoted is found by what programs write above it, in 44 languages, marked or not.

Old orders in it never count, new ones above it always do.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

import adjudicator as adj
from tests.data.mails import heads
from tests.data.mails.pieces import GAMES, ORDERS, mail, plain
from tests.drivers.mails import (
    HEAD,
    Reading,
    at_turn_7,
    bound,
    lines_run,
    mail_of,
    pending_after,
    portion,
    read,
    read_at_turn_7,
    read_in,
)

PARTS = 5


def wrong_sheets(build: Callable[[list[str]], bytes], number: int) -> list[Any]:
    """Return what is wrong in mails that ``build`` makes from orders, bound to a seat and with a head."""
    game = GAMES[number % len(GAMES)]
    orders = list(ORDERS[game])
    both = ((seat, read_in(game, build(lines), seat)[:2]) for seat, lines in (("red", orders), (None, ["red:", *orders])))
    return [(seat, read) for seat, read in both if read != ({"red": orders}, [])]


@pytest.mark.parametrize("part", portion(range(PARTS), PARTS))
def test_an_earlier_mail_is_found_in_any_language_and_frame(part: int) -> None:
    wrong, tried = {}, 0
    for number, (frame, (language, head)) in enumerate(product(heads.FRAMES, heads.HEADS.items())):
        if number % PARTS == part:
            tried += 1
            if bad := wrong_sheets(lambda lines, frame=frame, head=head: heads.FRAMES[frame](head, lines), number):
                wrong[frame, language] = bad
    assert wrong == {}
    assert tried >= 1_000 // PARTS


def test_marks_of_html_are_enough() -> None:
    assert len(heads.BARE) >= 5
    assert {mark: bad for mark, build in heads.BARE.items() if (bad := wrong_sheets(build, len(mark)))} == {}


OWN = [
    *("TC3: see the map", "red: DRAW", "game: rally-042\nturn: 7\ndeadline: Friday, 6 March 2026 20:00"),
    *("game rally-042\nturn 7", "Game: rally-042\nTurn: 7\nDate: 2 March 2026 10:15\nMail: ann@example.org"),
    *("Ann: 10:15\nBob: 12:30\nCarol: 14:00", "Ann: ann@example.org\nBob: bob@example.org\nCarol: carol@example.org"),
    *("Ann: 2 March 2026 10:15\nBob: 3 March 2026 11:00\nCarol: 4 March 2026 12:00", "Tempo: high\nMood: good\nRisk: low"),
    *("Tel.: +49 30 123456-78\nMobil: 01.23.45.67.89\nE-Mail: ann@example.org\nWeb: www.example.org", "Orders for 2 March 2026:"),
    *("My moves for Monday, 2 March 2026, 20:00 UTC:", "2026-03-02 10:15:", "Befehle für den 2. März 2026, 20:00 Uhr bitte:"),
    *("----- Orders -----", "----- Turn 7, 2 March 2026 -----", "-----\nred, turn 7\n-----", "=== my three orders ==="),
    *("--- red ---", "At 10:15 I left:", "Here they are:", "As you wrote on Monday:", "He said:", "See you on 2 March 2026 at 10:15."),
    *("Write to ann@home.example.org if this is wrong:", "From: C3\nTo: D3", "Note: late\nReason: ill"),
    *("===== Checkpoint Rally, 2 March 2026 =====", "----- my plan -----\nSee you on 2 March 2026", "---- Bob, 2 March 2026 ----"),
    *("On 2 March 2026 I shall be away, so this is what I want:", "Name: Ann\nE-Mail: ann@example.org\nDate: 2 March 2026 10:15"),
    *("Written: 2 March 2026 10:15\nMood: good\nWeather: rain", "Anna: a@example.org\nOtto: o@example.org\nEva: e@example.org"),
    *("Player: Ann\nMood: good\nWeather: rain since 2 March 2026", "PS: I am back on 2 March 2026\nNote: by train"),
    *("On 2 March 2026 we meet, don't we?\nMy moves are these:", "I wrote this at 10:15 on 2 March 2026.\nThanks:"),
]  # fmt: skip
"""What players write themselves above and between their orders."""


def test_what_players_write_is_no_earlier_mail() -> None:
    """Whatever else it is, the lines below it are not an earlier mail's."""
    for own, above, seat in product(OWN, ("", "red:\n", "red:\nMOVE C3 D3\n"), ("red", None)):
        text = f"{above}{own}\nDRAW\n\n{own}\nREFRESH"
        sent = mail(plain(text), sender="Ann <ann@example.org>", subject="turn 7")
        for one in (adj.read_mail(sent, name="a.eml", seat=seat), text):  # type: ignore[arg-type]
            passed = pending_after(at_turn_7(), one).passed
            assert [one for one in passed if "earlier mail" in one.reason or "introduces" in one.reason] == [], text


ATTRIBUTIONS = {
    "en gmail": "On Mon, Mar 2, 2026 at 10:15 AM Max Keller <gm@example.org> wrote:",
    "en gmail, other date": "On Mon, 2 Mar 2026 at 10:15, Max Keller <gm@example.org> wrote:",
    "en apple": "On 11-Apr-2011, at 6:54 PM, Max Keller <gm@example.org> wrote:",
    "en thunderbird": "On 04/19/2011 07:10 AM, Max Keller wrote:",
    "en mutt": "On Mon, Mar 02, 2026 at 10:15:00AM +0100, Max Keller wrote:",
    "en company": 'On Tue, Jan 27, 2015 at 12:42 PM -0800, "Company" <christine.x@example.com> wrote:',
    "en gnus": "Max Keller <gm@example.org> writes:",
    "en broken before wrote": "On Mon, Mar 2, 2026 at 10:15 AM Maximilian Alexander Keller <gm@example.org>\nwrote:",
    "en broken before address": "On Fri, May 6, 2011 at 6:03 PM, Max Keller from Postal Games\n<gm@example.org> wrote:",
    "en broken in address": "On Nov 30, 2011, at 12:47 PM, Somebody <\n416ffd3258d4d2fa4c85cfa4c44e1721d66e3e8f4@example.org>\nwrote:",
    "en broken thrice, no year": "On Wed, Dec 9, Mister Example\n<mister@example.org>\nwrote:",
    "en proton": "On Monday, March 2nd, 2026 at 10:15 AM, Max Keller <gm@example.org> wrote:",
    "en yahoo": "    On Monday, March 2, 2026 at 10:15:00 AM GMT+1, Max Keller <gm@example.org> wrote:  ",
    "en zoho": "---- On Wed, 24 Feb 2021 14:02:50 +0530 gm@example.org wrote ----",
    "en dashes": "------On 12/29/1987 17:32 PM, Julius Caesar wrote-----",
    "date and address": "2014-10-17 11:28 GMT+03:00 Max Keller <\ngm@example.org>:",
    "de gmail": "Am Mo., 2. März 2026 um 10:15 Uhr schrieb Max Keller <gm@example.org>:",
    "de apple": "Am 02.03.2026 um 10:15 schrieb Max Keller <gm@example.org>:",
    "de thunderbird": "Am 02.03.26 um 10:15 schrieb Max Keller:",
    "de name first": "Max Keller <gm@example.org> schrieb am So., 23.\nJuni 2024, 21:08:",
    "de yahoo": "Am Montag, 2. März 2026 um 10:15:00 MEZ hat Max Keller\n<gm@example.org> Folgendes geschrieben:",
    "de evolution": "Am Montag, dem 02.03.2026 um 10:15 +0100 schrieb Max Keller:",
    "fr gmail": "Le lun. 2 mars 2026 à 10:15, Max Keller <gm@example.org> a écrit\u00a0:",
    "fr links": "Le 23 janv. 2015 à 22:03, Max <gm@example.org<mailto:gm@example.org>> a écrit:",
    "fr roundcube": "Le 2026-03-02 10:15, Max Keller a écrit :",
    "es gmail": "El lun, 2 mar 2026 a las 10:15, Max Keller (<gm@example.org>) escribió:",
    "es thunderbird": "El 2/3/26 a las 10:15, Max Keller escribió:",
    "it gmail": "Il giorno lun 2 mar 2026 alle ore 10:15 Max Keller <gm@example.org> ha scritto:",
    "it data": 'In data 11 ottobre 2017 21:11:31 "Max Keller" <gm@example.org> ha scritto:',
    "nl gmail": "Op ma 2 mrt 2026 om 10:15 schreef Max Keller <gm@example.org>:",
    "nl apple": "Op 17-feb.-2015, om 13:18 heeft Max Keller <gm@example.org> het volgende geschreven:",
    "nl no month name": "Op 13-02-2014 3:18 schreef Max Keller <gm@example.org>:",
    "pl gmail": "pon., 2 mar 2026 o 10:15 Max Keller <gm@example.org> napisał(a):",
    "pl apple": "Wiadomość napisana przez Max Keller <gm@example.org> w dniu 2 mar 2026, o godz. 10:15:",
    "pl broken": "W dniu 28 stycznia 2015 01:53 użytkownik Max Keller <gm@example.org>\nnapisał:",
    "pl thunderbird": "W dniu 2.03.2026 o 10:15, Max Keller pisze:",
    "pt gmail": "Em seg., 2 de mar. de 2026 às 10:15, Max Keller <gm@example.org> escreveu:",
    "pt broken": "Em 10 de julho de 2017 às 16:32:35, Max Keller (\ngm@example.org) escreveu:",
    "pt thunderbird": "Às 10:15 de 02/03/2026, Max Keller escreveu:",
    "sv gmail": "Den mån 2 mars 2026 kl 10:15 skrev Max Keller <gm@example.org>:",
    "sv name last": "Den 14 september, 2015 02:23:18, Max Keller (gm@example.org) skrev:",
    "da gmail": "Den man. 2. mar. 2026 kl. 10.15 skrev Max Keller <gm@example.org>:",
    "no name last": "På 14 september 2015 på 02:23:18, Max Keller (gm@example.org) skrev:",
    "cs gmail": "po 2. 3. 2026 v 10:15 odesílatel Max Keller <gm@example.org> napsal:",
    "cs broken": "Dne po 15. led. 2025 17:03 Max Keller <gm@example.org>\nnapsal(a):",
    "cs thunderbird": "Dne 02. 03. 26 v 10:15 Max Keller napsal(a):",
    "ru gmail": "пн, 2 мар. 2026 г. в 10:15, Max Keller <gm@example.org>:",
    "ru apple": "2 марта 2026 г., в 10:15, Max Keller <gm@example.org> написал(а):",
    "ru thunderbird": "02.03.2026 10:15, Max Keller пишет:",
    "ru mail.ru": "Понедельник, 2 марта 2026, 10:15 +03:00 от Max Keller <gm@example.org>:",
    "fi gmail": "ma 2. maalisk. 2026 klo 10.15 Max Keller (gm@example.org) kirjoitti:",
    "decomposed accents": "Le 2 mars 2026 à 10:15, Max Keller <gm@example.org> a e\u0301crit :",
    "name from right to left": "On Mon, 2 Mar 2026 at 10:15, \u202bמקס קלר\u202c\u200e <\u202agm@example.org\u202c\u200e> wrote:",
}
BLOCKS = {
    "en": "From: Max Keller [mailto:gm@example.org]\nSent: Monday, March 2, 2026 10:15 AM\nTo: Ann\nSubject: RE: turn 7",
    "en mac": "From: Max Keller <gm@example.org>\nDate: Monday, 2 March 2026 at 10:15\nTo: Ann\nSubject: turn 7",
    "en bold": "  *From:* Max [mailto:\n  gm@example.org]\n  *Sent:* Monday, March 2, 2026\n  *To:* Ann\n  *Subject:* turn 7",
    "en date first": "Date: Fri, 28 Sep 2012 10:55:48 +0000\nFrom: gm@example.org\nTo: ann@example.org\nSubject: [Ticket 8] Test",
    "en broken": "From: Max Keller \n<a-really-long-address@example.org> \nSent: Monday\nTo: Ann <a@example.org>\nSubject: turn 7",
    "en spaced": "From: Max\n\nSent: Monday, March 2, 2026\n\nTo: Ann\n\nSubject: turn 7",
    "en line above": "________________________________\nFrom: Max <gm@example.org>\nSent: Monday\nTo: Ann\nSubject: turn 7",
    "de": "Von: Max Keller\nGesendet: Montag, 2. März 2026 10:15\nAn: Jürgen\nBetreff: AW: turn 7",
    "de gmx": "Gesendet: Montag, 02. März 2026 um 10:15 Uhr\nVon: Max\nAn: player@example.org\nBetreff: turn 7",
    "fr": "De : Max Keller [mailto:gm@example.org]\nEnvoyé : lundi 2 mars 2026 10:15\nÀ : Zoé\nObjet : turn 7",
    "es": "De: Max\nEnviado el: lunes, 2 de marzo de 2026 10:15\nPara: Íñigo\nAsunto: turn 7",
    "it": "Da: Max\nInviato: lunedì 2 marzo 2026 10:15\nA: Niccolò\nOggetto: turn 7",
    "nl": "Van: Max\nVerzonden: maandag 2 maart 2026 10:15\nAan: Geert\nOnderwerp: turn 7",
    "pl": "Od: Max\nWysłano: poniedziałek, 2 marca 2026 10:15\nDo: Żaneta\nTemat: turn 7",
    "pt": "De: Max\nEnviada em: segunda-feira, 2 de março de 2026 10:15\nPara: João\nAssunto: turn 7",
    "sv": "Från: Max [mailto:gm@example.org]\nSkickat: den 2 mars 2026 10:15\nTill: Åsa\nÄmne: turn 7",
    "da": "Fra: Max\nSendt: 2. marts 2026 10:15\nTil: Søren\nEmne: turn 7",
    "cs": "Od: Max\nOdesláno: pondělí 2. března 2026 10:15\nKomu: Jiří\nPředmět: turn 7",
    "ru": "От: Max\nОтправлено: понедельник, 2 марта 2026 г. 10:15\nКому: Анна\nТема: turn 7",
    "hu": "Feladó: Max\nElküldve: 2026. március 2., hétfő 10:15\nCímzett: Ann\nTárgy: turn 7",
    "fi": "Lähettäjä: Max\nLähetetty: maanantai 2. maaliskuuta 2026 10.15\nVastaanottaja: Ann\nAihe: turn 7",
}
TITLES = [
    *("-----Original Message-----", "----- Original Message -----", "-------- Original message --------"),
    *("-----Ursprüngliche Nachricht-----", "-------- Weitergeleitete Nachricht --------", "-----Message d'origine-----"),
    *("-----Mensaje original-----", "-----Messaggio originale-----", "-----Oorspronkelijk bericht-----"),
    *("-----Wiadomość oryginalna-----", "-----Mensagem original-----", "-----Ursprungligt meddelande-----"),
    *("-----Oprindelig meddelelse-----", "-----Původní zpráva-----", "---------- Původní e-mail ----------"),
    *("-----Исходное сообщение-----", "---------- Forwarded message ---------"),
    "----- Forwarded by Max Keller/ACME on 02.03.2026 18:00 -----",
]
"""Titles that show an earlier mail by themselves."""
BEGINNINGS = [
    *(
        "-----Reply Message-----",
        "-----元のメッセージ-----",
        "---- 回复的原邮件 ----",
        "-----Özgün İleti-----",
        "___ Eredeti üzenet ___",
    ),
    *("Begin forwarded message:", "Anfang der weitergeleiteten Nachricht:", "Début du message réexpédié :"),
    *("Inicio del mensaje reenviado:", "Inizio messaggio inoltrato:", "Start på videresendt besked:"),
]
"""Lines above the head of an earlier mail."""
HEADINGS = {**ATTRIBUTIONS, **BLOCKS, **dict(zip(TITLES, TITLES, strict=True))}

BLANKS = ("", "\n", "\n \n")


def said(text: str, *, is_mail: bool = True) -> Reading:
    """Return what is read of a text for turn 7 in which nobody says from whom it is."""
    return read_at_turn_7(bound(text, None) if is_mail else text)


def kept(text: str, *, is_mail: bool = True) -> list[str]:
    """Return the orders of red in a text; the `red:` above them may be left out in the first line."""
    text = text if "red:" in text.split("DRAW")[0] else f"red:\n{text}"
    return said(text, is_mail=is_mail).red


def test_an_earlier_mail_without_marks_goes_to_the_end() -> None:
    """Also a head of a sheet in it ends nothing: it is the old one."""
    wrong = []
    for name, blank in product(HEADINGS, BLANKS):
        text = f"red:\nDRAW\n\n{HEADINGS[name]}\n{blank}Hello,\n\nred:\nMOVE C3\n-- \nMax\n\nred: TAKE U7"
        read = said(text)
        if read.orders != {"red": ["DRAW"]} or read.ignored[-1][0] != text.count("\n") + 1:
            wrong.append((name, blank, read.orders, read.ignored[-1:]))
    assert wrong == []
    assert len(HEADINGS) >= 80


def test_a_head_below_another_title_is_found() -> None:
    cases = product(BEGINNINGS, [*BLOCKS.values(), ATTRIBUTIONS["en gmail"]])
    texts = ["\n".join(["red:", "DRAW", title, below.strip("_\n"), "", "MOVE C3"]) for title, below in cases]
    assert [text for text in texts if said(text).orders != {"red": ["DRAW"]}] == []


def test_what_stands_below_marked_quotes_is_read() -> None:
    wrong = []
    for (name, heading), blank in product(ATTRIBUTIONS.items(), BLANKS):
        read = said(f"{heading}\n{blank}> red:\n> MOVE C3\n\nred:\nDRAW\n> and then?\nREFRESH")
        introducing = [number for number, why in read.ignored if why == "it introduces a quote"]
        if read.orders != {"red": ["DRAW", "REFRESH"]} or introducing != list(range(1, heading.count("\n") + 2)):
            wrong.append((name, blank, read.orders, introducing))
    assert wrong == []


ATTRIBUTION = "\nOn Mon, Mar 2, 2026 at 10:15 AM Max\n<gm@example.org> wrote:\n"
READ_ON = {
    "a title above marked quotes": [
        f"red:\nDRAW\n{title}{below}\n> red: MOVE C3\nREFRESH" for title in TITLES for below in ("", ATTRIBUTION)
    ],
    "a head above marked quotes": [f"red:\nDRAW\n\n{block}\n\n> red: MOVE C3\n> DRAW\nREFRESH" for block in BLOCKS.values()],
}


@pytest.mark.parametrize("kind", READ_ON)
def test_above_marked_quotes_nothing_ends_the_mail(kind: str) -> None:
    assert [text for text in READ_ON[kind] if said(text).orders != {"red": ["DRAW", "REFRESH"]}] == []


def test_a_heading_in_a_signature_counts_too() -> None:
    texts = [f"red:\nDRAW\n-- \nAnn\n\n{heading}\n\nred:\nMOVE C3" for heading in HEADINGS.values()]
    assert [text for text in texts if said(text).orders != {"red": ["DRAW"]}] == []


SMALL_BLOCKS = [
    "From: Max <gm@example.org>",
    "De : gm@example.org",
    "From: bob@example.org Date: Thu, 24 Mar 2016 08:07:12 -0700",
    "From: Max\nSubject: turn 6",
    "Von: Max\nDatum: 2.3.2026",
    "Date: Wed, 16 May 2012 00:15:02 -0600\nTo: ann@example.org",
    "Betreff: turn 6\nDatum: 02.03.2026 10:15",
]


@pytest.mark.parametrize("heading", SMALL_BLOCKS)
def test_in_a_mail_or_a_text_of_one_seat_less_of_a_head_is_enough(heading: str) -> None:
    """In a file with the sheets of several seats it is not."""
    text = f"DRAW\n\n{heading}\n\nMOVE C3"
    (own,) = adj.read_orders(text, name="a.txt", seat="red")  # type: ignore[arg-type]
    assert read_at_turn_7(bound(text)).red == read_at_turn_7(own).red == said(f"red:\n{text}").red == ["DRAW"]
    (alone,) = adj.read_orders(f"{heading}\n\nMOVE C3", name="a.txt", seat="red")  # type: ignore[arg-type]
    assert read_at_turn_7(alone).red == ["MOVE C3"]


def test_a_pasted_text_may_begin_with_its_own_head() -> None:
    for heading in (block for block in BLOCKS.values() if not block.startswith("_")):
        read = said(f"\n{heading}\n\nred:\nDRAW", is_mail=False)
        assert read.orders == {"red": ["DRAW"]}, heading
        assert {why for _, why in read.ignored} <= {"the head of a mail", "a line without words"}, heading
        assert said(f"{heading}\n\nred:\nDRAW").orders == {}, heading
        below = said(f"red:\nREFRESH\n\n{heading}\n\nred:\nDRAW", is_mail=False)
        assert below.orders == {"red": ["REFRESH"]}, heading


@pytest.mark.parametrize("blanks", ["\n", "\n\n"])
@pytest.mark.parametrize("head", [*SMALL_BLOCKS, BLOCKS["en"], BLOCKS["de gmx"], BLOCKS["fr"]])
def test_the_head_of_a_pasted_text_ends_at_a_blank_line(head: str, blanks: str) -> None:
    text = f"{head}\n{blanks}Hi Tom,\nhere is my plan:\nDRAW"
    (own,) = adj.read_orders(text, name="a.txt", seat="red")  # type: ignore[arg-type]
    assert read_at_turn_7(own).red == ["DRAW"]
    assert said(f"{head}\n{blanks}my move: DRAW\nred: DRAW", is_mail=False).red == ["DRAW"]


def test_in_a_pasted_text_it_is_told_that_an_earlier_mail_has_a_sheet() -> None:
    ignored = said(f"red:\nDRAW\n\n{BLOCKS['en']}\n\nred: MOVE C3\nDRAW", is_mail=False).ignored
    (sheet, why), (below, _) = ignored[-2:]
    assert (sheet, below) == (9, 10)
    assert "earlier mail" in why
    assert "sheet" in why


@pytest.mark.parametrize(
    "text",
    [
        *("On to C3:", "He wrote:", "As you wrote on Monday:", "From: C3\nTo: D3", "Subject: this\nDate: that"),
        *("2026-03-02 10:15:", "Orders for 2 March 2026:", "See https://example.org/On-Mon-wrote:", "----- Orders -----"),
        *("Contact gm@example.org", "at 10:15 I left:"),
        "On Mon, Mar 2, 2026 at 10:15 AM " + "x" * 1_000 + " <gm@example.org> wrote:",
    ],
)
def test_other_lines_introduce_no_earlier_mail(text: str) -> None:
    """Nor do lines that no program writes so long."""
    assert not [why for _, why in said(f"{text}\n\nred: DRAW").ignored if "earlier" in why or "introduces" in why]


def test_a_date_that_is_like_an_order_may_begin_a_heading() -> None:
    """Otherwise the orders of the earlier mail would count."""
    found = read("SPEED 30\nSPEED 2 3 2026\nMax Keller <gm@example.org> wrote:\n\nSPEED 40", "rally-round")
    assert (found.red, found.ignored) == (["SPEED 30"], [(line, "an earlier mail") for line in (2, 3, 5)])


def test_a_date_in_brackets_above_a_quote_introduces_nothing() -> None:
    assert said("red:\nDRAW\nBack on 2 March 2026 at 10:15 (Friday)\n> x").ignored[0] == (3, "not understood")


def test_a_seat_called_like_a_field_is_a_seat() -> None:
    game = adj.new("checkered-flag", ["betreff", "subject"], seed=1)
    seat = next(seat for seat in game.seats if seat not in game.due_seats)
    assert pending_after(game, bound(f"{seat}: GEAR 1\n{seat}: GEAR 2", None)).orders == {seat: ["GEAR 1", "GEAR 2"]}


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("red:\nDRAW\n2011/4/7 Max Keller <gm@example.org>\n\n>  red: MOVE C3", ["DRAW"]),
        ("red:\nDRAW\n-----BEGIN PGP SIGNATURE-----\n\nMOVE C3", ["DRAW"]),
        (
            "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\nCharset: utf-8\n\nred:\nDRAW\n"
            "-----BEGIN PGP SIGNATURE-----\n\niQEz\nDRAW\n=Jd8f\n-----END PGP SIGNATURE-----\nREFRESH",
            ["DRAW", "REFRESH"],
        ),
    ],
)
def test_a_date_with_an_address_and_what_pgp_writes_say_nothing(text: str, orders: list[str]) -> None:
    read = said(text)
    assert (read.red, read.problems) == (orders, [])
    assert read.ignored


HOSTILE = {
    "attributions": lambda size: ["On Mon, Mar 2, 2026 wrote:", "> x"] * size,
    "attributions that never end": lambda size: ["On Mon, Mar 2, 2026 at 10:15 AM Ann"] * size,
    "colons": lambda size: ["a:"] * size,
    "colons on a line": lambda size: [":" * 900] * size,
    "fields": lambda size: ["From: x"] * size,
    "fields with blanks": lambda size: ["From: x", ""] * size,
    "fields and others": lambda size: ["Sent: x", "From: x", "y"] * size,
    "titles": lambda size: ["-----Original Message-----", "", "> x"] * size,
    "titles above attributions": lambda size: ["-----Original Message-----", "x", "y", "z:"] * size,
    "dashes": lambda size: ["-" * 900] * size,
    "brackets": lambda size: ["<" * 450 + "@" + ">" * 450 + ":"] * size,
    "dates": lambda size: ["2026 10:15 " * 80 + ":"] * size,
    "pgp": lambda size: ["-----BEGIN PGP SIGNATURE-----"] * size,
    "pgp that ends": lambda size: ["-----BEGIN PGP SIGNATURE-----", "-----END PGP SIGNATURE-----"] * size,
    "blank lines": lambda size: ["On Mon, Mar 2, 2026 Ann wrote:", *[""] * 20 * size, "> x"],
    "quotes": lambda size: ["> " * 200] * size,
    "addresses": lambda size: ["<a@b>", ">"] * size,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_the_steps_grow_with_the_lines_and_no_faster(kind: str) -> None:
    def reading(size: int) -> Callable[[], object]:
        text = adj.read_mail(mail_of("\n".join(HOSTILE[kind](size)), HEAD), name="a.eml")
        return lambda: at_turn_7().apply([text])

    reading(200)()  # what is explained and remembered is so by now
    few, many = (lines_run(reading(size)) for size in (50, 500))
    assert many <= 11 * few
