// The table of a player whose club serves the page: the club answers, and takes the orders.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { SeatState } from "./answers";
import { say } from "./elements";
import { ClubPython } from "./engine";
import { forgetValue, remember, remembered } from "./kept";
import type { Outcome } from "./sheet";
import { Table } from "./table";

const OFTEN = 20_000; // how often a page that is visible asks the club what is new, in milliseconds
const SOON = 1_000; // the same after orders were sent; each time it doubles

// What the club has written into its page (see adjudicator/serve/templates/board.html); `base` ends with the seat.
export interface Served { base: string; token: string; position: string; title: string }

export function ClubTable({ base, token, position, title }: Served) {
  const club = useMemo(() => new ClubPython(base, token, position), []);
  const [state, setState] = useState(1);
  const [now, setNow] = useState<SeatState | null>(null);
  club.onState = setState;
  const pace = useRef({ wait: OFTEN, timer: 0, isLost: false }).current;

  async function look() {
    clearTimeout(pace.timer);
    if (document.hidden) return; // a visible page asks at once
    try {
      const found = await club.now();
      setNow(found);
      document.title = found.is_due ? `Your turn: ${title}` : title;
      if (pace.isLost) say("");
      pace.isLost = false;
    } catch (error) {
      pace.isLost = true;
      say((error as Error).message, "bad");
    }
    pace.wait = Math.min(pace.wait * 2, OFTEN);
    clearTimeout(pace.timer);
    pace.timer = setTimeout(look, pace.wait);
  }
  useEffect(() => {
    document.addEventListener("visibilitychange", look);
    document.body.dataset.ready = "yes";
  }, []);
  useEffect(() => void look(), [state]);

  // Send orders. If an answer is lost, the next try has the same key, also after the page was loaded again.
  async function send(text: string, turn: number): Promise<Outcome> {
    const place = `sending ${base}`;
    const before = remembered(place);
    const key: string = before?.text === text && before.turn === turn ? before.key : newKey();
    remember(place, { text, turn, key });
    let found = await club.send(text, turn, key);
    for (let tries = 0; found.state === "new" && tries < 5; tries++) {
      say("The club has your orders, and is busy: the receipt comes soon …");
      await new Promise((resolve) => setTimeout(resolve, SOON << tries));
      found = await club.send(text, turn, key);
    }
    forgetValue(place);
    say("");
    pace.wait = SOON;
    void look();
    const isGood = !found.problems.length && found.state !== "held";
    return { words: found.receipt, kind: isGood ? "good" : "bad", clear: false, isSent: isGood };
  }

  return <Table engine={club} viewer={base.slice(base.lastIndexOf("/") + 1)} state={state} keeps sending={{ kind: "play", label: "Send orders", send }} note={now?.words || now?.until} />;
}

// A key that nobody else can have sent. `crypto.randomUUID` needs https.
const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
