// What all parts of the page share: the words in its bar, the clipboard, and links that begin a mail.

const LONGEST_LINK = 1900; // characters of a mailto link that all mail programs take

// Show `text` in the bar of the page; `kind` is "good", "bad" or nothing.
export function say(text: string, kind: "" | "good" | "bad" = "") {
  const status = document.getElementById("status")!;
  status.textContent = text;
  status.className = kind;
}

// Copy `text` and say that it is `done`, or what to do if the browser does not allow it.
export async function copy(text: string, done: string, otherwise: string) {
  try {
    await navigator.clipboard.writeText(text);
    say(done, "good");
  } catch {
    say(`The browser did not allow copying: ${otherwise}`, "bad");
  }
}

// Return a link that begins a mail, or null if a mail with this `body` is too long for one.
export function mailLink(to: string, subject: string, body: string): string | null {
  const whole = `mailto:${encodeURIComponent(to).replace("%40", "@")}?subject=${encodeURIComponent(subject)}${body && `&body=${encodeURIComponent(body)}`}`;
  return whole.length <= LONGEST_LINK ? whole : null;
}
