// The editor for orders: problems are underlined, legal orders complete what one writes. It lives in a shadow root, so that
// its styles need no permission of the content security policy.
import { autocompletion, closeCompletion, completionKeymap, type CompletionContext } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { linter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState, RangeSet, StateEffect, StateField } from "@codemirror/state";
import { drawSelection, EditorView, gutter, GutterMarker, highlightActiveLine, keymap, lineNumbers, placeholder } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { LegalRow, OrderProblem } from "./answers";
import look from "./editor.css";
import { amount, type Unit } from "./why";

const OPERATORS = new Set(["if", "then", "else", "otherwise", "or", "not", "and", "is", "has", "in"]);

// The language of orders whose grammar has these `keywords`, in lower case.
const languageOf = (keywords: Set<string>) =>
  StreamLanguage.define({
    token(stream) {
      if (stream.sol() && stream.match(/\s*(>|#|;|NOTE\b).*/)) return "comment";
      if (stream.match(/[#;].*/)) return "comment";
      if (stream.sol() && stream.match(/\s*[\p{L}\p{N}_-]+\s*:/u)) return "heading";
      const [word] = (stream.match(/[\p{L}\p{N}_-]+/u) as string[] | null) ?? [];
      if (!word) stream.next();
      else if (/^\d+$/.test(word)) return "number";
      else if (OPERATORS.has(word.toLowerCase())) return "operatorKeyword";
      else if (keywords.has(word.toLowerCase())) return "keyword";
      return null;
    },
  });

class Price extends GutterMarker {
  constructor(readonly text: string, readonly words: string) {
    super();
  }

  override eq(other: Price) {
    return this.text === other.text && this.words === other.words;
  }

  override toDOM() {
    return Object.assign(document.createElement("span"), { title: this.words, textContent: this.text });
  }
}

// What the lines cost: shown beside them, and moved along with them until the next check.
const setPrices = StateEffect.define<RangeSet<Price>>();
const prices = StateField.define<RangeSet<Price>>({
  create: () => RangeSet.empty,
  update: (found, change) => change.effects.find((one) => one.is(setPrices))?.value ?? found.map(change.changes),
});

const style = HighlightStyle.define([
  { tag: tags.comment, class: "c" },
  { tag: tags.keyword, class: "k" },
  { tag: tags.operatorKeyword, class: "o" },
  { tag: tags.heading, class: "h" },
  { tag: tags.number, class: "n" },
]);

// Chromium replaces a selection of several lines by elements with styles, which the content security policy refuses: do it here.
function replaceSelection(event: InputEvent, view: EditorView) {
  if (event.inputType !== "insertText" || !event.data || view.composing || view.state.selection.main.empty) return false;
  view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
  return true;
}

// What a line of the editor says about a problem.
export type Mark = Pick<OrderProblem, "line" | "column" | "width" | "message" | "rule" | "suggestions">;

export class Editor {
  element = document.createElement("div");
  #view: EditorView;
  #rows: readonly LegalRow[] = [];
  #unit: Unit = ["min", "minutes", "clock", ""];
  #headers: string[] = [];
  #keywords = "";
  #language = new Compartment();

  // `changed(text)` hears of each change; `wordsAfter(text)` resolves to the words that fit after the beginning of a line.
  constructor(changed: (text: string) => void, private wordsAfter: (text: string) => Promise<readonly string[]>) {
    this.element.className = "editor";
    const root = this.element.attachShadow({ mode: "open" });
    const place = document.createElement("div");
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(look);
    root.adoptedStyleSheets = [sheet];
    root.append(place);
    this.#view = new EditorView({
      parent: place,
      root,
      state: EditorState.create({
        extensions: [
          lineNumbers(),
          history(),
          drawSelection(),
          highlightActiveLine(),
          this.#language.of([]),
          prices,
          gutter({ class: "cm-prices", side: "after", markers: (view) => view.state.field(prices) }),
          syntaxHighlighting(style),
          linter(null),
          autocompletion({ override: [(context) => this.#complete(context)], icons: false }),
          placeholder("Write your orders here, one on a line, or click on the board."),
          keymap.of([...completionKeymap, ...lintKeymap, ...defaultKeymap, ...historyKeymap]),
          EditorView.lineWrapping,
          EditorView.domEventHandlers({ beforeinput: replaceSelection }),
          EditorView.contentAttributes.of({ "aria-label": "Your orders, one on a line", spellcheck: "false" }),
          EditorView.updateListener.of((update) => update.docChanged && changed(this.text)),
        ],
      }),
    });
  }

  get text() {
    return this.#view.state.doc.toString();
  }

  set text(text) {
    closeCompletion(this.#view);
    this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text } });
  }

  // Leave the page: the window then no longer keeps the editor and the table around it.
  close() {
    this.#view.destroy();
  }

  // Complete the orders in `rows`, with their costs in `unit`, and `headers`; colour the `keywords` of the grammar.
  offer(rows: readonly LegalRow[], unit: Unit, keywords: readonly string[], headers: string[]) {
    [this.#rows, this.#unit, this.#headers] = [rows, unit, headers];
    if (keywords.join() === this.#keywords) return;
    this.#keywords = keywords.join();
    this.#view.dispatch({ effects: this.#language.reconfigure(languageOf(new Set(keywords))) });
  }

  // Show beside lines what they cost: each has a `line`, a short `text`, and `words` that explain it.
  price(lines: { line: number; text: string; words: string }[]) {
    const { doc } = this.#view.state;
    const known = lines.filter((one) => one.line >= 1 && one.line <= doc.lines);
    const found = RangeSet.of(known.map(({ line, text, words }) => new Price(text, words).range(doc.line(line).from)));
    this.#view.dispatch({ effects: setPrices.of(found) });
  }

  // Underline the `problems`, in the shape of `check --json`, with their suggestions as fixes.
  mark(problems: readonly (Mark & { severity?: "error" | "warning" })[]) {
    const doc = this.#view.state.doc;
    const found = problems
      .filter((one) => one.line >= 1 && one.line <= doc.lines)
      .map((one) => {
        const line = doc.line(one.line);
        const from = Math.min(line.to, line.from + [...line.text].slice(0, Math.max(0, one.column - 1)).join("").length);
        const to = Math.min(line.to, Math.max(from + Math.max(1, one.width), from));
        return {
          from,
          to,
          severity: one.severity ?? ("error" as const),
          message: one.message + (one.rule ? ` (${one.rule})` : ""),
          actions: (one.suggestions ?? []).slice(0, 3).map((suggestion) => ({
            name: suggestion,
            // One word takes the place of the word that is wrong, a whole order that of the line.
            apply: (view: EditorView) =>
              view.dispatch({ changes: /\s/.test(suggestion) ? { from: line.from, to: line.to, insert: suggestion } : { from, to, insert: suggestion } }),
          })),
        };
      })
      .sort((one, other) => one.from - other.from);
    this.#view.dispatch(setDiagnostics(this.#view.state, found));
  }

  // Complete a line from the legal orders that begin with its words, and from headers; else from the words that fit there.
  async #complete(context: CompletionContext) {
    const line = context.state.doc.lineAt(context.pos);
    const before = line.text.slice(0, context.pos - line.from);
    const whole = before.replace(/^\s*/, "");
    const begun = whole.replace(/^[\p{L}\p{N}_-]+:\s*/u, "");
    if ((!whole && !context.explicit) || /[#;]/.test(whole)) return null;
    // An order may also follow a word such as OR.
    for (const part of [begun, begun.replace(/^.*(?:\b(?:or|then|else|otherwise)\s|\()\s*/i, "")]) {
      const orders = startingWith(part, this.#rows, (row) => row.order).slice(0, 300);
      const headers = part === whole ? startingWith(part, this.#headers, (header) => header) : [];
      if (!orders.length && !headers.length) continue;
      // In the middle of an order a whole one takes its place.
      const rest = line.text.slice(before.length);
      const inside = rest.trim() ? orders.filter((row) => plain(row.order).endsWith(plain(rest).trim())) : [];
      const options = [
        ...(inside.length ? inside : orders).map((row) => ({ label: row.order, detail: typeof row.min === "number" ? `${amount(row.min, this.#unit)} ${this.#unit[0]}` : "" })),
        ...headers.map((label) => ({ label, detail: "header" })),
      ];
      return { from: context.pos - part.length, to: inside.length ? line.to : context.pos, options, filter: false };
    }
    const word = /[\p{L}\p{N}_-]*$/u.exec(before)![0];
    const words = await this.wordsAfter(before.slice(0, before.length - word.length));
    const options = startingWith(word, words, (one) => one).map((label) => ({ label, detail: "word" }));
    return options.length && (word || context.explicit) ? { from: context.pos - word.length, options, filter: false } : null;
  }
}

const plain = (text: string) => text.toLowerCase().replace(/\s+/g, " ");

// Those of `all` whose text, which `textOf` returns, begins with `begun`, in any case and with any blanks.
function startingWith<T>(begun: string, all: readonly T[], textOf: (one: T) => string): T[] {
  const wanted = plain(begun);
  return all.filter((one) => plain(textOf(one)).startsWith(wanted) && plain(textOf(one)) !== wanted);
}
