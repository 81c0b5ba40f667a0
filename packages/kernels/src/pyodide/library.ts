import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pyodideFolder, pyodideVersion } from './distribution.ts';

/** Python's own modules from Pyodide, with the modules for the start already compiled, which saves half of a start. */
export const compiledLibrary = join(import.meta.dirname, '../../../../.cache', `pyodide-${pyodideVersion}.zip`);

/** Compiled by the same Python that reads it, which writes no files. Its source is not compared again. */
const compile = `import importlib._bootstrap_external as files, ast, sys, zipfile
for node in ast.parse(kernel).body:
    if isinstance(node, ast.Import):
        for each in node.names: __import__(each.name)
folder = next(path for path in sys.path if path.endswith(".zip")) + "/"
origins = [getattr(getattr(module, "__spec__", None), "origin", None) for module in list(sys.modules.values())]
needed = {str(origin).removeprefix(folder) for origin in origins}
with zipfile.ZipFile("/tmp/library.zip") as plain, zipfile.ZipFile("/tmp/compiled.zip", "w") as compiled:
    for entry in plain.infolist():
        name, source = entry.filename, plain.read(entry)
        compiled.writestr(entry, source)
        if name in needed:
            code = compile(source, folder + name, "exec", dont_inherit=True)
            compiled.writestr(name + "c", files._code_to_hash_pyc(code, bytes(8), False))`;

async function compileLibrary(): Promise<void> {
  if (existsSync(compiledLibrary)) return;
  const { loadPyodide } = (await import(join(pyodideFolder, 'pyodide.mjs'))) as typeof import('pyodide');
  const python = await loadPyodide();
  python.FS.writeFile('/tmp/library.zip', readFileSync(join(pyodideFolder, 'python_stdlib.zip')));
  python.globals.set('kernel', readFileSync(join(import.meta.dirname, 'kernel.py'), 'utf8'));
  python.runPython(compile);
  mkdirSync(dirname(compiledLibrary), { recursive: true });
  const temporary = `${compiledLibrary}.${process.pid}`;
  writeFileSync(temporary, python.FS.readFile('/tmp/compiled.zip'));
  renameSync(temporary, compiledLibrary);
}

if (import.meta.main) await compileLibrary();
