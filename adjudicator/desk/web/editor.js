// The editor for orders: problems are underlined, legal orders complete what one writes. It lives in a shadow root, so that
// its styles need no permission of the content security policy.
import { autocompletion, closeCompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { linter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, placeholder } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { make } from "./elements.js";
import { amount } from "./choice.js";

const language = StreamLanguage.define({
  token(stream) {
    if (stream.sol() && stream.match(/\s*(>|#|;).*/)) return "comment";
    if (stream.match(/[#;].*/)) return "comment";
    if (stream.match(/\b(IF|THEN|ELSE|OR|NOT|AND|IS|HAS)\b/i)) return "operatorKeyword";
    if (stream.sol() && stream.match(/\s*[\p{L}\p{N}_-]+\s*:/u)) return "heading";
    if (stream.match(/\s*[A-Z]{2,}\b/)) return "keyword";
    if (stream.match(/\d+/)) return "number";
    stream.next();
    return null;
  },
});

const style = HighlightStyle.define([
  { tag: tags.comment, class: "c" },
  { tag: tags.keyword, class: "k" },
  { tag: tags.operatorKeyword, class: "o" },
  { tag: tags.heading, class: "h" },
  { tag: tags.number, class: "n" },
]);

// Chromium replaces a selection of several lines by elements with styles, which the content security policy refuses: do it here.
function replaceSelection(event, view) {
  if (event.inputType !== "insertText" || !event.data || view.composing || view.state.selection.main.empty) return false;
  view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
  return true;
}

export class Editor {
  element = make("div", { class: "editor" });
  #view;
  #rows = [];
  #unit = ["min", "minutes", "clock", ""];

  constructor(onChange) {
    const root = this.element.attachShadow({ mode: "open" });
    const place = make("div");
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(LOOK);
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
          language,
          syntaxHighlighting(style),
          linter(null),
          autocompletion({ override: [(context) => this.#complete(context)], icons: false }),
          placeholder("Write your orders here, one on a line, or click on the board."),
          keymap.of([...completionKeymap, ...lintKeymap, ...defaultKeymap, ...historyKeymap]),
          EditorView.lineWrapping,
          EditorView.domEventHandlers({ beforeinput: replaceSelection }),
          EditorView.contentAttributes.of({ "aria-label": "Your orders, one on a line", spellcheck: "false" }),
          EditorView.updateListener.of((update) => update.docChanged && onChange(this.text)),
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

  // Add `order` as a line of its own at the end.
  add(order) {
    const kept = this.text.replace(/\s+$/, "");
    this.text = kept ? `${kept}\n${order}\n` : `${order}\n`;
  }

  offer(rows, unit) {
    this.#rows = rows;
    this.#unit = unit;
  }

  // Underline the `problems`, in the shape of `check --json`, with their suggestions as fixes.
  mark(problems, severity = "error") {
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
          severity: one.severity ?? severity,
          message: one.message + (one.rule ? ` (${one.rule})` : ""),
          actions: (one.suggestions ?? []).slice(0, 3).map((suggestion) => ({
            name: suggestion,
            // One word takes the place of the word that is wrong, a whole order that of the line.
            apply: (view) =>
              view.dispatch({ changes: /\s/.test(suggestion) ? { from: line.from, to: line.to, insert: suggestion } : { from, to, insert: suggestion } }),
          })),
        };
      })
      .sort((one, other) => one.from - other.from);
    this.#view.dispatch(setDiagnostics(this.#view.state, found));
  }

  // Complete a line from the legal orders that begin with its words.
  #complete(context) {
    const line = context.state.doc.lineAt(context.pos);
    const before = line.text.slice(0, context.pos - line.from);
    const begun = before.replace(/^\s*([\p{L}\p{N}_-]+:\s*)?/u, "");
    if (!begun && !context.explicit) return null;
    const wanted = begun.toLowerCase();
    const rows = this.#rows.filter((row) => row.order.toLowerCase().startsWith(wanted)).slice(0, 300);
    if (!rows.length) return null;
    return {
      from: context.pos - begun.length,
      options: rows.map((row) => ({
        label: row.order,
        detail: row.min === null || row.min === undefined ? "" : `${amount(row.min, this.#unit)} ${this.#unit[0]}`,
      })),
      validFor: /^.*$/,
    };
  }
}

const LOOK = `
  :host { display: block; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); overflow: hidden; }
  .cm-editor { font: 1rem/1.5 var(--mono); color: var(--ink); }
  .cm-editor.cm-focused { outline: 3px solid var(--accent); outline-offset: -3px; }
  .cm-scroller { min-height: 8rem; max-height: 24rem; font: inherit; }
  .cm-content { caret-color: var(--ink); }
  .cm-cursor { border-left-color: var(--ink) !important; }
  .cm-editor .cm-gutters { background: transparent; color: var(--soft); border: 0; }
  .cm-editor .cm-activeLine, .cm-editor .cm-activeLineGutter { background: var(--mark); }
  .cm-tooltip { background: var(--card); color: var(--ink); border: 1px solid var(--line); border-radius: .4rem; max-width: min(90vw, 34rem); }
  .cm-tooltip-autocomplete ul li[aria-selected] { background: var(--accent); color: var(--on-accent); }
  .cm-completionDetail { opacity: .8; }
  .cm-diagnosticAction { background: var(--accent); color: var(--on-accent); border-radius: .3rem; padding: .2rem .5rem; cursor: pointer; }
  .cm-editor .cm-content .cm-placeholder { color: var(--soft); }
  .c { color: var(--soft); font-style: italic; }
  .k { color: var(--keyword); font-weight: 600; }
  .o { color: var(--operator); font-weight: 600; }
  .h { color: var(--keyword); font-weight: 700; }
  .n { color: var(--number); }
`;
