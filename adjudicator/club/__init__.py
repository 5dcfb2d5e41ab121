"""Run a club of games by mail: one ledger has its people, seats, mails and letters; each game has its own file.

A file imports only from those above it in this list.

`deadlines` durations and due times · `settings` the documents of the club · `db` the ledger as a file · `club` the
context, and rows of games, seats, people and mails · `letters` what the club writes, with tokens · `matters` what waits
for the moderator · `clock` deadlines, pauses, time banks · `reports` for each reader: mails and pages · `holidays` and
who plays meanwhile · `people` members, their names and standing · `commands` the lines of mails that the club carries out
· `counting` which mail counts, and the receipt · `messages` between players · `seats` games and their players · `lists`
games that will begin · `tournament` rounds of games · `requests` the effect of each command · `post` what goes out ·
`mails` who wrote a mail, and the steps of each · `turns` the steps of one game · `public` pages · `status` what the
moderator sees · `doctor` checks · `folder` new clubs, copies, clubs of 1.0.0 · `rounds` all that is due
"""


class ClubError(Exception):
    """The moderator's request makes no sense; the message says why."""

    kind = "misuse"
    exit_code = 2
