/**
 * @file The runner of the checks as modules for a page's worker: what it imports that is not of the library comes with it.
 * @original
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build, transformWithEsbuild } from "vite";
import { file_of } from "../../tools/codegen/module_path.ts";
import { type Exercise, KINDS } from "../../tools/learn/exercise.ts";
import { type Module, transpile } from "../src/playground/engine/transpile.ts";
import { docs, root } from "./repository.ts";

const RUN = "tools/learn/checks/run.ts";
const ENTRIES = [RUN, ...["checks/recorded.ts", "call_to_show.ts", "picture.ts"].map((file) => `tools/learn/${file}`)];

/** The runner, and the checks that an exercise has. */
export async function checksModules(exercise: Exercise): Promise<Module[]> {
  const has = new Set(exercise.checks.map(({ kind }) => kind));
  const others = KINDS.filter((kind) => !has.has(kind)).map((kind) => `tools/learn/checks/${kind}.ts`);
  const { modules, packages } = withImports(ENTRIES, new Set(others));
  const small = await Promise.all(modules.map(small_form));
  for (const name of packages) small.push({ path: name, js: await package_form(name) });
  return small;
}

const small_forms = new Map<string, Promise<Module>>();
function small_form({ path, js }: Module): Promise<Module> {
  let form = small_forms.get(path);
  if (form === undefined) {
    form = without_space(path, js).then((js) => ({ path, js }));
    small_forms.set(path, form);
  }
  return form;
}

const package_forms = new Map<string, Promise<string>>();
function package_form(name: string): Promise<string> {
  let form = package_forms.get(name);
  if (form === undefined) package_forms.set(name, (form = packed(name)));
  return form;
}

/**
 * Files as modules, with those that they import and the library has not; and the packages that they name.
 * @param others of the checks: the runner would import them when it needs them, and does not
 */
export function withImports(
  entries: readonly string[],
  others: ReadonlySet<string> = new Set(),
): { modules: Module[]; packages: ReadonlySet<string> } {
  const made = new Map<string, Module>();
  const packages = new Set<string>();
  const add = (path: string): void => {
    if (made.has(path)) return;
    const module = transpile(path, readFileSync(join(root, path), "utf8"));
    made.set(path, module);
    for (const [, specifier = ""] of module.js.matchAll(/\brequire\(['"]([^'"]+)['"]\)/g)) {
      const file = file_of(path, specifier);
      if (path === RUN && file !== null && others.has(file)) continue;
      if (file !== null && !file.startsWith("src/")) add(file);
      else if (file === null && !specifier.startsWith("glasstorch")) packages.add(specifier);
    }
  };
  for (const entry of entries) add(entry);
  return { modules: [...made.values()], packages };
}

/** A fifth less to send. Names stay, for errors. */
async function without_space(path: string, js: string): Promise<string> {
  const { code } = await transformWithEsbuild(js, `${path}.js`, {
    minifyWhitespace: true,
    legalComments: "none",
    sourcemap: false,
  });
  return code;
}

/** A package as one module, as far as a file of its name beside this one says that it is used. */
async function packed(name: string): Promise<string> {
  const made = await build({
    configFile: false,
    root: docs,
    logLevel: "warn",
    build: {
      write: false,
      target: "es2022",
      minify: true,
      lib: { entry: join(docs, `site/packages/${name}.ts`), formats: ["cjs"], fileName: name },
    },
  });
  const [output] = [made].flat();
  if (output === undefined || !("output" in output)) throw new Error(`${name} was not packed`);
  return output.output[0].code;
}
