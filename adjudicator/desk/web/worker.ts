// The worker of the desk: it runs Python, so that the page never waits. One request, one answer, in order.
import { loadPyodide } from "pyodide";

const PACKAGES = "/lib/python3.14/site-packages";
const TABLES = `${PACKAGES}/adjudicator/_tables`;
const base = new URL("./", self.location.href).href;

type Python = Awaited<ReturnType<typeof loadPyodide>>;

// Unpack what compile.mjs has packed, this program and its parsing tables, into the files of Python, which are in memory:
// they share the memory of `pack`.
function unpack(python: Python, pack: Uint8Array) {
  const end = pack.indexOf(10);
  let at = end + 1;
  for (const [name, size] of JSON.parse(new TextDecoder().decode(pack.subarray(0, end))) as [string, number][]) {
    const path = `${PACKAGES}/${name}`;
    python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    python.FS.writeFile(path, pack.subarray(at, (at += size)), { canOwn: true });
  }
  python.FS.chmod(TABLES, 0o700); // Python takes no tables that others could write
  python.pyimport("importlib").invalidate_caches();
}

async function start() {
  const pack = fetch(new URL("python.pack", base)).then((found) => {
    if (!found.ok || !found.body) throw new Error(`python.pack: ${found.status}`);
    return new Response(found.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  });
  const env = { HOME: "/home/pyodide", ADJUDICATOR_CACHE: TABLES };
  const python = await loadPyodide({ indexURL: base, packageBaseUrl: base, packages: [], env });
  unpack(python, new Uint8Array(await pack));
  const desk = python.pyimport("adjudicator.desk.requests").Desk();
  return (name: string, text: string, files?: Uint8Array[]) => {
    const answer = desk.answer(name, text, files && python.toPy(files));
    const [said, bytes] = answer.toJs() as [string, Uint8Array<ArrayBuffer> | undefined];
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
    self.postMessage({ number, ...answer }, { transfer: answer.bytes ? [answer.bytes.buffer] : [] });
  } catch (error) {
    self.postMessage({ number, error: error instanceof Error ? error.message : String(error) });
  }
};
