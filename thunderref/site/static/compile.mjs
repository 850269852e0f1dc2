// Makes of Python files what the browser loads: node compile.mjs PYODIDE FOLDER. Only the Python that will run them can.
import { pathToFileURL } from "node:url";

const [pyodide, folder] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));

async function run(call) {
  const python = await loadPyodide({ indexURL: pyodide, env: { HOME: "/home/table", PYTHONHASHSEED: "0" } });
  python.FS.mkdirTree("/work");
  python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, "/work");
  await python.runPythonAsync(`
import sys
from pathlib import Path
sys.path.insert(0, "/work/packages")
from thunderref.site import compiled
${call}
`);
}

try {
  await run('compiled.compile_all(Path("/work"))');
  await run('await compiled.note_first(Path("/work"))');
} catch (error) {
  console.error(error.message.trim());
  process.exit(1);
}
process.exit(0);
