// Compile folders of Python with the runtime that will run them: node compile.mjs SOURCE ARCHIVE [SOURCE ARCHIVE …]
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "pyodide";

const python = await loadPyodide({ indexURL: fileURLToPath(new URL("./node_modules/pyodide/", import.meta.url)) });
const compile = python.runPython(`
import importlib._bootstrap_external as format, os, types, zipfile
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
    code = compile(source, inside, "exec", dont_inherit=True, optimize=0 if is_own else 2)
    return bytes(format._code_to_hash_pyc(code if is_own else bare(code), bytes(8), False))

def compile_folder(source):
    with zipfile.ZipFile("/archive.zip", "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for place, folders, names in os.walk(source):
            folders.sort()
            for name in sorted(names):
                path = os.path.join(place, name)
                inside = os.path.relpath(path, source)
                if name.endswith(".py"):
                    data, inside = bytecode(path, inside), inside + "c"
                else:
                    with open(path, "rb") as file:
                        data = file.read()
                archive.writestr(ZipInfo(inside), data, ZIP_DEFLATED, 9)  # with the same date in every build

compile_folder
`);
const work = process.argv.slice(2);
for (let at = 0; at < work.length; at += 2) {
  python.FS.mkdirTree(`/source${at}`);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: work[at] }, `/source${at}`);
  compile(`/source${at}`);
  writeFileSync(work[at + 1], python.FS.readFile("/archive.zip"));
}
