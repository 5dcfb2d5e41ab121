// Compile folders of Python with the runtime that will run them: node compile.mjs SOURCE ARCHIVE [SOURCE ARCHIVE …]
//
// An archive `….zip` is compressed file by file, so that Python can import from it. An archive `….pack` is a list of names and
// sizes on a line, then all contents, compressed as a whole, which takes a sixth less room; the worker unpacks it (python.js).
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { loadPyodide } from "pyodide";

const python = await loadPyodide({ indexURL: fileURLToPath(new URL("./node_modules/pyodide/", import.meta.url)) });
const [zip, pack] = python.runPython(`
import importlib._bootstrap_external as format, json, os, sys, types, zipfile
from zipfile import ZIP_DEFLATED, ZipInfo

def bare(code):
    """Return the code of somebody else without line numbers, which nobody reads here and which take a third of the room.

    An entry of the table says "no line" for one to eight instructions (see "Locations" in CPython's own notes on code).
    """
    constants = tuple(bare(one) if isinstance(one, types.CodeType) else one for one in code.co_consts)
    whole, rest = divmod(len(code.co_code) // 2, 8)
    table = bytes([0xFF] * whole + ([0xF8 | (rest - 1)] if rest else []))
    return code.replace(co_linetable=table, co_consts=constants)

def bytecode(path, inside):
    with open(path, "rb") as file:
        source = file.read()
    is_own = inside.startswith("adjudicator/")
    code = compile(source, inside, "exec", dont_inherit=True, optimize=2)
    return bytes(format._code_to_hash_pyc(code if is_own else bare(code), bytes(8), False))

def compiled(source):
    """Yield each file of a folder with its name inside, those of Python as bytecode."""
    for place, folders, names in os.walk(source):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(place, name)
            inside = os.path.relpath(path, source)
            if name.endswith(".py"):
                yield inside + "c", bytecode(path, inside)
            else:
                with open(path, "rb") as file:
                    yield inside, file.read()

def zip(source):
    with zipfile.ZipFile("/archive.zip", "w") as archive:
        for inside, data in compiled(source):
            archive.writestr(ZipInfo(inside), data, ZIP_DEFLATED, 9)  # with the same date in every build

def pack(source):
    """Pack a folder with the parsing tables of all games: to compile a grammar takes a browser more than a second."""
    for inside, data in compiled(source):
        path = os.path.join("/unpacked", inside)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
    sys.path.insert(0, "/unpacked")
    tables = os.environ["ADJUDICATOR_CACHE"] = "/unpacked/adjudicator/_tables"
    os.mkdir(tables, 0o700)
    from adjudicator import installed_games, rulesets
    from adjudicator.orders.grammar import grammar_of

    for meta in installed_games():
        grammar_of(rulesets.ruleset(meta.id))
    contents = {}
    for place, folders, names in os.walk("/unpacked"):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                contents[os.path.relpath(path, "/unpacked")] = file.read()
    with open("/archive.pack", "wb") as file:
        file.write(json.dumps([(name, len(data)) for name, data in contents.items()]).encode() + b"\\n")
        file.write(b"".join(contents.values()))

zip, pack
`);
const work = process.argv.slice(2);
for (let at = 0; at < work.length; at += 2) {
  python.FS.mkdirTree(`/source${at}`);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: work[at] }, `/source${at}`);
  const isWhole = work[at + 1].endsWith(".pack");
  (isWhole ? pack : zip)(`/source${at}`);
  writeFileSync(work[at + 1], isWhole ? gzipSync(python.FS.readFile("/archive.pack"), { level: 9 }) : python.FS.readFile("/archive.zip"));
}
