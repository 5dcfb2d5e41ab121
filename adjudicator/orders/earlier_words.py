"""List the words with which mail programs introduce earlier mails, in lower case and without apostrophes.

English, German, French, Spanish, Italian, Dutch, Polish, Portuguese, Swedish, Danish, Norwegian, Czech, Russian, Finnish.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final


def _listed(words: str) -> list[str]:
    return [word.strip().casefold() for word in words.replace("\n", ",").split(",") if word.strip()]


OPENERS: Final = frozenset(
    _listed("""
    on, at, am, le, el, il, op, w, på, às, as, wiadomość, zitat, quoting, dnia, em, no, na, den, dne, il giorno, в
    mon, tue, wed, thu, fri, sat, sun, monday, tuesday, wednesday, thursday, friday, saturday, sunday
    mo, di, mi, do, fr, sa, so, montag, dienstag, mittwoch, donnerstag, freitag, samstag, sonntag
    lun, mar, mer, jeu, ven, sam, dim, mié, jue, vie, sáb, dom, gio, sab
    lundi, mardi, mercredi, jeudi, vendredi, samedi, dimanche, lunes, martes, miércoles, jueves, viernes, sábado, domingo
    ma, wo, vr, za, zo, maandag, dinsdag, woensdag, donderdag, vrijdag, zaterdag, zondag
    pon, wt, śr, czw, pt, sob, niedz, poniedziałek, wtorek, środa, czwartek, piątek, sobota, niedziela
    seg, ter, qua, qui, sex, segunda-feira, terça-feira, quarta-feira, quinta-feira, sexta-feira
    mån, tis, ons, tors, tor, fre, lör, sön, man, tir, tirs, lør, søn, ti, ke, to, pe, la, su
    po, út, st, čt, pá, ne, pondělí, úterý, středa, čtvrtek, pátek, neděle
    пн, вт, ср, чт, пт, сб, вс, понедельник, вторник, среда, четверг, пятница, суббота, воскресенье
    """)
)
"""First words of "On Mon, 2 March …, Ann wrote:"."""

VERBS_AT_END: Final = frozenset(
    _listed("""
    wrote, writes, written, geschreven, schrieb, schreibt, geschrieben, écrit, ecrit, escribió, escribio, escribe
    scritto, scrive, schreef, schrijft, napisał, napisała, napisala, napisal, pisze, escreveu, escreve, skrev, skriver
    napsal, napsala, píše, пишет, написал, написала, написали, kirjoitti
    """)
)
"""Verbs before the colon of "… Ann wrote:"."""

MEDIAL: Final = frozenset(
    _listed("schrieb, schreibt, schreef, skrev, skriver, napisana, napisał, napsal, odesílatel, написал, от, kirjoitti")
)
"""Verbs that the writer may follow, as in "Am … schrieb Ann:"."""

_FIELDS: Final = {
    "from": """
    from, von, absender, de, expéditeur, remitente, da, mittente, van, afzender, od, nadawca, remetente
    från, avsändare, fra, afsender, avsender, odesílatel, от, от кого, отправитель, lähettäjä
    """,
    "sent": """
    sent, date, sent on, gesendet, gesendet am, datum, envoyé, envoye, envoyé le, envoyé par, date d envoi
    enviado, enviado el, enviado em, enviada em, enviada, fecha, data, data invio, inviato, inviato il, data di invio
    verzonden, verzonden op, wysłano, wysłane, wyslano, data wysłania, skickat, skickades, skickad, sendt, dato
    odesláno, odeslano, отправлено, дата, дата отправки, lähetetty, päivämäärä, date/time
    """,
    "to": """
    to, an, empfänger, à, destinataire, destinataires, para, destinatario, a, aan, do, adresat, destinatário
    till, til, komu, кому, получатель, vastaanottaja
    """,
    "subject": """
    subject, betreff, objet, sujet, asunto, oggetto, onderwerp, temat, assunto, ämne, emne, předmět, predmet, тема, aihe
    """,
    "other": """
    cc, bcc, copie, copie à, copia, cópia, kopie, kopia, kopi, dw, udw, копия, kopio, reply-to, responder a, répondre à
    importance, wichtigkeit, priority, attachments, anlagen, pièces jointes, adjuntos, allegati, bijlagen, organization
    """,
}
FIELDS: Final[Mapping[str, str]] = {word: kind for kind, words in _FIELDS.items() for word in _listed(words)}
"""Names of the fields of a mail's head, each with its kind."""

SEPARATORS: Final = frozenset(
    _listed("""
    original message, original-message, originalmessage, original mail, original email, forwarded message, forwarded mail
    reply message, original appointment, ursprüngliche nachricht, originalnachricht, original-nachricht, urspr. nachricht
    ursprüngliche mail, weitergeleitete nachricht, weitergeleitete mail, message d origine, message original
    message initial, message transféré, message réexpédié, mail original, courriel original
    mensaje original, mensaje reenviado, mensaje enviado, messaggio originale, messaggio inoltrato
    messaggio originario, oorspronkelijk bericht, origineel bericht, doorgestuurd bericht, oorspronkelijke bericht
    wiadomość oryginalna, oryginalna wiadomość, wiadomość przekazana, przekazana wiadomość, treść przekazanej wiadomości
    mensagem original, mensagem encaminhada, mensagem reencaminhada
    ursprungligt meddelande, originalmeddelande, vidarebefordrat meddelande, ursprungligt e-postmeddelande
    oprindelig meddelelse, original meddelelse, original besked, oprindelig besked, videresendt meddelelse
    videresendt besked
    original melding, opprinnelig melding, videresendt melding
    původní zpráva, původní e-mail, původní email, původní mail, přeposlaná zpráva, přeposlaný e-mail
    исходное сообщение, оригинальное сообщение, пересылаемое сообщение, пересланное сообщение, первоначальное сообщение
    alkuperäinen viesti, edelleenlähetetty viesti
    """)
)
"""Words between the dashes above an earlier mail."""

BEGINNINGS: Final = frozenset(
    _listed("""
    begin forwarded message, anfang der weitergeleiteten nachricht, anfang der weitergeleiteten e-mail
    début du message réexpédié, début du message transféré, inicio del mensaje reenviado, inizio messaggio inoltrato
    inizio del messaggio inoltrato, begin doorgestuurd bericht, begin van doorgestuurd bericht
    początek przekazywanej wiadomości, początek przekazywanego listu, rozpoczęcie przekazywanej wiadomości
    início da mensagem encaminhada, início da mensagem reenviada, início da mensagem reencaminhada
    vidarebefordrat brev, vidarebefordrat meddelande, start på videresendt besked, videresendt besked, videresendt melding
    začátek přeposlané zprávy, začátek předávané zprávy, начало переадресованного сообщения
    начало пересылаемого сообщения, välitetty viesti alkaa
    """)
)
"""Words, with a colon, above a forwarded mail."""
