// A form to begin a game as its moderator. The program describes its fields, and each mistake is shown beside its field.
import type { JSX } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { KnownGame, OpenGame, Option } from "./answers";
import type { Engine, Refusal } from "./engine";
import type { Addresses } from "./kept";

// Shows the new game; `addresses` has the players' mail addresses by seat.
export type Begun = (game: OpenGame, addresses: Addresses) => void;

type Values = Record<string, string>;
interface Row { key: number; seat: string; player: string; address: string; options: Values }

const seatOf = (row: Row) => row.seat.trim().toLowerCase();
const filled = (options: Values, suffix = "") => Object.entries(options).filter(([, value]) => value.trim()).map(([name, value]) => [name + suffix, value.trim()]);

export function NewGame({ engine, games, seats, onBegun }: { engine: Engine; games: KnownGame[]; seats: string[]; onBegun: Begun }) {
  const [game, setGame] = useState(games[0]);
  const [set, change] = useState(() => setupOf(games[0]));
  const [faults, blame] = useState<Values>({}); // by the part of the set-up; "": of no field
  const form = useRef<HTMLFormElement>(null);
  const [least, most] = game.players;
  const next = useRef(""); // what gets the focus when a row has come or gone
  const focus = (place: string) => form.current?.querySelector<HTMLElement>(place)?.focus();
  // Before the page is drawn: a focus that came later would scroll the page under a click that follows at once.
  useLayoutEffect(() => focus("[aria-invalid=true]"), [faults]);
  useLayoutEffect(() => void (next.current && focus(next.current)), [set.rows.length]);

  function setupOf(chosen: KnownGame) {
    const rows: Row[] = [];
    while (rows.length < Math.max(chosen.players[0], Math.min(2, chosen.players[1]))) rows.push(another(rows));
    return { id: chosen.id, components: chosen.component_sets[0] ?? "", options: {} as Values, rows };
  }
  function another(rows: Row[]): Row {
    const seat = seats.find((name) => !rows.some((row) => row.seat === name)) ?? `seat${rows.length + 1}`;
    return { key: (rows.at(-1)?.key ?? 0) + 1, seat, player: "", address: "", options: {} };
  }
  function changeRows(rows: Row[], place: string) {
    next.current = place;
    change({ ...set, rows });
  }
  const changeRow = (at: number, values: Partial<Row>) => change({ ...set, rows: set.rows.with(at, { ...set.rows[at], ...values }) });

  async function begin(event: Event) {
    event.preventDefault();
    const wrong = form.current!.querySelector<HTMLInputElement>("input[type=email]:invalid");
    if (wrong) return blame({ [`address:${wrong.dataset.row}`]: "Write one address, such as ann@example.org." });
    blame({});
    const asked = engine.ask("new", {
      ruleset: game.id,
      id: set.id.trim(),
      components: set.components,
      players: set.rows.map((row): [string, string] => [seatOf(row), row.player.trim()]),
      options: Object.fromEntries([...filled(set.options), ...set.rows.flatMap((row) => filled(row.options, `.${seatOf(row)}`))]),
    });
    try {
      return onBegun((await asked).game, Object.fromEntries(set.rows.map((row) => [seatOf(row), row.address.trim()])));
    } catch (error) {
      showFaults(error as Refusal);
    }
  }
  // Show each mistake at its field, or below the form if it has none.
  function showFaults({ message, problems }: Refusal) {
    const shown = new Set(["id", "seat", ...set.rows.flatMap((row, at) => [`seat:${at}`, `player:${at}`, ...per(true).map((one) => `option:${one.name}.${seatOf(row)}`)]), ...per(false).map((one) => `option:${one.name}`)]);
    const said: Values = {};
    for (const { part, message: words } of problems?.length ? problems : [{ part: "", message }]) {
      const place = shown.has(part) ? part : "";
      said[place] = [said[place], words].filter(Boolean).join(" ");
    }
    blame(said);
  }

  const per = (isSeats: boolean) => game.options.filter((one) => one.per_seat === isSeats);
  return (
    <details class="new-game">
      <summary>Begin a game as its moderator</summary>
      <form ref={form} noValidate aria-label="New game" onSubmit={begin}>
        <div class="fields">
          <Field label="Game" input={(about) => (
            <select {...about} value={game.id} onChange={({ currentTarget: { value } }) => {
              const chosen = games.find((one) => one.id === value)!;
              setGame(chosen);
              change(setupOf(chosen));
              blame({});
            }}>{games.map((one) => <option key={one.id} value={one.id}>{one.name}</option>)}</select>
          )} />
          <Text label="Name of the game" fault={faults.id} help="The game file gets this name. Use letters, digits, dots and dashes." value={set.id} onValue={(id) => change({ ...set, id })} />
          {game.component_sets.length > 1 && (
            <Field label="Component set" input={(about) => (
              <select {...about} value={set.components} onChange={(event) => change({ ...set, components: event.currentTarget.value })}>{game.component_sets.map((name) => <option key={name}>{name}</option>)}</select>
            )} />
          )}
        </div>
        <div class="rows">
          {set.rows.map((row, at) => (
            <fieldset class="fields" key={row.key}>
              <legend>Player {at + 1}</legend>
              <Text label="Seat" fault={faults[`seat:${at}`]} value={row.seat} maxLength={24} autocapitalize="none" onValue={(seat) => changeRow(at, { seat })} />
              <Text label="Player" fault={faults[`player:${at}`]} value={row.player} onValue={(player) => changeRow(at, { player })} />
              <Field label="Mail address" fault={faults[`address:${at}`]} input={(about) => (
                <input {...about} type="email" autocomplete="off" data-row={at} value={row.address} onInput={(event) => changeRow(at, { address: event.currentTarget.value })} />
              )} />
              {per(true).map((one) => (
                <OptionField key={one.name} option={one} fault={faults[`option:${one.name}.${seatOf(row)}`]} value={row.options[one.name]} onValue={(value) => changeRow(at, { options: { ...row.options, [one.name]: value } })} />
              ))}
              <button type="button" aria-label={`Remove player ${at + 1}`} disabled={set.rows.length <= least} onClick={() => changeRows(set.rows.toSpliced(at, 1), ".add")}>Remove</button>
            </fieldset>
          ))}
        </div>
        <Field label="" fault={faults.seat} input={(about) => (
          <button {...about} type="button" class="add" disabled={set.rows.length >= most} onClick={() => changeRows([...set.rows, another(set.rows)], ".rows fieldset:last-child input")}>Add a player</button>
        )} />
        {per(false).length > 0 && (
          <fieldset class="fields">
            <legend>Options</legend>
            {per(false).map((one) => (
              <OptionField key={one.name} option={one} fault={faults[`option:${one.name}`]} value={set.options[one.name]} onValue={(value) => change({ ...set, options: { ...set.options, [one.name]: value } })} />
            ))}
          </fieldset>
        )}
        <p class="bad" role="alert">{faults[""]}</p>
        <button type="submit" class="primary">Begin the game</button>
      </form>
    </details>
  );
}

interface About { id: string; "aria-describedby": string; "aria-invalid"?: "true" }
interface FieldProps { label: string; help?: string; fault?: string; input(about: About): JSX.Element }

// A field with a name, its explanation, and a place for the mistake in it.
function Field({ label, help = "", fault = "", input }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      {label && <label for={id}>{label}</label>}
      {input({ id, "aria-describedby": `${id}-help ${id}-fault`, "aria-invalid": fault ? "true" : undefined })}
      <small class="bad" id={`${id}-fault`}>{fault}</small>
      <small class="hint" id={`${id}-help`}>{help}</small>
    </div>
  );
}

interface TextProps extends Omit<FieldProps, "input"> { value: string; onValue(value: string): void; placeholder?: string; maxLength?: number; autocapitalize?: "none" }

function Text({ label, help, fault, value, onValue, ...more }: TextProps) {
  return <Field label={label} help={help} fault={fault} input={(about) => <input type="text" autocomplete="off" {...more} {...about} value={value} onInput={(event) => onValue(event.currentTarget.value)} />} />;
}

function OptionField({ option, fault, value, onValue }: { option: Option; fault?: string; value?: string; onValue(value: string): void }) {
  if (!option.choices.length) return <Text label={option.name} help={option.help} fault={fault} value={value ?? ""} placeholder={option.default} onValue={onValue} />;
  return (
    <Field label={option.name} help={option.help} fault={fault} input={(about) => (
      <select {...about} value={value ?? option.default} onChange={(event) => onValue(event.currentTarget.value)}>{option.choices.map((one) => <option key={one}>{one}</option>)}</select>
    )} />
  );
}
