// The worker of the desk: it runs Python, so that the page never waits. One request, one answer, in order.
import { loadPyodide } from "pyodide";
import { env, unpack } from "./python.js";

const base = new URL("./", self.location.href).href;

async function start() {
  const pack = fetch(new URL("python.pack", base)).then((found) => {
    if (!found.ok) throw new Error(`python.pack: ${found.status}`);
    return new Response(found.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  });
  const python = await loadPyodide({ indexURL: base, packageBaseUrl: base, packages: [], env });
  unpack(python, new Uint8Array(await pack));
  const desk = python.pyimport("adjudicator.desk.requests").Desk();
  return (name, text, data) => {
    const answer = desk.answer(name, text, data === undefined ? undefined : python.toPy(data));
    const [said, bytes] = answer.toJs();
    answer.destroy();
    return { said, bytes };
  };
}

const started = start();
started.then(
  () => self.postMessage({ ready: true }),
  (error) => self.postMessage({ ready: false, error: String(error) }),
);

self.onmessage = async ({ data: { number, name, text, bytes } }) => {
  try {
    const answer = (await started)(name, text, bytes);
    self.postMessage({ number, ...answer }, answer.bytes ? [answer.bytes.buffer] : []);
  } catch (error) {
    self.postMessage({ number, error: String(error?.message ?? error) });
  }
};
