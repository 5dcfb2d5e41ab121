"""The rest of the world's mail programs, and what lists, companies and virus scanners add."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.data.mails.languages import LANGUAGES
from tests.data.mails.pieces import (
    GM,
    GM_ADDRESS,
    GM_BOTH,
    attachment,
    breaks,
    earlier,
    escaped,
    frame,
    mail,
    multipart,
    page,
    paragraphs,
    plain,
    quoted,
    word,
    wrapped,
)

Build = Callable[[Sequence[str]], bytes]
ANN = "Ann Smith <ann@example.org>"


def text(body: Callable[[str], str], **how: str) -> Build:
    """Return a mail of one part of text, which ``body`` makes from the orders."""

    def build(lines: Sequence[str]) -> bytes:
        part = plain(body("\n".join(lines)), how.get("charset", "utf-8"), how.get("coding", "8bit"), how.get("more", ""))
        return mail(
            part,
            sender=how.get("sender", ANN),
            subject=how.get("subject", "Re: rally-042, turn 7"),
            agent=how.get("agent", ""),
            ends=how.get("ends", "\n"),
        )

    return build


# Programs with ways of their own.

_OTHERS = {
    "proton": (
        "en",
        f"On Monday, March 2nd, 2026 at 10:15 AM, {GM_BOTH} wrote:",
        "Sent with Proton Mail secure email.",
        "> ",
    ),
    "proton-old": (
        "en",
        f"------- Original Message -------\nOn Monday, March 2nd, 2026 at 10:15 AM, {GM_BOTH} wrote:",
        "",
        "> ",
    ),
    "tuta-de": (
        "de",
        f"02.03.2026, 10:15 von {GM_ADDRESS}:",
        "Sicher verschickt mit Tuta Mail: https://tuta.com/free-email",
        "> ",
    ),
    "tuta-en": ("en", f"Mar 2, 2026, 10:15 by {GM_ADDRESS}:", "", "> "),
    "fastmail": ("en", f"On Mon, Mar 2, 2026, at 10:15 AM, {GM} wrote:", "", "> "),
    "mutt": ("en", f"On Mon, Mar 02, 2026 at 10:15:00AM +0100, {GM} wrote:", "", "> "),
    "gnus": ("en", f"{GM_BOTH} writes:", "", "> "),
    "evolution-en": ("en", f"On Mon, 2026-03-02 at 10:15 +0100, {GM} wrote:", "", "> "),
    "evolution-de": ("de", f"Am Montag, dem 02.03.2026 um 10:15 +0100 schrieb {GM}:", "", "> "),
    "kmail-de": ("de", f"Am Montag, 2. März 2026, 10:15:00 CET schrieb {GM}:", "", "> "),
    "roundcube-en": ("en", f"On 2026-03-02 10:15, {GM} wrote:", "", "> "),
    "roundcube-fr": ("fr", f"Le 2026-03-02 10:15, {GM} a écrit :", "", "> "),
    "roundcube-pl": ("pl", f"W dniu 2026-03-02 10:15, {GM} napisał(a):", "", "> "),
    "horde-de": ("de", f"Zitat von {GM_BOTH}:", "", "> "),
    "horde-en": ("en", f"Quoting {GM_BOTH}:", "", "> "),
    "squirrelmail": ("en", f"{GM} wrote:", "", "> "),
    "claws": ("en", f"On Mon, 2 Mar 2026 10:15:00 +0100\n{GM_BOTH} wrote:", "", "> "),
    "yandex": ("ru", f'02.03.2026, 10:15, "{GM}" <{GM_ADDRESS}>:', "", "> "),
    "mail-ru": ("ru", f"Понедельник, 2 марта 2026, 10:15 +03:00 от {GM_BOTH}:", "-- \nАнна", ">"),
    "wp-pl": ("pl", f"Dnia 2 marca 2026 10:15 {GM_BOTH} napisał(a):", "", "> "),
    "libero-it": ("it", f"Il 02/03/2026 10:15 CET {GM_BOTH} ha scritto:", "", "> "),
    "uol-pt": ("pt", f"Em 02/03/2026 10:15, {GM} escreveu:", "", "> "),
    "one-com-da": ("da", f"Den 2026-03-02 10:15, skrev {GM}:", "", "> "),
    "posteo-nl": ("nl", f"Op 02-03-2026 10:15, schreef {GM}:", "", "> "),
}


def other(language: str, heading: str, device: str, mark: str) -> Build:
    one = LANGUAGES[language]

    def body(orders: str) -> str:
        beside = f"\n\n{device}" if device else ""
        return f"{one.hello}\n\n{orders}\n\n{one.bye}{beside}\n\n{wrapped(heading)}\n{quoted(earlier(), mark)}\n"

    return text(body, sender=f"{word(one.player)} <player@example.org>", coding="quoted-printable")


for name, (code, heading, device, mark) in _OTHERS.items():
    frame(name, code, other(code, heading, device, mark))

_BLOCKS = {
    "aol": (
        "en",
        "-----Original Message-----\nFrom: {gm}\nTo: player@example.org\nSent: Mon, Mar 2, 2026 10:15 am\nSubject: turn 7",
    ),
    "zimbra-fr": (
        "fr",
        "----- Mail original -----\nDe: {gm}\nÀ: player@example.org\nEnvoyé: Lundi 2 Mars 2026 10:15:00\nObjet: tour 7",
    ),
    "zimbra-bare-fr": ("fr", "De: {gm}\nÀ: player@example.org\nEnvoyé: Lundi 2 Mars 2026 10:15:00\nObjet: tour 7"),
    "orange-fr": (
        "fr",
        "> Message du 02/03/26 10:15\n> De : {gm}\n> A : player@example.org\n> Copie à : \n> Objet : tour 7\n> ",
    ),
    "t-online-de": (
        "de",
        "-----Original-Nachricht-----\nBetreff: turn 7\nDatum: 2026-03-02T10:15:00+0100\nVon: {gm}\nAn: player@example.org",
    ),
    "seznam-cs": (
        "cs",
        "---------- Původní e-mail ----------\nOd: {gm}\nKomu: player@example.org\nDatum: 2. 3. 2026 10:15:00\nPředmět: turn 7",
    ),
    "zoho": ("en", "---- On Mon, 02 Mar 2026 10:15:00 +0100 {gm} wrote ----"),
    "notes-en": (
        "en",
        "From:   {gm}\nTo:     player@example.org\nDate:   02.03.2026 10:15\nSubject:        turn 7\n" + "_" * 38,
    ),
    "notes-forwarded-by": (
        "en",
        "----- Forwarded by Ann Smith/ACME on 02.03.2026 18:00 -----\n\nFrom: {gm}\nTo: player@example.org\nSubject: turn 7",
    ),
    "outlook-mac": ("en", "From: {gm}\nDate: Monday, 2 March 2026 at 10:15\nTo: Ann <ann@example.org>\nSubject: Re: turn 7"),
    "outlook-long-to": (
        "en",
        "From: {gm}\nSent: Monday, March 2, 2026 10:15 AM\nTo: Ann Smith <ann@example.org>; Bob Miller <bob@example.org>;\n"
        "Carol Jones <carol@example.org>; Dave Brown\n<dave@example.org>\nCc: list@example.org\nSubject: turn 7",
    ),
    "outlook-double-spaced": (
        "nl",
        "Van: {gm}\n\nVerzonden: maandag 2 maart 2026 10:15\n\nAan: Geert\n\nOnderwerp: turn 7",
    ),
    "outlook-stars": ("en", "*From:* {gm}\n*Sent:* Monday, March 2, 2026 10:15 AM\n*To:* Ann\n*Subject:* turn 7"),
    "outlook-mailto": (
        "de",
        "Von: Max Keller [mailto:gm@example.org]\nGesendet: Montag, 2. März 2026 10:15\nAn: Jürgen\nBetreff: turn 7",
    ),
    "telia-sv": (
        "sv",
        "----Ursprungligt meddelande----\nFrån : gm@example.org\nDatum : 02/03/2026 - 10:15 ()\nTill : player@example.org",
    ),
    "finnish": ("en", "Lähettäjä: {gm}\nLähetetty: maanantai 2. maaliskuuta 2026 10.15\nVastaanottaja: Ann\nAihe: turn 7"),
    "norwegian": ("da", "Fra: {gm}\nSendt: mandag 2. mars 2026 10:15\nTil: Ann\nEmne: turn 7"),
}


def block(language: str, fields: str) -> Build:
    one = LANGUAGES[language]
    is_marked = fields.startswith(">")

    def body(orders: str) -> str:
        old = quoted(earlier()) if is_marked else earlier()
        return f"{one.hello}\n\n{orders}\n\n{one.bye}\n\n\n{fields.format(gm=GM_BOTH)}\n\n{old}\n"

    return text(body, sender=f"{word(one.player, 'b')} <player@example.org>", coding="base64", ends="\r\n")


for name, (code, fields) in _BLOCKS.items():
    frame(name, code, block(code, fields))

# What is added on the way: lists, scanners, companies.

FOOTERS = {
    "mailman": "_______________________________________________\nRally mailing list\nRally@lists.example.org\n"
    "https://lists.example.org/mailman/listinfo/rally\n",
    "mailman3": "_______________________________________________\nrally mailing list -- rally@lists.example.org\n"
    "To unsubscribe send an email to rally-leave@lists.example.org\n"
    "https://lists.example.org/mailman3/lists/rally.lists.example.org/\n",
    "google-groups": '-- \nYou received this message because you are subscribed to the Google Groups "Rally" group.\n'
    "To unsubscribe from this group and stop receiving emails from it, send an email to rally+unsubscribe@example.org.\n"
    "To view this discussion visit https://groups.example.org/d/msgid/rally/abc%40mail.example.org.\n",
    "groups-io": "-=-=-=-=-=-=-=-=-=-=-=-\nGroups.io Links: You receive all messages sent to this group.\n"
    "View/Reply Online (#417): https://groups.example.org/g/rally/message/417\n"
    "Mute This Topic: https://groups.example.org/mt/1234/5678\nGroup Owner: rally+owner@groups.example.org\n"
    "Unsubscribe: https://groups.example.org/g/rally/unsub [ann@example.org]\n-=-=-=-=-=-=-=-=-=-=-=-\n",
    "avast-en": "-- \nThis email has been checked for viruses by Avast antivirus software.\nwww.avast.com",
    "avast-no-dashes-de": "Diese E-Mail wurde von Avast-Antivirussoftware auf Viren geprüft.\nwww.avast.com",
    "avast-fr": "Garanti sans virus.www.avast.com <https://www.avast.com/sig-email?utm_medium=email&utm_source=link>\n"
    "<#DAB4FAD8-2DD7-40BB-A1B8-4E2AA1F9FDF2>",
    "avg-es": "Libre de virus.www.avg.com <http://www.avg.com/email-signature>",
    "disclaimer-en": "CONFIDENTIALITY NOTICE: This e-mail and any attachments are for the exclusive and\nconfidential use of the "
    "intended recipient. If you are not the intended\nrecipient, please do not read, distribute or take action in reliance\n"
    "upon this message. If you have received this in error, please notify us\nimmediately and promptly delete this message.",
    "disclaimer-de": "Diese E-Mail enthält vertrauliche und/oder rechtlich geschützte Informationen.\nWenn Sie nicht der richtige "
    "Adressat sind oder diese E-Mail irrtümlich erhalten haben,\ninformieren Sie bitte sofort den Absender und vernichten Sie "
    "diese Mail.\n\nACME GmbH\nSitz der Gesellschaft: 12345 Musterstadt\nAmtsgericht Musterstadt HRB 1234\n"
    "Geschäftsführer: Dr. Max Muster",
    "disclaimer-fr": "Ce message et toutes les pièces jointes sont confidentiels et établis à\nl'intention exclusive de ses "
    "destinataires.\n\nAfin de respecter l'environnement, n'imprimez ce message que si nécessaire.",
    "disclaimer-it": "Il presente messaggio e gli eventuali allegati sono riservati e destinati\nesclusivamente alle persone "
    "indicate. Rispetta l'ambiente: non stampare questa mail.",
    "disclaimer-pt": "Esta mensagem pode conter informação confidencial. Se não for o destinatário,\nagradecemos que a elimine.",
    "bilingual": "Mit freundlichen Grüßen / Kind regards\n\nDr. Jürgen Müßig\nEntwicklung / Development\n\nACME GmbH\n"
    "Hauptstraße 12, 12345 Musterstadt, Deutschland / Germany\nTel.: +49 30 123456-78\nMobil: +49 170 1234567\n"
    "E-Mail: juergen.muessig@acme.example.org\nWeb: www.acme.example.org",
    "bilingual-dashes": "-- \nMet vriendelijke groet / Kind regards,\nGeert van den Bëlt\nTel: +31 20 123 45 67 | www.example.org",
    "company-en": "Kind regards,\n\nAnn Smith\nSenior Engineer\nACME Ltd, 12 High Street, London SW1A 2AA\nDirect: +44 20 7946 0123\n"
    "Fax: +44 20 7946 0124\nPlease consider the environment before printing this email.",
    "picture": "[image: ACME logo]\n<https://www.acme.example.org>",
}

for name, footer in FOOTERS.items():
    frame(
        f"footer-{name}",
        {"de": "de", "fr": "fr", "es": "es", "it": "it", "pt": "pt"}.get(name.rpartition("-")[2], "en"),
        text(lambda orders, footer=footer: f"Hello all,\n\n{orders}\n\n{footer}\n", coding="quoted-printable"),
    )


def list_part(lines: Sequence[str]) -> bytes:
    """Add the list's footer as a part of its own, as lists do to mails they must not change."""
    footer = FOOTERS["mailman"]
    parts = multipart(
        "mixed",
        plain("\n".join(lines), how="base64"),
        plain(footer, "us-ascii", "7bit"),
        border="===============0123456789==",
    )
    return mail(parts, sender=ANN, subject="[Rally] turn 7", more="List-Id: Rally <rally.lists.example.org>")


frame("footer-part", "en", list_part)


def quote_then_footer(orders: str) -> str:
    return f"{orders}\n\n{LANGUAGES['en'].thunderbird}\n{quoted(earlier())}\n\n{FOOTERS['mailman']}"


frame("footer-below-quote", "en", text(quote_then_footer))

# Forms of mails: parts, charsets, folding.


def with_attachments(lines: Sequence[str]) -> bytes:
    text_part = plain("My orders, also as a document:\n\n" + "\n".join(lines) + "\n\nCheers\nAnn")
    parts = multipart(
        "mixed",
        text_part,
        attachment(
            "orders turn 7.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", b"PK\3\4" * 20
        ),
        attachment("board.png", "image/png", b"\x89PNG\r\n\x1a\n" * 9, "inline"),
    )
    return mail(parts, sender=ANN, subject="turn 7")


_DOCX = "orders turn 7.docx (application/vnd.openxmlformats-officedocument.wordprocessingml.document, 80 bytes)"
frame("attachments", "en", with_attachments, left_out=(_DOCX, "board.png (image/png, 72 bytes)"))


def text_attached(lines: Sequence[str]) -> bytes:
    old = "red:\n" + "\n".join(["MOVE A1 B1", "GEAR 1", "PASS"])
    parts = multipart("mixed", plain("\n".join(lines)), attachment("old-orders.txt", "text/plain", old.encode()))
    return mail(parts, sender=ANN, subject="turn 7, and last turn's orders for reference")


frame("text-attached", "en", text_attached, left_out=("old-orders.txt (text/plain, 27 bytes)",))


def mail_attached(lines: Sequence[str]) -> bytes:
    inner = b"Content-Type: message/rfc822\nContent-Disposition: attachment\n\n" + mail(
        plain("red:\nMOVE A1 B1\nGO\nPASS", how="7bit"), sender=GM_BOTH, subject="turn 6", hops=0
    )
    return mail(multipart("mixed", plain("\n".join(lines)), inner), sender=ANN, subject="Re: turn 7")


frame("mail-attached", "en", mail_attached, left_out=("a mail (584 bytes)",))


def pgp_mime(lines: Sequence[str]) -> bytes:
    signature = (
        b'Content-Type: application/pgp-signature; name="signature.asc"\nContent-Description: OpenPGP digital signature\n\n'
        b"-----BEGIN PGP SIGNATURE-----\n\niHUEARYKAB0WIQ\n=abcd\n-----END PGP SIGNATURE-----\n"
    )
    inner = multipart("mixed", plain("\n".join(lines), how="base64"), border="------------inner")
    more = '; micalg="pgp-sha512"; protocol="application/pgp-signature"'
    return mail(multipart("signed", inner, signature, border="------------outer", more=more), sender=ANN, subject="turn 7")


frame("pgp-mime", "en", pgp_mime)


def pgp_inline(orders: str) -> str:
    return (
        f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{orders}\n-----BEGIN PGP SIGNATURE-----\nVersion: GnuPG v2\n\n"
        "iQEzBAEBCAAdFiEE\nDRAW=\n=Jd8f\n-----END PGP SIGNATURE-----\n"
    )


frame("pgp-inline", "en", text(pgp_inline, coding="7bit"))


def related(lines: Sequence[str]) -> bytes:
    """Send HTML with a picture in it beside the text, all within a mixed mail: Apple Mail and many others."""
    picture = (
        b"Content-Type: image/png; name=image001.png\nContent-ID: <image001.png@01DA6C>\nContent-Transfer-Encoding: base64\n\n"
        b"iVBORw0KGgo=\n"
    )
    markup = f'<html><body>{paragraphs(chr(10).join(lines))}<p><img src="cid:image001.png@01DA6C"></p></body></html>'
    inner = multipart("related", page(markup), picture, border="Apple-Mail=_2")
    parts = multipart(
        "alternative", plain("\n".join(lines) + "\n\n[cid:image001.png@01DA6C]"), inner, border="Apple-Mail=_1"
    )
    return mail(parts, sender=ANN, subject="turn 7")


frame("related", "en", related)


def related_html_only(lines: Sequence[str]) -> bytes:
    picture = b"Content-Type: image/jpeg\nContent-ID: <p1>\nContent-Transfer-Encoding: base64\n\n/9j/4AAQ\n"
    markup = f"<html><body><div>{breaks(chr(10).join(lines))}</div><img src=cid:p1></body></html>"
    return mail(multipart("related", page(markup), picture, border="rel"), sender=ANN, subject="turn 7")


frame("related-html-only", "en", related_html_only, left_out=("image/jpeg (6 bytes)",))


def table_html(lines: Sequence[str]) -> bytes:
    """Write each order into a row of a table, as people do who paste from a spreadsheet."""
    rows = "".join(f"<tr><td>{escaped(line.strip())}</td><td></td></tr>" for line in lines)
    markup = f"<html><body><p>Hi,</p><table border=0>{rows}</table><p>Thanks<br>Ann</p></body></html>"
    return mail(page(markup, "windows-1252"), sender=ANN, subject="turn 7")


frame("html-table", "en", table_html)


def list_html(lines: Sequence[str]) -> bytes:
    items = "".join(f"<li>{escaped(line.strip())}" for line in lines)
    markup = (
        f"<HTML><HEAD><TITLE>red: DRAW</TITLE><STYLE>p {{margin: 0}}</STYLE></HEAD><BODY><P>Hello Max!<UL>{items}</UL>"
        "<P>Bye<BR>Ann<DIV STYLE='display: none'>red: DRAW<BR>GO<BR>PASS</DIV></BODY></HTML>"
    )
    return mail(page(markup, "us-ascii", "7bit"), sender=ANN, subject="turn 7")


frame("html-list", "en", list_html)


def indented_html(lines: Sequence[str]) -> bytes:
    """Indent the orders with the button of the webmail, which makes a block quote that is no quote."""
    inner = paragraphs("\n".join(lines))
    markup = f'<div dir="ltr">Orders:<blockquote style="margin:0 0 0 40px;border:none;padding:0px">{inner}</blockquote>Cheers, Ann</div>'
    return mail(page(markup), sender=ANN, subject="turn 7")


frame("html-indented", "en", indented_html)


def preformatted(lines: Sequence[str]) -> bytes:
    body = escaped("\n".join(lines)).replace("&nbsp;", " ")
    markup = f"<html><body><pre style='white-space: pre-wrap'>{body}\n\nThanks!\n</pre></body></html>"
    return mail(page(markup, "iso-8859-1"), sender=ANN, subject="turn 7")


frame("html-pre", "en", preformatted)


def between_html(lines: Sequence[str]) -> bytes:
    """Answer between quotes in HTML: each quote is a block of its own."""
    head = [line for line in lines if line.rstrip().endswith(":")][:1]
    rest = list(lines)[len(head) :]
    half = (len(rest) + 1) // 2
    first, second = paragraphs("\n".join([*head, *rest[:half]])), paragraphs("\n".join(rest[half:]))
    cite = '<blockquote type="cite" style="border-left:2px solid blue">{}</blockquote>'
    markup = (
        f"<html><body><div>On 3/2/26 10:15, {GM} wrote:</div>{cite.format('What first?<br>red: DRAW')}{first}"
        f"{cite.format('And then?<br>GO<br>PASS')}{second}{cite.format('Max')}</body></html>"
    )
    return mail(page(markup), sender=ANN, subject="Re: turn 7")


frame("html-between", "en", between_html)

_CHARSETS = {
    "utf-16": ("base64", "Grüße an alle!"),
    "koi8-r": ("8bit", "Привет!"),
    "windows-1251": ("quoted-printable", "Здравствуйте!"),
    "iso-8859-2": ("quoted-printable", "Cześć!"),
    "iso-8859-15": ("8bit", "Salut à tous !"),
    "shift_jis": ("base64", "Hello everybody!"),
}
for charset, (coding, hello) in _CHARSETS.items():
    frame(
        f"charset-{charset}",
        {"koi8-r": "ru", "windows-1251": "ru", "iso-8859-2": "pl", "iso-8859-15": "fr"}.get(charset, "de"),
        text(lambda orders, hello=hello: f"{hello}\n\n{orders}\n", charset=charset, coding=coding),
    )


def wrong_charset(lines: Sequence[str]) -> bytes:
    """Say UTF-8 and send Windows-1252."""
    data = ("“Hi!” – für Max\n\n" + "\n".join(lines)).encode("cp1252", "replace")
    return mail(
        b'Content-Type: text/plain; charset="utf-8"\nContent-Transfer-Encoding: 8bit\n\n' + data, sender=ANN, subject="7"
    )


frame("charset-wrong", "de", wrong_charset)


def no_mime(lines: Sequence[str]) -> bytes:
    """Send no word about the body, as scripts and old programs do."""
    return mail(b"\n" + "\n".join(lines).encode() + b"\n", sender="player@example.org (Ann Smith)", subject="turn 7", hops=1)


frame("no-mime", "en", no_mime)


def folded(lines: Sequence[str]) -> bytes:
    subject = "=?utf-8?Q?J=C3=BCrgens_Befehle_f=C3=BCr_die_siebte_Runde_der_gro=C3=9Fe?=\n =?utf-8?Q?n_Rallye?="
    sender = "=?iso-8859-1?Q?J=FCrgen_?=\n =?iso-8859-1?Q?M=FC=DFig?=\n <player@example.org>"
    body = plain("Moin!\n\n" + "\n".join(lines) + "\n\nJürgen", "iso-8859-1", "quoted-printable", ";\n\tformat=fixed")
    return mail(body, sender=sender, subject=subject)


frame("folded-head", "de", folded)

# Ways in which people write.

_WAYS = {
    "signature-quote-below": lambda orders: (
        f"{orders}\n-- \nAnn Smith\nRally driver\n\n{LANGUAGES['en'].thunderbird}\n{quoted(earlier())}"
    ),
    "prose": lambda orders: (
        "Hi Max,\n\nsorry for being so late, the train from the city was stuck for\nhours again and the battery was "
        f"empty by then.\n\n{orders}\n\nI hope that everything is clear this time. What a race, by the way!\n\nCheers, Ann"
    ),
    "thanks-only": lambda orders: f"{orders}\nThanks",
    "regards-one-line": lambda orders: f"{orders}\n\nRegards, Ann",
    "kiss": lambda orders: f"Hey!!\n\n{orders}\n\n:-)\n\nxo Ann",
    "ps": lambda orders: f"{orders}\n\nBest,\nAnn\n\nPS: See you all at the convention!\n",
    "orders-heading": lambda orders: f"Dear all,\n\nOrders:\n\n{orders}\n\nThat's it.\n",
    "starred": lambda orders: "\n".join(f"* {line.strip()}" for line in orders.split("\n")) + "\n\nAll the best\nAnn",
    "numbered": lambda orders: "\n".join(
        line if line.endswith(":") else f"{number}. {line.strip()}" for number, line in enumerate(orders.split("\n"), 1)
    ),
    "two-quotes": lambda orders: (
        f"{LANGUAGES['en'].gmail}\n\n> {LANGUAGES['de'].gmail}\n>\n{quoted(quoted(earlier()))}\n> red: DRAW\n\n{orders}"
    ),
    "quote-without-heading": lambda orders: f"{quoted(earlier())}\n\n{orders}\n",
    "bidi-and-invisible": lambda orders: "\u200e\ufeff\n" + orders.replace(" ", "\u00a0", 1) + "\n\u200b\u202c\n",
    "trailing-spaces": lambda orders: "\n".join(f"{line}   " for line in orders.split("\n")) + "\n   \nTa\n",
    "names-below": lambda orders: f"{orders}\n\nMany thanks\nAnn & Bob\n",
    "wrapped-quote": lambda orders: (
        f"{orders}\n\n{LANGUAGES['en'].gmail}\n> I think that you should really have a look at the map again before you\n"
        "decide\n> to go on like that. Last turn it was: red: IF hand < 3 THEN MOVE A1 B1 ELSE\nDRAW\n> blue: DRAW\n"
    ),
}
for name, body in _WAYS.items():
    frame(f"way-{name}", "en", text(body, coding="quoted-printable"))

frame(
    "way-end-above-unknown-quote",
    "en",
    text(lambda orders: f"{orders}\nEND\n\n*** {GM}, last week ***\n{earlier()}"),
    seat="red",
)
frame(
    "way-flowed-trailing-spaces",
    "en",
    text(lambda orders: "\n".join(f"{line} " for line in orders.split("\n")) + "\n", more="; format=flowed"),
)

# Mails whose orders must not be taken, or that have none.


def _forward(code: str, how: str) -> Build:
    one = LANGUAGES[code]
    fields = f"{one.outlook[0].strip()}: Ann <ann@example.org>\n{one.outlook[3].strip()}: turn 6\n{one.outlook[2].strip()}: {GM_BOTH}"
    fields = fields if how != "apple" else f"{one.outlook[0].strip()}: Ann\n{one.outlook[1].strip()}: 2.3.2026\n{fields}"
    begin = {
        "gmail": f"---------- {one.forwarded} ---------",
        "thunderbird": f"-------- {one.forwarded} --------",
        "apple": {
            "en": "Begin forwarded message:",
            "fr": "Début du message réexpédié :",
            "de": "Anfang der weitergeleiteten Nachricht:",
        }[code]
        if how == "apple"
        else "",
    }[how]

    def body(orders: str) -> str:
        return f"{one.hello}\n\n{begin}\n{fields}\n\n{orders}\n"

    return text(body, subject="Fwd: turn 6")


for code, how in (
    ("en", "gmail"),
    ("de", "thunderbird"),
    ("fr", "apple"),
    ("en", "apple"),
    ("pl", "gmail"),
    ("cs", "thunderbird"),
):
    frame(f"forwarded-{how}-{code}", code, _forward(code, how), codes=("orders/empty",), sheets={})

frame(
    "chat-only",
    "en",
    text(lambda _orders: "Hi Max,\n\nthanks for the report. What a race!\n\nRegards\nAnn\n"),
    codes=("orders/empty",),
    sheets={},
)
frame(
    "quote-only-outlook",
    "de",
    text(lambda orders: f"{LANGUAGES['de'].outlook[0]}: Max\nGesendet: heute\nAn: alle\nBetreff: 7\n\n{orders}\n"),
    codes=("orders/empty",),
    sheets={},
)
