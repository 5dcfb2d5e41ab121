"""List the phrases of players that are not orders, by kind, in lower case and without apostrophes.

A phrase applies to every line that begins with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final

from adjudicator.core.phrases import PLEASE


class Kind(Enum):
    """Kinds of phrases; the value says why a line of that kind is ignored."""

    GREETING = "a greeting"
    THANKS = "a courtesy"
    CLOSING = "the close of the mail"
    DEVICE = "an advertisement of a mail program"
    FOOTER = "a footer"
    REMARK = "a remark"
    LABEL = "a heading"


_PHRASES: Final = {
    Kind.GREETING: """
    hi, hello, hey, hiya, howdy, dear, greetings, good morning, good afternoon, good evening, good day, morning, evening
    hallo, liebe, lieber, liebes, guten tag, guten morgen, guten abend, moin, servus, grüezi, grüß gott, sehr geehrte
    sehr geehrter, na, tach
    bonjour, bonsoir, salut, coucou, cher, chère, chers
    hola, buenas, buenos días, buenas tardes, buenas noches, estimado, estimada, estimados, querido, querida
    ciao, salve, buongiorno, buonasera, caro, cara, cari, gentile
    hoi, hé, dag, beste, geachte, goedemorgen, goedemiddag, goedenavond, goeiemorgen, lieve
    cześć, czesc, witam, witaj, hej, dzień dobry, dobry wieczór, drogi, droga, drodzy, szanowny, szanowna
    olá, ola, oi, bom dia, boa tarde, boa noite, prezado, prezada
    hejsan, hallå, tja, god morgon, god kväll, kära, käre, kære, hei, god dag, god morgen, god aften, goddag, halløj
    ahoj, čau, dobrý den, dobré ráno, dobrý večer, milý, milá, vážený, vážená, zdravím
    привет, здравствуйте, здравствуй, добрый день, добрый вечер, доброе утро, уважаемый, уважаемая, дорогой, дорогая
    moi, terve, hyvää päivää
    """,
    Kind.THANKS: """
    thanks, thank you, thx, many thanks, tia, ta, sorry, so sorry, apologies, my apologies, please excuse, excuse me
    please find, please see, good luck, good game, have fun, have a, enjoy, happy, merry, well done, well played
    congratulations, congrats, nice, great, wow, welcome back, welcome, hope, hopefully, glad, see below, as follows, here
    these are, this is my, this is our, that s it, that s all, that is it, that is all, that would be all, done
    let me know if, tell me if, sorry if, no worries, no problem, no hurry, talk, see you, see ya, speak
    take care, keep up, keep well, keep safe, stay safe, stay healthy, stay well, drive safely, drive carefully, good to
    danke, vielen dank, besten dank, herzlichen dank, dankeschön, tschuldigung, entschuldigung, entschuldige, entschuldigt
    sorry für, viel spaß, viel spass, viel glück, viel erfolg, hier, anbei, bitte entschuldige, bis bald, bis dann
    bis später, bis demnächst, schönen tag, schönes, schöne, frohe, frohes, das wär s, das war s, das wars
    merci, désolé, désolée, pardon, voici, voilà, bonne, bon, joyeux, à bientôt, à plus, c est tout, excusez
    gracias, muchas gracias, mil gracias, perdón, perdona, perdonad, lo siento, aquí, aqui, estas son, suerte, feliz
    buena suerte, hasta, eso es todo, que tengas
    grazie, mille grazie, grazie mille, scusa, scusate, mi dispiace, ecco, buona, buon, a presto, a dopo, è tutto
    bedankt, dank je, dankjewel, dank u, hartelijk dank, alvast bedankt, excuses, mijn excuses, hierbij, veel plezier
    veel succes, succes, tot, fijne, prettige, dat was het
    dziękuję, dziekuje, dzięki, dzieki, przepraszam, oto, powodzenia, miłego, miłej, do zobaczenia, na razie, to wszystko
    obrigado, obrigada, muito obrigado, muito obrigada, desculpa, desculpe, desculpem, boa sorte, aí vai, seguem, até
    bom fim de semana, é tudo
    tack, tack så mycket, tusen tack, förlåt, ursäkta, här kommer, här är, lycka till, vi ses, trevlig, ha det, det var allt
    tak, mange tak, tusind tak, på forhånd tak, undskyld, beklager, her kommer, her er, held og lykke, god fornøjelse
    vi ses, takk, tusen takk, lykke til
    díky, diky, děkuji, dekuji, děkuju, moc děkuji, omlouvám se, promiň, promiňte, hodně štěstí, tady jsou, zde jsou
    спасибо, большое спасибо, извините, извини, простите, удачи, вот, до встречи, до свидания, пока
    kiitos, anteeksi
    i hope, i am, i m, i was, i ve been, i have been, i will be, i ll be, i apologise, i apologize, i look forward
    i enjoy, i enjoyed, i really enjoy, i really enjoyed, i love, i wish you, we wish you, looking forward, it was
    it s been, ich hoffe, ich bin, ich wünsche, ich freue, freue mich, je suis, j espère, je vous souhaite, espero
    spero, ik hoop, ik ben, mam nadzieję, jag hoppas, jeg håber, doufám, надеюсь
    """,
    Kind.CLOSING: """
    regards, best regards, kind regards, kindest regards, warm regards, warmest regards, with kind regards, many regards
    with best regards, best wishes, with best wishes, all the best, best, cheers, yours, yours sincerely, sincerely
    yours truly, yours faithfully, faithfully, respectfully, love, cordially, br, kr, rgds, bye, bye bye, cu, cya, xo, ttyl
    grüße, gruesse, grüsse, gruß, gruss, viele grüße, viele gruesse, viele grüsse, liebe grüße, liebe gruesse, liebe grüsse
    lieben gruß, beste grüße, beste gruesse, besten gruß, schöne grüße, schönen gruß, herzliche grüße, herzlichst
    sonnige grüße, mit freundlichen grüßen, mit freundlichen gruessen, mit freundlichem gruß, mit besten grüßen
    mit lieben grüßen, mit herzlichen grüßen, freundliche grüße, freundliche grüsse, hochachtungsvoll, mfg, lg, vg, bg
    tschüss, tschüs, ciao ciao, euer, eure, dein, deine, ihr
    cordialement, bien cordialement, très cordialement, amicalement, bien amicalement, amitiés, salutations
    meilleures salutations, sincères salutations, bien à vous, bien à toi, bises, bisous, bàv
    saludos, un saludo, un cordial saludo, saludos cordiales, atentamente, atte, un abrazo, abrazos, cordialmente, besos
    saluti, cordiali saluti, distinti saluti, un saluto, tanti saluti, cordialmente, un abbraccio, a presto
    groet, groeten, groetjes, met vriendelijke groet, met vriendelijke groeten, vriendelijke groet, vriendelijke groeten
    hartelijke groet, hartelijke groeten, met hartelijke groet, mvg, vr gr, gr
    pozdrawiam, pozdrowienia, serdecznie pozdrawiam, pozdrawiam serdecznie, z poważaniem, z pozdrowieniami, pzdr
    abraço, abraços, um abraço, cumprimentos, melhores cumprimentos, com os melhores cumprimentos, atenciosamente
    cordiais saudações, saudações, beijos
    hälsningar, vänliga hälsningar, med vänlig hälsning, med vänliga hälsningar, bästa hälsningar, många hälsningar, mvh
    hilsen, hilsner, venlig hilsen, med venlig hilsen, venlige hilsner, de bedste hilsner, mange hilsner, kh, vh
    vennlig hilsen
    med vennlig hilsen, hej då, hej hej
    s pozdravem, s pozdravom, s úctou, hezký den, mějte se, měj se, pozdravy
    с уважением, с наилучшими пожеланиями, всего доброго, всего хорошего, искренне ваш
    terveisin, ystävällisin terveisin
    """,
    Kind.DEVICE: """
    sent from, sent via, sent with, sent using, sent by, sent on the go, get outlook for, download outlook, envoyé de
    envoyé depuis, envoyé à partir de, envoyé avec, envoyé par, télécharger outlook, obtenez outlook, téléchargez outlook
    von meinem, von mein, gesendet von, gesendet mit, gesendet über, gesendet aus, diese nachricht wurde von
    diese nachricht wurde mit, outlook für, hol dir outlook, holen sie sich outlook, mit der telekom mail app
    enviado desde, enviado con, enviado mediante, enviado do, enviado via, enviado a partir, enviado pelo, enviado de
    obtener outlook, obter o outlook, obtenga outlook, descargar outlook
    inviato da, inviato dal, inviato con, scarica outlook, ottieni outlook, inviata da
    verzonden vanaf, verzonden met, verstuurd vanaf, verstuurd met, outlook voor, download outlook voor
    wysłano z, wysłane z, wysłano za, pobierz outlook, pobierz program outlook, uzyskaj outlook
    skickat från, skickat med, hämta outlook, skickades från
    sendt fra, sendt med, hent outlook, få outlook
    odesláno z, odesláno pomocí, posláno z, získat outlook, získejte outlook, stáhnout outlook
    отправлено с, отправлено из, отправлено через, отправлено от, получить outlook, скачать outlook
    lähetetty
    """,
    Kind.FOOTER: """
    this email has been checked, this e mail has been checked, this email was scanned, this message was scanned
    virus free, this email is free from viruses, no virus found, checked by avg, scanned by, this email has been scanned
    diese e mail wurde von avast, diese e mail wurde auf viren, virenfrei, diese e mail ist frei von viren
    l absence de virus, garanti sans virus, sans virus, cet e mail a été vérifié, este correo electrónico ha sido comprobado
    este correo electrónico se ha comprobado, libre de virus, sin virus, questa e mail è stata controllata, privo di virus
    mail priva di virus, deze e mail is gecontroleerd, virusvrij, ta wiadomość została sprawdzona
    ta wiadomość e mail została
    wolny od wirusów, este email foi escaneado, este e mail foi verificado, livre de vírus, denna e post har kontrollerats
    virusfri, denne e mail er blevet kontrolleret, tento e mail byl zkontrolován, neobsahuje žádné viry, bez virů
    это сообщение проверено, без вирусов
    confidentiality notice, confidential, confidentiality, disclaimer, legal notice, legal disclaimer, important notice
    privileged and confidential, this message is confidential, this message and any, this message contains
    this e mail and any
    this e mail is confidential, this e mail message, this email and any, this email is confidential, this email message
    this email contains, this e mail contains, this communication, the information contained in, the information in this
    the contents of this, if you are not the intended, if you have received this, please consider the environment
    please think of the environment, think before you print, save a tree, caution external, caution this email
    external email
    registered office, registered in england, company number, vat no
    diese e mail enthält, diese e mail ist vertraulich, diese nachricht ist vertraulich, diese e mail und, vertraulichkeit
    wichtiger hinweis, rechtlicher hinweis, haftungsausschluss, der inhalt dieser e mail, denken sie an die umwelt
    bitte denken sie an die umwelt, bitte prüfen sie, geschäftsführer, sitz der gesellschaft, amtsgericht, registergericht
    ce message, cet e mail, ce courriel, les informations contenues, avis de confidentialité, pensez à l environnement
    afin de respecter, avant d imprimer, n imprimez
    este mensaje, este correo, la información contenida, aviso de confidencialidad, aviso legal, antes de imprimir
    no imprima, piense en el medio
    questo messaggio, il presente messaggio, questa e mail, le informazioni contenute, avviso di riservatezza
    rispetta l ambiente
    prima di stampare, informativa
    dit bericht, deze e mail, de informatie in, de inhoud van dit, aan dit bericht, denk aan het milieu
    ta wiadomość, niniejsza wiadomość, treść tej wiadomości, informacje zawarte, klauzula, zanim wydrukujesz
    esta mensagem, este e mail, este email, as informações contidas, aviso legal, antes de imprimir
    detta meddelande, detta e postmeddelande, denna e post, innehållet i detta, tänk på miljön
    denne e mail, denne meddelelse, denne besked, oplysningerne i, indholdet af denne, tænk på miljøet
    tato zpráva, tento e mail, obsah této zprávy, informace obsažené, tento email
    данное сообщение, настоящее сообщение, это письмо, информация содержащаяся, это электронное
    you received this message because, you are receiving this because, you are subscribed to, to unsubscribe
    to view this discussion, to post to this group, for more options, visit this group, groups io links
    view reply online, view all messages, reply to this email directly, mute this topic, group owner, unsubscribe
    change your subscription, to manage your subscription, sie erhalten diese nachricht, um sich abzumelden
    um sich von dieser gruppe abzumelden, vous recevez ce message, pour vous désabonner, has recibido este mensaje
    to send orders answer this mail, do you yahoo, yahoo mail, posted by, reply via, archives, list archives, mailing list
    """,
    Kind.LABEL: """
    orders, my orders, our orders, orders for, the orders, my moves, moves, my turn, order sheet, turn orders
    befehle, meine befehle, züge, meine züge, zug, mein zug, ordres, mes ordres, órdenes, ordenes, mis órdenes, ordini
    i miei ordini, orders van, mijn orders, rozkazy, moje rozkazy, ordens, minhas ordens, mina order, mina orders
    mine ordrer
    ordrer, rozkazy, moje příkazy, příkazy, приказы, мои приказы, ходы, мой ход
    """,
    Kind.REMARK: """
    ps, p s, pps, nb, n b, note, notes, btw, fyi, question, a question, comment, comments, remark, remarks, press, chat
    message, hinweis, anmerkung, frage, bemerkung, übrigens, remarque, nota, domanda, pregunta, vraag, opmerking, uwaga
    pytanie, pergunta, fråga, spørgsmål, poznámka, dotaz, вопрос, примечание
    """,
}
PHRASES: Final[Mapping[Kind, list[str]]] = {
    kind: [phrase.strip() for phrase in words.replace("\n", ",").split(",") if phrase.strip()]
    for kind, words in _PHRASES.items()
}
"""Phrases by kind; of two that match, the longer one counts."""
_THANKS: Final = """
thanks thank thx ty tia cheers sorry danke merci gracias grazie bedankt dank dziękuję dziekuje dzięki dzieki obrigado
obrigada tack tak takk díky diky děkuji dekuji спасибо kiitos ok okay oké lol haha regards saludos saluti groeten
"""
COURTEOUS: Final = PLEASE.union(_THANKS.split())
"""Words before or after an order that do not change it."""
LABELS: Final = frozenset(
    {"first", "1st", "second", "2nd", "third", "3rd", "fourth", "4th", "fifth", "next", "then", "also", "finally"}
    | {"order", "orders", "move", "moves", "action", "actions", "play", "step", "befehl", "befehle", "zug", "züge"}
    | {"aktion", "aktionen", "erstens", "zuerst", "dann", "danach", "zuletzt", "schritt", "ordre", "ordres", "coup"}
    | {"premier", "ensuite", "puis", "enfin", "étape", "orden", "ordenes", "órdenes", "jugada", "acción", "primero"}
    | {"luego", "después", "paso", "ordine", "ordini", "mossa", "mosse", "azione", "primo", "poi", "infine", "zet"}
    | {"zetten", "actie", "acties", "eerst", "daarna", "stap"}
)
"""Words that may announce an order, as in “My first move: DRAW”."""
BESIDE_LABELS: Final = frozenset(
    {"my", "our", "the", "mein", "meine", "mon", "mes", "mi", "mis", "mio", "mia", "miei", "mijn", "onze", "is"} | {"are"}
)
"""Words beside them in such a label."""
