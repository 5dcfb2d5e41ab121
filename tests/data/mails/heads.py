"""How mail programs introduce an earlier mail in many languages, and the frames in which they do it.

The rules know no word of most of these languages.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.data.mails.pieces import GM, GM_BOTH, breaks, earlier, escaped, mail, page, paragraphs, plain, quoted


@dataclass(frozen=True)
class Heads:
    """What programs write in one language: Outlook's names of from, sent, to and subject, its date, and other headings."""

    fields: tuple[str, str, str, str]
    when: str
    gmail: str
    original: str


def _heads(fields: str, when: str, gmail: str, original: str) -> Heads:
    sender, sent, to, subject = fields.split("|")
    return Heads((sender, sent, to, subject), when, gmail.replace("GM", GM_BOTH), original)


HEADS = {
    "en": _heads("From|Sent|To|Subject", "Monday, March 2, 2026 10:15 AM", "On Mon, Mar 2, 2026 at 10:15 AM GM wrote:", "Original Message"),
    "en-said": _heads("From|Date|To|Subject", "2 March 2026 at 10:15", "On Monday, 2 March 2026 at 10:15, GM said:", "Replied Message"),
    "de": _heads("Von|Gesendet|An|Betreff", "Montag, 2. März 2026 10:15", "Am Mo., 2. März 2026 um 10:15 Uhr schrieb GM:", "Ursprüngliche Nachricht"),
    "fr": _heads("De |Envoyé |À |Objet ", "lundi 2 mars 2026 10:15", "Le lun. 2 mars 2026 à 10:15, GM a écrit\u00a0:", "Message d'origine"),
    "es": _heads("De|Enviado el|Para|Asunto", "lunes, 2 de marzo de 2026 10:15", "El lun, 2 mar 2026 a las 10:15, GM escribió:", "Mensaje original"),
    "it": _heads("Da|Inviato|A|Oggetto", "lunedì 2 marzo 2026 10:15", "Il giorno lun 2 mar 2026 alle ore 10:15 GM ha scritto:", "Messaggio originale"),
    "nl": _heads("Van|Verzonden|Aan|Onderwerp", "maandag 2 maart 2026 10:15", "Op ma 2 mrt 2026 om 10:15 schreef GM:", "Oorspronkelijk bericht"),
    "pl": _heads("Od|Wysłano|Do|Temat", "poniedziałek, 2 marca 2026 10:15", "pon., 2 mar 2026 o 10:15 GM napisał(a):", "Wiadomość oryginalna"),
    "pt": _heads("De|Enviada em|Para|Assunto", "segunda-feira, 2 de março de 2026 10:15", "Em seg., 2 de mar. de 2026 às 10:15, GM escreveu:", "Mensagem original"),
    "sv": _heads("Från|Skickat|Till|Ämne", "den 2 mars 2026 10:15", "Den mån 2 mars 2026 kl 10:15 skrev GM:", "Ursprungligt meddelande"),
    "da": _heads("Fra|Sendt|Til|Emne", "2. marts 2026 10:15", "Den man. 2. mar. 2026 kl. 10.15 skrev GM:", "Oprindelig meddelelse"),
    "no": _heads("Fra|Sendt|Til|Emne", "mandag 2. mars 2026 10:15", "man. 2. mars 2026 kl. 10:15 skrev GM:", "Opprinnelig melding"),
    "fi": _heads("Lähettäjä|Lähetetty|Vastaanottaja|Aihe", "maanantai 2. maaliskuuta 2026 10.15", "ma 2. maalisk. 2026 klo 10.15 GM kirjoitti:", "Alkuperäinen viesti"),
    "is": _heads("Frá|Sent|Til|Efni", "mánudagur, 2. mars 2026 10:15", "mán., 2. mar. 2026 kl. 10:15 skrifaði GM:", "Upprunaleg skilaboð"),
    "cs": _heads("Od|Odesláno|Komu|Předmět", "pondělí 2. března 2026 10:15", "po 2. 3. 2026 v 10:15 odesílatel GM napsal:", "Původní zpráva"),
    "sk": _heads("Od|Odoslané|Komu|Predmet", "pondelok 2. marca 2026 10:15", "po 2. 3. 2026 o 10:15 GM napísal(a):", "Pôvodná správa"),
    "sl": _heads("Od|Poslano|Za|Zadeva", "ponedeljek, 02. marec 2026 10:15", "V V pon., 2. mar. 2026 ob 10:15 je oseba GM napisala:", "Izvirno sporočilo"),
    "hr": _heads("Šalje|Poslano|Prima|Predmet", "2. ožujka 2026. 10:15", "pon, 2. ožu 2026. u 10:15 GM napisao je:", "Izvorna poruka"),
    "sr": _heads("Од|Послато|За|Наслов", "понедељак, 02. март 2026. 10:15", "пон, 2. мар 2026. у 10:15 GM је написао/ла:", "Изворна порука"),
    "bg": _heads("От|Изпратено|До|Относно", "понеделник, 2 март 2026 г. 10:15", "На пн, 2.03.2026 г. в 10:15 GM написа:", "Оригинално съобщение"),
    "ru": _heads("От|Отправлено|Кому|Тема", "понедельник, 2 марта 2026 г. 10:15", "пн, 2 мар. 2026 г. в 10:15, GM:", "Исходное сообщение"),
    "uk": _heads("Від|Надіслано|Кому|Тема", "понеділок, 2 березня 2026 р. 10:15", "пн, 2 бер. 2026 р. о 10:15 GM пише:", "Вихідне повідомлення"),
    "ro": _heads("De la|Trimis|Către|Subiect", "luni, 2 martie 2026 10:15", "În lun., 2 mar. 2026 la 10:15, GM a scris:", "Mesaj original"),
    "hu": _heads("Feladó|Elküldve|Címzett|Tárgy", "2026. március 2., hétfő 10:15", "GM ezt írta (időpont: 2026. márc. 2., H, 10:15):", "Eredeti üzenet"),
    "tr": _heads("Gönderen|Gönderildi|Kime|Konu", "2 Mart 2026 Pazartesi 10:15", "GM, 2 Mar 2026 Pzt, 10:15 tarihinde şunu yazdı:", "Özgün İleti"),
    "el": _heads("Από|Στάλθηκε|Προς|Θέμα", "Δευτέρα, 2 Μαρτίου 2026 10:15 πμ", "Στις Δευ 2 Μαρ 2026 στις 10:15 π.μ., ο χρήστης GM έγραψε:", "Αρχικό μήνυμα"),
    "he": _heads("מאת|נשלח|אל|נושא", "יום שני 02 מרץ 2026 10:15", "\u202bבתאריך יום ב׳, 2 במרץ 2026 ב-10:15 מאת \u202aMax Keller\u202c\u200f <\u202agm@example.org\u202c\u200f>:\u202c", "הודעה מקורית"),
    "ar": _heads("من|تم الإرسال|إلى|الموضوع", "الاثنين، ٢ مارس ٢٠٢٦ ١٠:١٥ ص", "في الاثنين، ٢ مارس ٢٠٢٦ في ١٠:١٥ ص تمت كتابة ما يلي بواسطة GM:", "الرسالة الأصلية"),
    "fa": _heads("از|ارسال شده|به|موضوع", "دوشنبه ۱۱ اسفند ۱۴۰۴ ۱۰:۱۵", "در تاریخ دوشنبه ۲ مارس ۲۰۲۶ ساعت ۱۰:۱۵ GM نوشت:", "پیام اصلی"),
    "hi": _heads("प्रेषक|भेजा गया|प्रति|विषय", "सोमवार, 2 मार्च 2026 10:15", "सोम, 2 मार्च 2026 को 10:15 पूर्वाह्न पर GM ने लिखा:", "मूल संदेश"),
    "th": _heads("จาก|ส่ง|ถึง|เรื่อง", "วันจันทร์ที่ 2 มีนาคม 2569 10:15", "ในวันที่ จ. 2 มี.ค. 2026 เวลา 10:15 GM เขียนว่า:", "ข้อความต้นฉบับ"),
    "vi": _heads("Từ|Đã gửi|Đến|Chủ đề", "Thứ Hai, 2 tháng Ba 2026 10:15 SA", "Vào Th 2, 2 thg 3, 2026 vào lúc 10:15 GM đã viết:", "Thư gốc"),
    "id": _heads("Dari|Dikirim|Kepada|Subjek", "Senin, 02 Maret 2026 10:15", "Pada Sen, 2 Mar 2026 pukul 10.15 GM menulis:", "Pesan Asli"),
    "zh-cn": _heads("发件人|发送时间|收件人|主题", "2026年3月2日 10:15", "GM 于2026年3月2日周一 10:15写道：", "原始邮件"),
    "zh-cn-wide": _heads("发件人|日期|收件人|主题", "2026年3月2日 星期一 上午10:15", "在 2026年3月2日，上午10:15，GM 写道：", "回复的原邮件"),
    "zh-tw": _heads("寄件者|寄件日期|收件者|主旨", "2026年3月2日 上午 10:15", "GM 於 2026年3月2日 週一 上午10:15寫道：", "原始郵件"),
    "ja": _heads("差出人|送信日時|宛先|件名", "2026年3月2日 10:15", "2026年3月2日(月) 10:15 GM:", "元のメッセージ"),
    "ko": _heads("보낸 사람|보낸 날짜|받는 사람|제목", "2026년 3월 2일 월요일 오전 10:15", "2026년 3월 2일 (월) 오전 10:15, GM님이 작성:", "원본 메시지"),
    "et": _heads("Saatja|Saatmisaeg|Adressaat|Teema", "esmaspäev, 2. märts 2026 10:15", "Max Keller (<gm@example.org>) kirjutas kuupäeval E, 2. märts 2026 kell 10:15:", "Algne sõnum"),
    "lv": _heads("No|Nosūtīts|Kam|Tēma", "pirmdiena, 2026. gada 2. marts 10:15", "pirmd., 2026. g. 2. marts, plkst. 10:15 — lietotājs GM rakstīja:", "Sākotnējais ziņojums"),
    "lt": _heads("Nuo|Išsiųsta|Kam|Tema", "2026 m. kovo 2 d., pirmadienis 10:15", "2026-03-02, pr, 10:15 GM rašė:", "Pradinis laiškas"),
    "ca": _heads("De|Enviat el|Per a|Tema", "dilluns, 2 de març de 2026 10:15", "Missatge de GM del dia dl., 2 de març 2026 a les 10:15:", "Missatge original"),
    "eu": _heads("Nork|Bidalia|Nori|Gaia", "2026(e)ko martxoaren 2(a), astelehena 10:15", "GM erabiltzaileak hau idatzi du (2026 mar. 2, al. 10:15):", "Jatorrizko mezua"),
    "ms": _heads("Daripada|Dihantar|Kepada|Subjek", "Isnin, 2 Mac 2026 10:15", "Pada Isn, 2 Mac 2026 pada 10:15 GM menulis:", "Mesej Asal"),
}  # fmt: skip

Frame = Callable[[Heads, Sequence[str]], bytes]


def _sent(body: bytes) -> bytes:
    return mail(body, sender="Ann <ann@example.org>", subject="Re: rally-042, turn 7", ends="\r\n")


def _text(above: Sequence[str], below: str) -> bytes:
    return _sent(plain("\n".join(above) + f"\n\n{below}\n", how="base64"))


def _html(above: Sequence[str], below: str) -> bytes:
    own = paragraphs("\n".join(above))
    return _sent(page(f'<html><body dir="auto"><div>{own}</div><br>{below}</body></html>', how="base64"))


def _block(heads: Heads, joint: str = "\n", sign: str = ":", sender: str = GM_BOTH) -> str:
    values = (sender, heads.when, "Ann <ann@example.org>", "rally-042, turn 7")
    return joint.join(f"{name}{sign} {value}" for name, value in zip(heads.fields, values, strict=True))


def _wide(heads: Heads) -> str:
    return _block(heads, sign="：").replace("： ", "：")


def _fields_html(heads: Heads, opening: str = "<b>", middle: str = "</b>", closing: str = "<br>") -> str:
    rows = (row.partition(": ") for row in _block(heads).split("\n"))
    return "".join(f"{opening}{name}:{middle} {escaped(value)}{closing}" for name, _, value in rows)


def _titled(heads: Heads) -> str:
    return f"-----{heads.original}-----\n"


def _wrapped(line: str, width: int = 74) -> str:
    return "\n".join(textwrap.wrap(line, width, break_on_hyphens=False))


def _attribution_html(heads: Heads) -> str:
    return f'<div dir="ltr" class="gmail_attr">{escaped(heads.gmail)}<br></div>'


FRAMES: dict[str, Frame] = {
    "outlook": lambda heads, lines: _text(lines, f"{_block(heads)}\n\n{earlier()}"),
    "outlook without addresses": lambda heads, lines: _text(lines, f"{_block(heads, sender=GM)}\n\n{earlier()}"),
    "outlook, double-spaced": lambda heads, lines: _text(lines, _block(heads, "\n\n") + f"\n\n{earlier()}"),
    "outlook for phones": lambda heads, lines: _text(lines, f"{'_' * 32}\n{_block(heads)}\n\n{earlier()}"),
    "outlook, wide colons": lambda heads, lines: _text(lines, f"{_wide(heads)}\n\n{earlier()}"),
    "outlook, wrapped addressees": lambda heads, lines: _text(
        lines,
        _block(heads).replace("Ann <ann@example.org>", "Ann <ann@example.org>; Bob Miller\n<bob@example.org>; Carol Jones")
        + f"\n\n{earlier()}",
    ),
    "original message": lambda heads, lines: _text(lines, f"{_titled(heads)}{_block(heads)}\n\n{earlier()}"),
    "title, name and date alone": lambda heads, lines: _text(
        lines, f"{_titled(heads)}{heads.fields[0]}: {GM}\n{heads.fields[1]}: {heads.when}\n\n{earlier()}"
    ),
    "title and block on one line": lambda heads, lines: _text(lines, f"{_titled(heads)}{_block(heads, ' ')}\n{earlier()}"),
    "title and table": lambda heads, lines: _text(
        lines,
        f"---- {heads.original} ----\n| {heads.fields[0]} | {GM_BOTH} |\n| {heads.fields[1]} | {heads.when} |\n\n{earlier()}",
    ),
    "attribution": lambda heads, lines: _text(lines, f"{heads.gmail}\n\n{earlier()}"),
    "attribution, wrapped": lambda heads, lines: _text(
        lines, _wrapped(heads.gmail.replace(GM, "Maximilian Alexander von und zu Keller-Schmidt")) + f"\n\n{earlier()}"
    ),
    "attribution, narrow": lambda heads, lines: _text(lines, _wrapped(heads.gmail, 62) + f"\n{earlier()}"),
    "attribution and marks": lambda heads, lines: _text([], f"{heads.gmail}\n{quoted(earlier())}\n\n" + "\n".join(lines)),
    "attribution under a title": lambda heads, lines: _text(lines, f"{_titled(heads)}{heads.gmail}\n\n{earlier()}"),
    "html, divRplyFwdMsg": lambda heads, lines: _html(
        lines,
        '<div id="appendonsend"></div><hr><div id="divRplyFwdMsg" dir="ltr"><font face="Calibri">'
        f"{_fields_html(heads)}</font><div>&nbsp;</div></div><div>{breaks(earlier())}</div>",
    ),
    "html, block in a table": lambda heads, lines: _html(
        lines,
        f"<table>{_fields_html(heads, '<tr><td>', '</td><td>', '</td></tr>')}</table><div>{breaks(earlier())}</div>",
    ),
    "html, OLK_SRC_BODY_SECTION": lambda heads, lines: _html(
        lines, f'<span id="OLK_SRC_BODY_SECTION"><div>{_fields_html(heads)}</div><div>{breaks(earlier())}</div></span>'
    ),
    "html, gmail_quote": lambda heads, lines: _html(
        lines,
        f'<div class="gmail_quote gmail_quote_container">{_attribution_html(heads)}'
        f'<blockquote class="gmail_quote" style="border:none">{breaks(earlier())}</blockquote></div>',
    ),
    "html, gmail_quote, orders below": lambda heads, lines: _sent(
        page(
            f'<div class="gmail_quote">{_attribution_html(heads)}<blockquote class="gmail_quote">{breaks(earlier())}'
            f"</blockquote><div>{paragraphs(chr(10).join(lines))}</div></div>"
        )
    ),
    "html, gmail_quote, forwarded": lambda heads, lines: _html(
        lines,
        f'<div class="gmail_quote"><div class="gmail_attr">---------- {heads.original} ---------<br>{_fields_html(heads)}'
        f"</div><br>{breaks(earlier())}</div>",
    ),
    "html, yahoo_quoted": lambda heads, lines: _html(
        lines,
        f'<div id="ydp2yahoo_quoted_77" class="ydp2yahoo_quoted"><div><div>{escaped(heads.gmail)}</div><div><br></div>'
        f"<div>{breaks(earlier())}</div></div></div>",
    ),
    "html, moz-cite-prefix": lambda heads, lines: _html(
        lines,
        f'<div class="moz-cite-prefix">{escaped(heads.gmail)}<br></div>'
        f'<blockquote type="cite" style="border: none" cite="mid:x">{breaks(earlier())}</blockquote>',
    ),
}
"""Mails around orders, by the program's way. The earlier mail in each has orders for the right game and turn."""

BARE: dict[str, Callable[[Sequence[str]], bytes]] = {
    "divRplyFwdMsg": lambda lines: _html(
        lines, f'<div id="divRplyFwdMsg">Max, yesterday</div><div>{breaks(earlier())}</div>'
    ),
    "appendonsend": lambda lines: _html(lines, f'<div id="appendonsend"></div><hr><div>{breaks(earlier())}</div>'),
    "yahoo_quoted": lambda lines: _html(lines, f'<div class="yahoo_quoted">Max, yesterday<br>{breaks(earlier())}</div>'),
    "OLK_SRC_BODY_SECTION": lambda lines: _html(lines, f"<span id=OLK_SRC_BODY_SECTION>{breaks(earlier())}</span>"),
    "gmail_quote": lambda lines: _html(lines, f'<div class="gmail_quote">Max, yesterday<br>{breaks(earlier())}</div>'),
    "gmail_quote with marks in it": lambda lines: _sent(
        page(
            f'<div class="gmail_quote">Max, yesterday<blockquote class="gmail_quote">{breaks(earlier())}</blockquote>'
            f"{paragraphs(chr(10).join(lines))}</div>"
        )
    ),
    "a reply in a forwarded mail": lambda lines: _html(
        lines,
        f'<div class="gmail_quote">Max, yesterday<br><div>DRAW<br>GO<br>PASS</div><div class="gmail_quote">Bob'
        f'<blockquote class="gmail_quote">{breaks(earlier())}</blockquote></div>{breaks(earlier())}</div>',
    ),
    "moz-forward-container": lambda lines: _html(
        lines, f'<div class="moz-forward-container">Max, yesterday<br>{breaks(earlier())}</div>'
    ),
    "blockquote type=cite": lambda lines: _html(
        lines, f'<blockquote type="cite" style="border:none">{breaks(earlier())}</blockquote>'
    ),
    "reference message": lambda lines: _html(
        lines, f'<div id="mail-editor-reference-message-container">{breaks(earlier())}</div>'
    ),
}
"""Mails whose earlier mail shows itself only by marks of HTML."""
