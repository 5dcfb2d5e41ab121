// Puts this program and its parsing tables into the files of Python, which are in memory.
const PACKAGES = "/lib/python3.14/site-packages";
const TABLES = `${PACKAGES}/adjudicator/_tables`;

export const env = { HOME: "/home/pyodide", ADJUDICATOR_CACHE: TABLES };

// Unpack what compile.mjs has packed. The files share the memory of `pack`.
export function unpack(python, pack) {
  const end = pack.indexOf(10);
  let at = end + 1;
  for (const [name, size] of JSON.parse(new TextDecoder().decode(pack.subarray(0, end)))) {
    const path = `${PACKAGES}/${name}`;
    python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    python.FS.writeFile(path, pack.subarray(at, (at += size)), { canOwn: true });
  }
  python.FS.chmod(TABLES, 0o700); // Python takes no tables that others could write
  python.pyimport("importlib").invalidate_caches();
}
