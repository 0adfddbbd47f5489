/**
 * @file Runs a Python program on the library: `npm run python -- script.py [args]`, or `-c text`.
 * @original
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import "../src/python.ts";
import { find_library } from "../src/python/Modules/index.ts";
import { BaseException, SystemExit } from "../src/python/Objects/exceptions.ts";
import type { PyModule } from "../src/python/Objects/moduleobject.ts";
import { python } from "../src/python/pythonrun.ts";
import { finders, modules } from "../src/python/vm/import.ts";
import { format_exception, source_finder } from "../src/python/vm/traceback.ts";

const args = process.argv.slice(2);
const command = args[0] === "-c";
const file = command ? "<string>" : (args[0] ?? "");
const text = command ? (args[1] ?? "") : readFileSync(file, "utf8");
const folder = command ? "." : dirname(resolve(file));
source_finder.find = (name) => (existsSync(name) && statSync(name).isFile() ? readFileSync(name, "utf8") : null);
finders.push(find_library);
finders.push((name) => {
  const path = join(folder, ...name.split("."));
  for (const [filename, is_package] of [
    [`${path}.py`, false],
    [join(path, "__init__.py"), true],
  ] as const)
    if (existsSync(filename)) return { text: readFileSync(filename, "utf8"), filename, is_package };
  return null;
});
python.import_("sys");
const sys = modules.get("sys") as PyModule;
sys.__dict__.set("argv", command ? ["-c", ...args.slice(2)] : args);
try {
  python(text, { filename: file });
} catch (error) {
  if (error instanceof SystemExit)
    process.exitCode = typeof error.code === "number" ? error.code : error.code === null ? 0 : 1;
  else if (error instanceof BaseException) {
    process.stderr.write(format_exception(error));
    if (process.env["JS_STACK"]) console.error(error, error.cause);
    process.exitCode = 1;
  } else throw error;
}
