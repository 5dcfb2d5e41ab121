"""Hold published texts of a game against each other without the program: `python verify_published.py TEXT... [GAME.json]`.

Standard library only. Texts are reports, logs, receipts and positions as they were sent, as text or JSON, or the mails in
which they are quoted: your own over time, and those of other players. Each has heads, `head 12 3f2a…`: the number of an
entry, and a proof that fixes it and everything before it. Of one entry all must be the same, whoever has them and whenever
they were sent; so must the commitment, and what logs in lines of JSON say of who did what in which turn.

As long as the game lasts, nobody but the moderator can make a proof: that texts agree says only that nothing was changed
between them. Add the game file, once it is published: its secret must be the one committed to, its chain of hashes must
hold, and every proof in the texts is made again from it. Exit code: 0 all agree, 1 something does not, 2 nothing to compare.
"""

import email
import email.policy
import hashlib
import hmac
import json
import re
import sys

HEAD = re.compile(r"\bhead +([0-9]{1,9})\s+([0-9a-f]{16,64})(?![0-9a-f])", re.IGNORECASE)
COMMITMENT = re.compile(r"\bcommitment\s+([0-9a-f]{64})(?![0-9a-f])", re.IGNORECASE)
QUOTE = re.compile(r"^(?:[ \t]?[>|] ?)+", re.MULTILINE)
FIELD = re.compile(rb"(?:From|Received|Return-Path|Date|Message-ID|MIME-Version|Delivered-To|Subject):", re.IGNORECASE)
DIGEST = re.compile("[0-9a-f]{64}")
SKIPPED = "(condition not met)"


def text_of(data):
    """Return the text in the bytes of a file, of a mail its body, without the marks of quotes."""
    if FIELD.match(data):
        body = email.message_from_bytes(data, policy=email.policy.default).get_body(("plain", "html"))
        text = body.get_content() if body else ""
    else:
        text = data.decode("utf-8-sig", "replace")
    return QUOTE.sub("", text.replace("\r\n", "\n"))


def said(text):
    """Yield what a text says: of each entry its proof, and who did what; and the commitments."""
    for line in [text, *text.split("\n")]:
        try:
            left = [json.loads(line)] if line[:1] in ("{", "[") else []
        except (ValueError, RecursionError):
            continue
        while left:
            value = left.pop()
            if isinstance(value, dict):
                yield from said_in(value)
                is_trial = value.get("changed") is False and "accepted" in value  # of orders that never were
                left += [] if is_trial else value.values()
            elif isinstance(value, list):
                left += value
    for number, proof in HEAD.findall(text):
        yield ("proof", int(number)), proof.lower()
    for commitment in COMMITMENT.findall(text):
        yield ("commitment",), commitment.lower()


def said_in(row):
    """Yield what one object of JSON says."""
    if isinstance(row.get("commitment"), str) and DIGEST.fullmatch(row["commitment"]):
        yield ("commitment",), row["commitment"]
    number, known = row.get("n"), row.get("public")
    if type(number) is not int or row.get("skipped"):  # what was skipped has no number of its own
        return
    if isinstance(known, dict):  # the moderator's log has the players' number beside his own
        number, row = known.get("n"), {**row, "order": known.get("order", row.get("order"))}
    if type(number) is not int:
        return
    if isinstance(row.get("proof"), str) and DIGEST.fullmatch(row["proof"]):
        yield ("proof", number), row["proof"]
    if row.get("order") and {"turn", "seat", "told"} <= row.keys():
        yield ("order", number), json.dumps([row["turn"], row["seat"], row["order"]], ensure_ascii=False)


def canonical(value):
    """Return the canonical JSON of a value, as it is hashed."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def said_by_game(game):
    """Yield what a game file says, all of it computed again. Raises ``ValueError`` where it does not hold together."""
    chance, setup = game["chance"], game["setup"]
    if not chance["secret"]:
        raise ValueError("it has no secret: no proof can be made from it")
    key = bytes.fromhex(chance["secret"])
    if hashlib.sha256(b"adjudicator commit 1\n" + key).hexdigest() != chance["commitment"]:
        raise ValueError("its secret is not the one committed to")
    yield ("commitment",), chance["commitment"]
    # The first member is the number of the way of chaining, the same in files of all formats.
    heading = [1, game["id"], game["ruleset"], game["components"], chance["source"], chance["commitment"]]
    heading += [chance["entropy"], setup["players"], setup["options"], setup["position"]]
    heading += ["promised", chance.get("without", [])] if chance.get("promised") else []
    before, number = hashlib.sha256(b"adjudicator game\n" + canonical(heading)).hexdigest(), 0
    for at, link in enumerate(game["journal"]):
        before = hashlib.sha256(before.encode() + canonical(link["entry"])).hexdigest()
        if before != link["hash"]:
            raise ValueError(f"entry {at} does not fit its hash")
        if link["entry"]["order"] != SKIPPED:  # players count without those
            yield ("proof", number), hmac.digest(key, b"adjudicator proof 1\n" + before.encode(), "sha256").hex()
            number += 1
    yield ("end",), str(number - 1)


def differences(texts):
    """Yield what does not agree in ``texts``, each with its name and what it says, the first entry first."""
    first = {}
    for name, facts in texts:
        for what, value in facts:
            known_by, known = first.setdefault(what, (name, value))
            if len(value) > len(known) and value.startswith(known):  # a head may have been shortened
                first[what] = name, value
            if not (known.startswith(value) or value.startswith(known)):
                entry = what[1] if len(what) > 1 else -1
                kind = f"{what[0]} of entry {entry}" if len(what) > 1 else what[0]
                yield entry, f"{kind}: {known_by} has {known[:99]}, {name} has {value[:99]}"
    if ("end",) in first:
        last = int(first["end",][1])
        for what in [what for what in first if len(what) > 1 and what[1] > last]:
            yield what[1], f"entry {what[1]} stands in {first[what][0]}, and the game file ends with entry {last}"


def read(name):
    """Return what the file ``name`` says, and whether it is a game file."""
    with open(name, "rb") as file:
        data = file.read()
    try:
        game = json.loads(data)
    except (ValueError, RecursionError):
        game = None
    if isinstance(game, dict) and {"journal", "chance", "setup"} <= game.keys():
        return list(said_by_game(game)), True
    return list(dict.fromkeys(said(text_of(data)))), False


def main(names):
    """Compare the files and print what came of it; return the exit code."""
    texts, games = [], []
    for name in names:
        try:
            facts, is_game = read(name)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            print(f"{name}: {error}")
            return 1
        (games if is_game else texts).append((name, facts))
    silent = [name for name, facts in texts if not facts]
    found = [words for _, words in sorted(differences(games + texts))]
    heads = {what[1] for _, facts in texts for what, _ in facts if what[0] == "proof"}
    for line in [*found, *(f"{name}: there is nothing in it to compare" for name in silent)]:
        print(line)
    if found:
        return 1
    if not heads or len(texts) + len(games) < 2:
        print("nothing to compare: give at least two texts of one game with heads")
        return 2
    proved = "and the game file proves them" if games else "the game file, once it is published, proves them"
    print(f"agree: {len(texts)} texts with the proofs of {len(heads)} entries, up to entry {max(heads)}; {proved}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
