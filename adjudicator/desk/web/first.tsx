// The first page: your games, those with your turn first; a place for files; games to play, to learn and to begin; and the
// auditor's desk, where the program decides recorded games again.
import { useEffect, useState } from "preact/hooks";
import type { Audited, KnownGame } from "./answers";
import { say } from "./elements";
import type { OwnPython } from "./engine";
import { DropPlace, type Taken } from "./files";
import { type Copy, forget, keptFiles, type Post } from "./kept";
import { type Begun, NewGame } from "./new_game";
import { counted } from "./why";

interface FirstProps {
  engine: OwnPython;
  added: number; // grows when files are added to the list
  onOpen(name: string, bytes: Uint8Array, post: Post | null, from?: Taken): void;
  onAdd(files: Taken[]): void;
  onPractice(game: KnownGame, seats: readonly string[], isAlone: boolean): void;
  onLearn(ruleset: string): void;
  onBegun: Begun;
}

export function First({ engine, added, onOpen, onAdd, onPractice, onLearn, onBegun }: FirstProps) {
  const [known, setKnown] = useState<{ games: KnownGame[]; seats: string[] }>({ games: [], seats: [] });
  useEffect(() => {
    engine.ready.then(async () => setKnown(await engine.ask("games")), () => {});
  }, []);
  return (
    <div class="welcome">
      <YourGames added={added} onOpen={onOpen} />
      <DropPlace isLarge keepsHandles id="file" accept=".json,.txt" title="Open a game" words="Drop your game file here, or click to choose it. A player gets one with each report, a moderator has the file of the game. Drop several of your own files to see where it is your turn."
        onTake={(files) => (files.length === 1 ? onOpen(files[0].name, files[0].bytes, null, files[0]) : onAdd(files))} />
      <section>
        <h2>Play here</h2>
        <p class="hint">You play one seat, and simulated players play the others. Or you play all seats. Or you learn to write orders in ten small tasks.</p>
        <div class="games">
          {known.games.map((game) => (
            <div class="game" key={game.id}>
              <strong>{game.name}</strong>
              <span>{playersOf(game)}</span>
              <button type="button" class="primary" aria-label={`Play one seat of ${game.name}`} onClick={() => onPractice(game, known.seats, true)}>Play one seat</button>
              <button type="button" aria-label={`Play all seats of ${game.name}`} onClick={() => onPractice(game, known.seats, false)}>Play all seats</button>
              <button type="button" aria-label={`Learn the orders of ${game.name}`} onClick={() => onLearn(game.id)}>Learn the orders</button>
            </div>
          ))}
        </div>
      </section>
      {known.games.length > 0 && <NewGame engine={engine} games={known.games} seats={known.seats} onBegun={onBegun} />}
      <Auditor engine={engine} onOpen={onOpen} />
    </div>
  );
}

const playersOf = ({ players: [least, most] }: KnownGame) => (least === most ? `${least} players` : `${least} to ${most.toLocaleString("en")} players`);

// The players' own files that were opened before.
function YourGames({ added, onOpen }: Pick<FirstProps, "added" | "onOpen">) {
  const [files, setFiles] = useState<Copy[]>([]);
  const read = () => void keptFiles().then(setFiles);
  useEffect(read, [added]);
  if (!files.length) return null;
  const isDue = ({ game }: Copy) => game.due.includes(game.own!);
  const [due, others] = [files.filter(isDue), files.filter((file) => !isDue(file))];
  const task = ({ key, game, name, bytes, opened, post }: Copy, words: string) => (
    <li key={key}>
      <button type="button" class={words && "primary"} onClick={() => onOpen(name, bytes, post)}>{words}{game.id}</button>
      <span>{game.name}, {game.own}, {game.over ? "the game is over" : `turn ${game.turn}`}, file opened on {new Date(opened).toLocaleDateString("en", { day: "numeric", month: "long" })}</span>
      <button type="button" aria-label={`Forget ${game.id}`} onClick={() => forget(key).then(read)}>Forget</button>
    </li>
  );
  return (
    <section class="tasks" aria-label="Your games">
      <h2>Your games</h2>
      {due.length ? <ul>{due.map((file) => task(file, "Your turn in "))}</ul> : <p class="hint">You have nothing to decide in these games.</p>}
      {due.length > 0 && others.length > 0 && <h3>Nothing to do</h3>}
      {others.length > 0 && <ul class="waiting">{others.map((file) => task(file, ""))}</ul>}
      <p class="hint">This browser keeps copies of the files that you opened. Keep your own files, too: a browser may forget its copies.</p>
    </section>
  );
}

interface Heard { name: string; bytes: Uint8Array; results?: Audited[]; error?: string }

function Auditor({ engine, onOpen }: Pick<FirstProps, "engine" | "onOpen">) {
  const [heard, setHeard] = useState<Heard[]>([]);
  async function audit(files: Taken[]) {
    const found: Heard[] = [];
    for (const { name, bytes } of files) {
      setHeard([...found, { name, bytes }]);
      const answer = await engine.ask("audit_file", { name }, [bytes]).catch((error: Error) => ({ error: error.message }));
      found.push({ ...answer, name, bytes });
    }
    setHeard(found);
    say(`${counted(files.length, "file")} audited.`);
  }
  return (
    <section>
      <h2>Audit recorded games</h2>
      <DropPlace title="Games, scripts and archives" words="Drop them here, or click to choose them: the program decides every order again." onTake={audit} />
      <ul class="verdicts" aria-live="polite">
        {heard.map(({ name, bytes, results, error }, at) => (
          <li key={at}>
            {error !== undefined ? <p class="bad">{error}</p> : !results && `${name}: the program decides every order again …`}
            {results?.map((one, number) => <p key={number} class={one.verified === null ? "hint" : one.verified ? "good" : "bad"}>{one.text}</p>)}
            {results?.length === 1 && results[0].verified !== null && <button type="button" onClick={() => onOpen(name, bytes, null)}>Look at {name}</button>}
          </li>
        ))}
      </ul>
    </section>
  );
}
