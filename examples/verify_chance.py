"""Check the chance of a game file without the program: `python verify_chance.py GAME.json [WORD] [N PURPOSE THING...]`.

Standard library only. It checks that the secret is the one committed to on the first day and that no journal entry was
changed since. WORD is the commitment or the promise as the players were told it, if it is to be compared. With N (from 0),
the PURPOSE of a draw in words and the THINGS it was among, in their order, it computes which of them outcome N was. The
purposes are those of docs/draws.md, such as "a tile of the stack for red". A game whose chance is recorded has no secret:
of it only the chain is checked.
"""

import hashlib
import hmac
import json
import sys

COMMIT = b"adjudicator commit 1\n"


def canonical(value):
    """Return the canonical JSON of a value, as it is hashed."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def check(game, told):
    """Yield what is wrong with the commitment and the chain of hashes."""
    chance, setup = game["chance"], game["setup"]
    commitment = chance["secret"] and hashlib.sha256(COMMIT + bytes.fromhex(chance["secret"])).hexdigest()
    promised = promise(game) if chance.get("promised") else commitment
    if commitment != chance["commitment"] or (told and told not in (commitment, promised)):
        yield f"the secret is not the one committed to: it gives {commitment}" if commitment else "there is no secret"
    # The first member is the number of the way of chaining, the same in files of all formats.
    heading = [1, game["id"], game["ruleset"], game["components"], chance["source"], chance["commitment"]]
    heading += [chance["entropy"], setup["players"], setup["options"], setup["position"]]
    if chance.get("promised"):  # all of it but the words was published before the words were known
        heading += ["promised", chance.get("without", [])]
    before = hashlib.sha256(b"adjudicator game\n" + canonical(heading)).hexdigest()
    for number, link in enumerate(game["journal"]):
        before = hashlib.sha256(before.encode() + canonical(link["entry"])).hexdigest()
        if before != link["hash"]:
            known = players_number(game, number)
            yield f"entry {number}{'' if known == number else f' (of the players: {known})'} was changed afterwards"
            return


def players_number(game, number):
    """Return the number by which players know an entry: they are not told of orders whose condition did not hold."""
    return number - sum(link["entry"].get("order") == "(condition not met)" for link in game["journal"][: number + 1])


def promise(game):
    """Return what was published before the players sent their words: it fixes everything but those and the secret."""
    setup = game["setup"]
    fixed = [game["id"], game["ruleset"], game["components"], game["chance"]["commitment"]]
    fixed += [setup["players"], setup["options"], setup["position"]]
    return hashlib.sha256(b"adjudicator promise 1\n" + canonical(fixed)).hexdigest()


def words(game, number):
    """Return the players' words as outcome ``number`` was drawn with them: with later ones their count, and the latest."""
    count, latest = 0, dict(game["chance"]["entropy"])
    for event in (event for link in game["journal"] for event in link["entry"]["events"]):
        if event["kind"] == "word-sent" and event["outcome"] <= number:
            count, latest = count + 1, {**latest, event["seat"]: event["word"]}
    return [count, latest] if count else latest


def outcome(game, number, purpose, things):
    """Return which of the things outcome ``number`` was."""
    context = b"adjudicator draw 1\n" + canonical(words(game, number)) + b"\n"
    fair, attempt = 2**256 - 2**256 % len(things), 0
    while True:
        message = context + f"{number}\n{attempt}\n{purpose}".encode()
        value = int.from_bytes(hmac.digest(bytes.fromhex(game["chance"]["secret"]), message, "sha256"), "big")
        if value < fair:
            return things[value % len(things)]
        attempt += 1


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        played = json.load(file)
    rest = sys.argv[2:]
    word = rest.pop(0) if rest and len(rest[0]) == 64 else ""
    problems = list(check(played, word))
    recorded = played["chance"]["source"] == "recorded"
    promise = "no secret: its chance is recorded" if recorded else f"commitment {played['chance']['commitment']}"
    print("\n".join(problems) or f"sound: {len(played['journal'])} entries, {promise}")
    if rest and recorded:
        problems.append("a recorded outcome cannot be computed: it stands in the game file, behind its order")
        print(problems[-1])
    elif rest and played["chance"]["secret"]:
        print(f"outcome {rest[0]}: {outcome(played, int(rest[0]), rest[1], rest[2:])}")
    sys.exit(1 if problems else 0)
