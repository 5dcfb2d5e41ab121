// Compile a folder of Python with the runtime that will run it: node compile.mjs SOURCE ARCHIVE
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "pyodide";

const [source, archive] = process.argv.slice(2);
const python = await loadPyodide({ indexURL: fileURLToPath(new URL("./node_modules/pyodide/", import.meta.url)) });
python.FS.mkdir("/source");
python.FS.mount(python.FS.filesystems.NODEFS, { root: source }, "/source");
python.runPython(`
import os, py_compile, zipfile
from zipfile import ZIP_DEFLATED, ZipInfo

with zipfile.ZipFile("/archive.zip", "w", ZIP_DEFLATED, compresslevel=9) as archive:
    for place, folders, names in os.walk("/source"):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(place, name)
            inside = os.path.relpath(path, "/source")
            if name.endswith(".py"):
                py_compile.compile(path, "/module.pyc", dfile=inside, doraise=True,
                                   invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
                path, inside = "/module.pyc", inside + "c"
            with open(path, "rb") as file:  # with the same date in every build
                archive.writestr(ZipInfo(inside), file.read(), ZIP_DEFLATED, 9)
`);
writeFileSync(archive, python.FS.readFile("/archive.zip"));
