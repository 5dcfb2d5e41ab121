"""How mail programs introduce an earlier mail, and how people greet and part, language by language."""

from __future__ import annotations

from dataclasses import dataclass

from tests.data.mails.pieces import GM, GM_ADDRESS, GM_BOTH


@dataclass(frozen=True)
class Language:
    """One language: what the programs write in it, and a player who speaks it."""

    code: str
    player: str
    reply: str
    hello: str
    intro: str
    thanks: str
    bye: str
    gmail: str
    apple: str
    thunderbird: str
    outlook: tuple[str, str, str, str]
    when: str
    iphone: str
    outlook_app: str
    samsung: str
    original: str
    forwarded: str


def _language(code: str, player: str, *rest: object) -> Language:
    return Language(code, player, *rest)  # type: ignore[arg-type]


LANGUAGES = {
    one.code: one
    for one in (
        _language(
            "en", "Ann Smith", "Re", "Hi Max,", "Here are my orders for this turn:", "Thanks for the quick report!", "Best regards,\nAnn",
            f"On Mon, Mar 2, 2026 at 10:15 AM {GM_BOTH} wrote:",
            f"On Mar 2, 2026, at 10:15 AM, {GM_BOTH} wrote:",
            f"On 3/2/26 10:15, {GM} wrote:",
            ("From", "Sent", "To", "Subject"), "Monday, March 2, 2026 10:15 AM",
            "Sent from my iPhone", "Get Outlook for iOS<https://aka.ms/o0ukef>",
            "Sent from my Galaxy", "Original Message", "Forwarded message",
        ),
        _language(
            "de", "Jürgen Müßig", "AW", "Hallo Max,", "anbei meine Befehle:", "Danke für die schnelle Auswertung!",
            "Viele Grüße\nJürgen",
            f"Am Mo., 2. März 2026 um 10:15 Uhr schrieb {GM_BOTH}:",
            f"Am 02.03.2026 um 10:15 schrieb {GM_BOTH}:",
            f"Am 02.03.26 um 10:15 schrieb {GM}:",
            ("Von", "Gesendet", "An", "Betreff"), "Montag, 2. März 2026 10:15",
            "Von meinem iPhone gesendet", "Outlook für iOS<https://aka.ms/o0ukef> beziehen",
            "Von meinem Galaxy gesendet", "Ursprüngliche Nachricht", "Weitergeleitete Nachricht",
        ),
        _language(
            "fr", "Zoé Lefèvre", "Re", "Bonjour Max,", "Voici mes ordres :", "Merci beaucoup !", "Cordialement,\nZoé",
            f"Le lun. 2 mars 2026 à 10:15, {GM_BOTH} a écrit\u00a0:",
            f"Le 2 mars 2026 à 10:15, {GM_BOTH} a écrit :",
            f"Le 02/03/2026 à 10:15, {GM} a écrit :",
            ("De ", "Envoyé ", "À ", "Objet "), "lundi 2 mars 2026 10:15",
            "Envoyé de mon iPhone", "Télécharger Outlook pour iOS<https://aka.ms/o0ukef>",
            "Envoyé depuis mon appareil Galaxy", "Message d'origine", "Message transféré",
        ),
        _language(
            "es", "Íñigo Muñoz", "RE", "Hola Max:", "Estas son mis órdenes:", "¡Muchas gracias!", "Un saludo,\nÍñigo",
            f"El lun, 2 mar 2026 a las 10:15, {GM} (<{GM_ADDRESS}>) escribió:",
            f"El 2 mar 2026, a las 10:15, {GM_BOTH} escribió:",
            f"El 2/3/26 a las 10:15, {GM} escribió:",
            ("De", "Enviado", "Para", "Asunto"), "lunes, 2 de marzo de 2026 10:15",
            "Enviado desde mi iPhone", "Obtener Outlook para iOS<https://aka.ms/o0ukef>",
            "Enviado desde mi Galaxy", "Mensaje original", "Mensaje reenviado",
        ),
        _language(
            "it", "Niccolò Città", "R", "Ciao Max,", "ecco i miei ordini:", "Grazie mille!", "Cordiali saluti\nNiccolò",
            f"Il giorno lun 2 mar 2026 alle ore 10:15 {GM_BOTH} ha scritto:",
            f"Il giorno 2 mar 2026, alle ore 10:15, {GM_BOTH} ha scritto:",
            f"Il 02/03/2026 10:15, {GM} ha scritto:",
            ("Da", "Inviato", "A", "Oggetto"), "lunedì 2 marzo 2026 10:15",
            "Inviato da iPhone", "Scarica Outlook per iOS<https://aka.ms/o0ukef>",
            "Inviato dal mio Galaxy", "Messaggio originale", "Messaggio inoltrato",
        ),
        _language(
            "nl", "Geert van den Bëlt", "RE", "Hoi Max,", "Hierbij mijn orders:", "Bedankt!", "Met vriendelijke groet,\nGeert",
            f"Op ma 2 mrt 2026 om 10:15 schreef {GM_BOTH}:",
            f"Op 2 mrt. 2026 om 10:15 heeft {GM_BOTH} het volgende geschreven:",
            f"Op 02-03-2026 om 10:15 schreef {GM}:",
            ("Van", "Verzonden", "Aan", "Onderwerp"), "maandag 2 maart 2026 10:15",
            "Verstuurd vanaf mijn iPhone", "Outlook voor iOS<https://aka.ms/o0ukef> downloaden",
            "Verzonden vanaf mijn Galaxy", "Oorspronkelijk bericht", "Doorgestuurd bericht",
        ),
        _language(
            "pl", "Żaneta Łęcka", "Odp", "Cześć Max,", "Oto moje rozkazy:", "Dziękuję!", "Pozdrawiam,\nŻaneta",
            f"pon., 2 mar 2026 o 10:15 {GM_BOTH} napisał(a):",
            f"Wiadomość napisana przez {GM_BOTH} w dniu 2 mar 2026, o godz. 10:15:",
            f"W dniu 2.03.2026 o 10:15, {GM} pisze:",
            ("Od", "Wysłano", "Do", "Temat"), "poniedziałek, 2 marca 2026 10:15",
            "Wysłane z iPhone'a", "Pobierz aplikację Outlook dla systemu iOS<https://aka.ms/o0ukef>",
            "Wysłano z mojego Galaxy", "Wiadomość oryginalna", "Przekazana wiadomość",
        ),
        _language(
            "pt", "João Conceição", "RE", "Olá Max,", "Seguem as minhas ordens:", "Obrigado!", "Abraços,\nJoão",
            f"Em seg., 2 de mar. de 2026 às 10:15, {GM_BOTH} escreveu:",
            f"No dia 2 de mar. de 2026, à(s) 10:15, {GM_BOTH} escreveu:",
            f"Às 10:15 de 02/03/2026, {GM} escreveu:",
            ("De", "Enviado", "Para", "Assunto"), "segunda-feira, 2 de março de 2026 10:15",
            "Enviado do meu iPhone", "Obter o Outlook para iOS<https://aka.ms/o0ukef>",
            "Enviado do meu Galaxy", "Mensagem original", "Mensagem encaminhada",
        ),
        _language(
            "sv", "Åsa Öhman", "SV", "Hej Max!", "Här kommer mina order:", "Tack så mycket!", "Med vänliga hälsningar\nÅsa",
            f"Den mån 2 mars 2026 kl 10:15 skrev {GM_BOTH}:",
            f"2 mars 2026 kl. 10:15 skrev {GM_BOTH}:",
            f"Den 2026-03-02 kl. 10:15, skrev {GM}:",
            ("Från", "Skickat", "Till", "Ämne"), "den 2 mars 2026 10:15",
            "Skickat från min iPhone", "Hämta Outlook för iOS<https://aka.ms/o0ukef>",
            "Skickat från min Galaxy", "Originalmeddelande", "Vidarebefordrat meddelande",
        ),
        _language(
            "da", "Søren Kjær", "SV", "Hej Max", "Her er mine ordrer:", "Tusind tak!", "Venlig hilsen\nSøren",
            f"Den man. 2. mar. 2026 kl. 10.15 skrev {GM_BOTH}:",
            f"Den 2. mar. 2026 kl. 10.15 skrev {GM_BOTH}:",
            f"Den 02.03.2026 kl. 10.15 skrev {GM}:",
            ("Fra", "Sendt", "Til", "Emne"), "2. marts 2026 10:15",
            "Sendt fra min iPhone", "Hent Outlook til iOS<https://aka.ms/o0ukef>",
            "Sendt fra min Galaxy", "Oprindelig meddelelse", "Videresendt meddelelse",
        ),
        _language(
            "cs", "Jiří Dvořák", "Re", "Ahoj Maxi,", "Tady jsou mé příkazy:", "Díky!", "S pozdravem\nJiří",
            f"po 2. 3. 2026 v 10:15 odesílatel {GM_BOTH} napsal:",
            f"2. 3. 2026 v 10:15, {GM_BOTH}:",
            f"Dne 02. 03. 26 v 10:15 {GM} napsal(a):",
            ("Od", "Odesláno", "Komu", "Předmět"), "pondělí 2. března 2026 10:15",
            "Odesláno z iPhonu", "Získat Outlook pro iOS<https://aka.ms/o0ukef>",
            "Odesláno z mého Galaxy", "Původní zpráva", "Přeposlaná zpráva",
        ),
        _language(
            "ru", "Анна Кузнецова", "Re", "Привет, Макс!", "Вот мои приказы:", "Спасибо!", "С уважением,\nАнна",
            f"пн, 2 мар. 2026 г. в 10:15, {GM_BOTH}:",
            f"2 марта 2026 г., в 10:15, {GM_BOTH} написал(а):",
            f"02.03.2026 10:15, {GM} пишет:",
            ("От", "Отправлено", "Кому", "Тема"), "понедельник, 2 марта 2026 г. 10:15",
            "Отправлено с iPhone", "Получить Outlook для iOS<https://aka.ms/o0ukef>",
            "Отправлено с моего Galaxy", "Исходное сообщение", "Пересылаемое сообщение",
        ),
    )
}  # fmt: skip
