"""Answers above, below and between the lines of the moderator's mail, as the common programs write them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.data.mails.languages import LANGUAGES, Language
from tests.data.mails.pieces import (
    GM,
    GM_ADDRESS,
    GM_BOTH,
    breaks,
    earlier,
    escaped,
    flowed,
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


def said(one: Language, lines: Sequence[str], *, is_short: bool = False, bye: bool = True) -> str:
    """Return what a player of this language writes around orders."""
    orders = "\n".join(lines)
    if is_short:
        return orders
    parting = f"\n\n{one.thanks}\n\n{one.bye}" if bye else ""
    return f"{one.hello}\n\n{one.intro}\n\n{orders}{parting}"


def sender(one: Language, how: str = "q") -> str:
    return f"{word(one.player, how)} <player@example.org>"


def subject(one: Language) -> str:
    return f"{one.reply}: rally-042, turn 7"


# Gmail: text wrapped at 76 columns and HTML beside it, the quote below.


def gmail(one: Language, *, is_short: bool = False, on_phone: bool = False) -> Build:
    def build(lines: Sequence[str]) -> bytes:
        text = said(one, lines, is_short=is_short)
        if on_phone:
            text += "\n\n" + one.samsung
        body = f"{text}\n\n{wrapped(one.gmail)}\n\n{quoted(earlier())}"
        markup = (
            f'<div dir="ltr">{paragraphs(text)}</div><br><div class="gmail_quote gmail_quote_container">'
            f'<div dir="ltr" class="gmail_attr">{escaped(one.gmail)}<br></div><blockquote class="gmail_quote" '
            'style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">'
            f"{breaks(earlier(), '<br>')}</blockquote></div>\n"
        )
        kind = "quoted-printable" if not body.isascii() else "7bit"
        parts = multipart("alternative", plain(body, "UTF-8", kind), page(markup, "UTF-8"))
        return mail(parts, sender=sender(one), subject=subject(one), ends="\r\n")

    return build


for code, language in LANGUAGES.items():
    frame(f"gmail-{code}", code, gmail(language, is_short=code in ("en", "cs")))
frame("gmail-android-en", "en", gmail(LANGUAGES["en"], on_phone=True))
frame("gmail-android-it", "it", gmail(LANGUAGES["it"], on_phone=True))


def gmail_wrapped_on(lines: Sequence[str]) -> bytes:
    """Break "On …" twice, as Gmail does for long names and addresses."""
    heading = (
        "On Mon, Mar 2, 2026 at 10:15 AM Maximilian Alexander Keller-Schmidt\n"
        "<maximilian.alexander.keller-schmidt@mail.postal-games.example.org>\nwrote:"
    )
    body = "\n".join(lines) + f"\n\n{heading}\n\n{quoted(earlier())}"
    return mail(plain(body, "UTF-8", "7bit"), sender="Ann <ann@example.org>", subject="Re: turn 7", ends="\r\n")


frame("gmail-on-wrapped-twice", "en", gmail_wrapped_on)


def gmail_bottom(one: Language) -> Build:
    """Answer below the quote."""

    def build(lines: Sequence[str]) -> bytes:
        body = f"{wrapped(one.gmail)}\n\n{quoted(earlier())}\n\n{said(one, lines)}"
        return mail(plain(body, "UTF-8", "base64"), sender=sender(one, "b"), subject=subject(one))

    return build


for code in ("en", "de", "pl", "ru"):
    frame(f"gmail-below-{code}", code, gmail_bottom(LANGUAGES[code]))


def gmail_rtl(lines: Sequence[str]) -> bytes:
    """Write a Hebrew name, with the marks that turn the direction of writing."""
    heading = "On Mon, 2 Mar 2026 at 10:15, \u202bמקס קלר\u202c\u200e <\u202agm@example.org\u202c\u200e> wrote:"
    body = "\n".join(lines) + f"\n\nThanks!\n\u202bאנה כהן\u202c\u200e\n\n{wrapped(heading)}\n\n{quoted(earlier())}"
    return mail(plain(body), sender=f"{word('אנה כהן', 'b')} <anna@example.org>", subject="Re: turn 7")


frame("gmail-hebrew-name", "en", gmail_rtl)


def gmail_arabic(lines: Sequence[str]) -> bytes:
    """Write an Arabic name; the heading is a date, a name and an address."""
    heading = "2026-03-02 10:15 GMT+01:00 \u202bمحمود\u202c\u200e <gm@example.org>:"
    body = "Hello,\n\n" + "\n".join(lines) + f"\n\n{heading}\n\n{quoted(earlier())}"
    return mail(plain(body, how="base64"), sender=f"{word('محمود حسن', 'b')} <mahmoud@example.org>", subject="Re: turn 7")


frame("gmail-arabic-name", "en", gmail_arabic)


# Apple Mail: one part of text; on the phone what is said stands above, all that is quoted below, its heading as well.


def apple(one: Language) -> Build:
    def build(lines: Sequence[str]) -> bytes:
        text = f"{said(one, lines)}\n\n> {one.apple}\n> \n{quoted(earlier())}\n"
        agent = "X-Mailer: Apple Mail (2.3826.400.131.1.6)"
        return mail(plain(text), sender=sender(one), subject=subject(one), agent=agent)

    return build


for code in ("en", "fr", "es", "nl", "pt", "sv", "cs"):
    frame(f"apple-mail-{code}", code, apple(LANGUAGES[code]))


def apple_unquoted_heading(one: Language) -> Build:
    def build(lines: Sequence[str]) -> bytes:
        text = f"{said(one, lines, is_short=True)}\n\n{one.apple}\n\n{quoted(earlier())}\n"
        agent = "X-Mailer: Apple Mail (2.1257)"
        return mail(
            plain(text, "windows-1252" if one.code != "pl" else "utf-8"),
            sender=sender(one),
            subject=subject(one),
            agent=agent,
        )

    return build


for code in ("de", "it", "pl", "da"):
    frame(f"apple-mail-old-{code}", code, apple_unquoted_heading(LANGUAGES[code]))


def iphone(one: Language) -> Build:
    def build(lines: Sequence[str]) -> bytes:
        text = f"\ufeff{said(one, lines, bye=False)}\n\n{one.iphone}\n\n> {one.apple}\n> \n> \ufeff{quoted(earlier())[2:]}\n"
        markup = (
            '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head>'
            f'<body dir="auto">{paragraphs(text.partition(one.iphone)[0])}<div dir="ltr">{one.iphone}</div><div dir="ltr"><br>'
            f'<blockquote type="cite">{escaped(one.apple)}<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">'
            f"{breaks(earlier())}</div></blockquote></body></html>"
        )
        border = "Apple-Mail-7F1B6A2C-3D44-4C0E-9E7D-0A6E3D7F9C11"
        parts = multipart("alternative", plain(text), page(markup), border=border, more="")
        return mail(parts, sender=sender(one), subject=subject(one), agent="X-Mailer: iPhone Mail (22D72)")

    return build


for code in ("en", "de", "fr", "es", "it", "nl", "pl", "pt", "sv", "da", "ru"):
    frame(f"iphone-{code}", code, iphone(LANGUAGES[code]))


def iphone_html_only(lines: Sequence[str]) -> bytes:
    one = LANGUAGES["de"]
    markup = (
        '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body dir="auto">'
        f'{paragraphs(said(one, lines, bye=False))}<br><div dir="ltr">{one.iphone}</div><div dir="ltr"><br><blockquote type="cite">'
        f"Am 02.03.2026 um 10:15 schrieb {escaped(GM_BOTH)}:<br><br></blockquote></div>"
        f'<blockquote type="cite"><div dir="ltr">\ufeff{breaks(earlier())}</div></blockquote></body></html>'
    )
    return mail(page(markup), sender=sender(one), subject=subject(one), agent="X-Mailer: iPad Mail (20H19)")


frame("ipad-html-only-de", "de", iphone_html_only)


# Outlook: the earlier mail below a block of fields, unmarked.


def outlook_block(one: Language, joint: str = "\n") -> str:
    fields = zip(one.outlook, (GM_BOTH, one.when, f"{one.player} <player@example.org>", "rally-042, turn 7"), strict=True)
    return joint.join(f"{name}: {value}" for name, value in fields)


def outlook(one: Language, charset: str = "utf-8", how: str = "quoted-printable") -> Build:
    def build(lines: Sequence[str]) -> bytes:
        text = f"{said(one, lines)}\n\n{outlook_block(one)}\n\n{earlier()}\n"
        rows = "".join(f"<b>{name}:</b> {value}<br>" for name, value in (row.split(": ", 1) for row in _rows(one)))
        markup = (
            '<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns="http://www.w3.org/TR/REC-html40"><head>'
            '<meta name="Generator" content="Microsoft Word 15 (filtered medium)"><style><!--\n'
            "@font-face {font-family:Calibri;}\np.MsoNormal {margin:0cm; font-size:11.0pt;}\n--></style>"
            '<!--[if gte mso 9]><xml><o:shapedefaults v:ext="edit" spidmax="1026" /></xml><![endif]--></head>'
            f'<body lang="EN-GB"><div class="WordSection1">{_mso(said(one, lines))}'
            '<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal">'
            f"{rows}<o:p></o:p></p></div>{_mso(earlier())}</div></body></html>"
        )
        border = "_000_AM0PR04MB4321F2D1E0A9B8C7D6E5F4A3B2C1AM0PR04MB4321eurp_"
        parts = multipart("alternative", plain(text, charset, how), page(markup), border=border)
        more = "Thread-Index: AdqwXyZ0kK3mPqT4TjW8r2uN5fYhQA==\nX-MS-Has-Attach:\nAccept-Language: en-GB, de-DE"
        return mail(parts, sender=sender(one), subject=subject(one), agent=more, ends="\r\n")

    return build


def _rows(one: Language) -> list[str]:
    return [row.replace("<", "&lt;").replace(">", "&gt;") for row in outlook_block(one).split("\n")]


def _mso(text: str) -> str:
    return paragraphs(text, '<p class="MsoNormal">', "<o:p></o:p></p>", '<p class="MsoNormal"><o:p>&nbsp;</o:p></p>')


for code in LANGUAGES:
    western = code not in ("pl", "cs", "ru")
    frame(f"outlook-{code}", code, outlook(LANGUAGES[code], "iso-8859-1" if western else "utf-8"))


def outlook_html_only(one: Language) -> Build:
    def build(lines: Sequence[str]) -> bytes:
        rows = "".join(f"<b>{name}:</b> {value}<br>\n" for name, value in (row.split(": ", 1) for row in _rows(one)))
        markup = (
            '<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8">'
            '<style type="text/css" style="display:none;"> P {margin-top:0;margin-bottom:0;} </style></head><body dir="ltr">'
            '<div class="elementToProof" style="font-family: Aptos, Calibri; font-size: 12pt; color: rgb(0, 0, 0);">'
            f"{breaks(said(one, lines))}</div>\n"
            '<div id="appendonsend"></div>\n<hr style="display:inline-block;width:98%" tabindex="-1">\n'
            f'<div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif" style="font-size:11pt" color="#000000">{rows}'
            f"</font><div>&nbsp;</div></div><div>{breaks(earlier())}</div></body></html>"
        )
        return mail(page(markup, how="base64"), sender=sender(one), subject=subject(one), ends="\r\n")

    return build


for code in ("en", "de", "fr", "es", "pt", "pl"):
    frame(f"outlook-com-html-only-{code}", code, outlook_html_only(LANGUAGES[code]))


def outlook_app(one: Language) -> Build:
    def build(lines: Sequence[str]) -> bytes:
        text = f"{said(one, lines, is_short=True)}\n\n{one.outlook_app}\n{'_' * 32}\n{outlook_block(one)}\n\n{earlier()}\n"
        return mail(plain(text, how="base64"), sender=sender(one), subject=subject(one), ends="\r\n")

    return build


for code in ("en", "de", "fr", "es", "it", "nl", "sv", "cs"):
    frame(f"outlook-app-{code}", code, outlook_app(LANGUAGES[code]))


def outlook_original(one: Language) -> Build:
    """Write as Outlook did before 2007: dashes, and lines wrapped at 72 columns."""

    def build(lines: Sequence[str]) -> bytes:
        text = f"{said(one, lines)}\n\n-----{one.original}-----\n{outlook_block(one)}\n\n{earlier()}\n"
        agent = "X-Mailer: Microsoft Office Outlook 11"
        return mail(plain(text, "utf-8", "8bit"), sender=sender(one), subject=subject(one), agent=agent, ends="\r\n")

    return build


for code in ("en", "de", "fr", "es", "it", "nl", "pl", "pt", "sv", "da", "cs", "ru"):
    frame(f"original-message-{code}", code, outlook_original(LANGUAGES[code]))


# Thunderbird: flowed text, the answer above, below or between.


def thunderbird(one: Language, place: str) -> Build:
    def build(lines: Sequence[str]) -> bytes:
        text = said(one, lines)
        quote = f"{one.thunderbird}\n{quoted(earlier())}"
        body = flowed(f"{text}\n\n{quote}" if place == "above" else f"{quote}\n\n{text}") + "\n\n-- \n" + one.player
        part = plain(body, "UTF-8", "8bit", "; format=flowed")
        agent = "User-Agent: Mozilla Thunderbird\nContent-Language: en-US"
        return mail(part, sender=sender(one, "b"), subject=subject(one), agent=agent)

    return build


for index, (code, language) in enumerate(LANGUAGES.items()):
    frame(
        f"thunderbird-{'above' if index % 2 else 'below'}-{code}",
        code,
        thunderbird(language, "above" if index % 2 else "below"),
    )


def between(one: Language) -> Build:
    """Answer between the moderator's questions."""

    def build(lines: Sequence[str]) -> bytes:
        head = [line for line in lines if line.rstrip().endswith(":")][:1]
        rest = list(lines)[len(head) :]
        half = (len(rest) + 1) // 2
        body = (
            f"{one.thunderbird}\n> Hello,\n> \n> what are your first orders?\n"
            + "\n".join([*head, *rest[:half]])
            + "\n> and what are the others? You have until Friday.\n> red: DRAW\n"
            + "\n".join(rest[half:])
            + f"\n> Max\n\n{one.bye}\n"
        )
        return mail(
            plain(flowed(body), "UTF-8", "8bit", "; format=flowed; delsp=yes"), sender=sender(one), subject=subject(one)
        )

    return build


for code in ("en", "de", "nl", "ru"):
    frame(f"between-{code}", code, between(LANGUAGES[code]))


# Yahoo: text without marks, or marks only in the HTML.


def yahoo(one: Language) -> Build:
    heading = {
        "en": f"On Monday, March 2, 2026 at 10:15:00 AM GMT+1, {GM_BOTH} wrote:",
        "de": f"Am Montag, 2. März 2026 um 10:15:00 MEZ hat {GM_BOTH} Folgendes geschrieben:",
        "fr": f"Le lundi 2 mars 2026 à 10:15:00 UTC+1, {GM_BOTH} a écrit :",
        "es": f"El lunes, 2 de marzo de 2026, 10:15:00 CET, {GM_BOTH} escribió:",
        "it": f"Il lunedì 2 marzo 2026 alle ore 10:15:00 CET, {GM_BOTH} ha scritto:",
        "pt": f"Em segunda-feira, 2 de março de 2026 às 10:15:00 BRT, {GM_BOTH} escreveu:",
    }[one.code]

    def build(lines: Sequence[str]) -> bytes:
        text = f" {said(one, lines)}\n    {wrapped(heading)}  \n \n {earlier()}  "
        own = paragraphs(said(one, lines), '<div dir="ltr">')
        markup = (
            '<html><head></head><body><div class="ydp1 yahoo-style-wrap" style="font-family:Helvetica;font-size:16px;">'
            f'{own}<div><br></div></div><div id="ydp2yahoo_quoted_77" '
            f'class="ydp2yahoo_quoted"><div style="font-size:13px;color:#26282a;"><div>{escaped(heading)}</div><div><br></div>'
            f"<div>{breaks(earlier())}</div></div></div></body></html>"
        )
        border = "----=_Part_1234_567.890"
        parts = multipart("alternative", plain(text), page(markup), border=border)
        return mail(parts, sender=sender(one), subject=subject(one), agent="X-Mailer: WebService/1.1.23369 YMailNorrin")

    return build


for code in ("en", "de", "fr", "es", "it", "pt"):
    frame(f"yahoo-{code}", code, yahoo(LANGUAGES[code]))


# GMX and web.de: HTML only.


def gmx(one: Language, names: tuple[str, str, str, str], when: str) -> Build:
    def build(lines: Sequence[str]) -> bytes:
        sent, written, to, about = names
        markup = (
            '<html><head></head><body><div style="font-family: Verdana;font-size: 12.0px;">'
            f"{paragraphs(said(one, lines), blank='<div>&nbsp;</div>')}\n<div>&nbsp;\n"
            '<div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; border-left:2px solid #C3D9E5;">\n'
            f'<div style="margin:0 0 10px 0;"><b>{sent}:</b>&nbsp;{when}<br/>\n<b>{written}:</b>&nbsp;{escaped(GM_BOTH)}<br/>\n'
            f"<b>{to}:</b>&nbsp;player@example.org<br/>\n<b>{about}:</b>&nbsp;rally-042, turn 7</div>\n\n"
            f'<div name="quoted-content">{breaks(earlier())}</div></div></div></div></body></html>\n'
        )
        more = "X-UI-Message-Type: mail\nX-Priority: 3"
        return mail(page(markup, "UTF-8", "quoted-printable"), sender=sender(one), subject=subject(one), agent=more)

    return build


frame("gmx-de", "de", gmx(LANGUAGES["de"], ("Gesendet", "Von", "An", "Betreff"), "Montag, 02. März 2026 um 10:15 Uhr"))
frame("gmx-en", "en", gmx(LANGUAGES["en"], ("Sent", "From", "To", "Subject"), "Monday, March 02, 2026 at 10:15 AM"))
frame("gmx-fr", "fr", gmx(LANGUAGES["fr"], ("Envoyé", "De", "À", "Objet"), "lundi 2 mars 2026 à 10:15"))
frame("gmx-es", "es", gmx(LANGUAGES["es"], ("Enviado", "De", "Para", "Asunto"), "lunes 2 de marzo de 2026 a las 10:15"))

# Samsung and other phones.


def samsung(one: Language) -> Build:
    names = {
        "en": ("From", "Date", "To", "Subject"),
        "de": ("Von", "Datum", "An", "Betreff"),
        "fr": ("De", "Date", "À", "Objet"),
        "es": ("De", "Fecha", "Para", "Asunto"),
        "nl": ("Van", "Datum", "Aan", "Onderwerp"),
        "pl": ("Od", "Data", "Do", "Temat"),
    }[one.code]

    def build(lines: Sequence[str]) -> bytes:
        values = (GM_BOTH, "02.03.26 10:15 (GMT+01:00)", "player@example.org", "rally-042, turn 7")
        block = " ".join(f"{name}: {value}" for name, value in zip(names, values, strict=True))
        if one.code in ("en", "de"):
            block = "\n".join(f"{name}: {value} " for name, value in zip(names, values, strict=True))
        text = f"{said(one, lines, is_short=True)}\n\n{one.samsung}\n-------- {one.original} --------{block} \n{earlier()}\n"
        text = text.replace("--------" + block, "--------\n" + block)
        return mail(plain(text, how="base64"), sender=sender(one), subject=subject(one))

    return build


for code in ("en", "de", "fr", "es", "nl", "pl"):
    frame(f"samsung-{code}", code, samsung(LANGUAGES[code]))


def k9(lines: Sequence[str]) -> bytes:
    one = LANGUAGES["de"]
    text = (
        f"{said(one, lines, is_short=True)}\n\nAm 2. März 2026 10:15:00 MEZ schrieb {GM_BOTH}:\n"
        + quoted(earlier(), ">")
        + "\n\n-- \nDiese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet."
    )
    return mail(plain(text), sender=sender(one), subject=subject(one), agent="User-Agent: K-9 Mail for Android")


frame("k9-de", "de", k9)
frame(
    "k9-above-no-dashes-en",
    "en",
    lambda lines: mail(
        plain(
            "\n".join(lines)
            + f"\n\nSent from my Android device with K-9 Mail. Please excuse my brevity.\n\nOn 2 March 2026 10:15:00 CET, {GM} "
            + f"<{GM_ADDRESS}> wrote:\n{quoted(earlier(), '>')}",
            how="8bit",
        ),
        sender="Bo <bo@example.org>",
        subject="Re: turn 7",
        agent="User-Agent: K-9 Mail for Android",
    ),
)
