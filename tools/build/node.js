/**
 * @file How Node loads the linked library (`torch.js`): as a script, since the engine takes a script's compilation from a file
 * (`torch.cache`) where a module's has to be made anew. It is made by reading the whole text, and that is most of what an import
 * costs. A cache of another version of the engine, or older than the text, is left aside. Browsers and bundlers take the module; so
 * does `node --conditions=module`, for stacks that `--enable-source-maps` leads to the TypeScript (Node does so for modules only).
 * @original
 */

import { accessSync, constants, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Script } from "node:vm";

const text_file = new URL("torch.js", import.meta.url);
const cache_file = new URL("torch.cache", import.meta.url);

/**
 * `export { a, b };` at a module's end is what its function returns; `import { a } from "b";` at its begin is taken out of what is handed to
 * it, package by package. Lines and columns stay where they are: errors tell of them.
 */
function as_function(linked) {
  const packages = [];
  const take = (_, names) => {
    packages.push(`package_${packages.length}`);
    return `const {${names.replaceAll(" as ", ": ")}} = ${packages.at(-1)};`;
  };
  const module = linked.replace(/^(?:import .*\n)+/, (lines) => lines.replace(/^import \{(.*)\} from .*$/gm, take));
  const head = `(function (${packages.join(", ")}) { "use strict"; `;
  const end = module.lastIndexOf("\nexport {");
  const names = module
    .slice(module.indexOf("{", end) + 1, module.indexOf("}", end))
    .replace(/([\w$]+) as ([\w$]+)/g, "$2: $1");
  return {
    text: `${head}${module.slice(0, end)}\nreturn {${names}}; })\n//# sourceMappingURL=torch.js.map`,
    columnOffset: -head.length,
  };
}

/** Undefined if there is none that is newer than the text: the engine compares no more than the text's length. */
function finished_compilation() {
  const cache = statSync(cache_file, { throwIfNoEntry: false });
  return cache && cache.mtimeMs >= statSync(text_file).mtimeMs ? readFileSync(cache_file) : undefined;
}

/** Whether the cache names another file: the package was moved, or installed from an archive. */
function is_of_another_place(cache) {
  return cache.indexOf(text_file.href, 0, "latin1") < 0;
}

function may_write() {
  try {
    accessSync(new URL("./", import.meta.url), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Replaces the cache in one step: several programs may start at once, and the old file may be a link into a package store. */
function keep(cache) {
  const beside = new URL(`torch.cache.${process.pid}`, import.meta.url);
  try {
    writeFileSync(beside, cache);
    renameSync(beside, cache_file);
  } catch {
    // The next import tries again.
  }
}

/**
 * The library, not yet run. The build adds the line that runs it and names what it returns. The engine keeps the name of the script in the
 * cache, and stack traces show that name. The first import at a new place therefore compiles anew and replaces the cache; where nothing may
 * be written, the cache is used as it is.
 */
export function compile() {
  const { text, columnOffset } = as_function(readFileSync(text_file, "latin1"));
  const script = (cachedData) => new Script(text, { filename: text_file.href, columnOffset, cachedData });
  const cache = finished_compilation();
  if (cache === undefined || !is_of_another_place(cache) || !may_write()) return script(cache);
  const anew = script(undefined);
  keep(anew.createCachedData());
  return anew;
}

/** Node loads an entry such as `fx.js` synchronously at the first use of its names; the entry imports the library that runs already. */
export function load_entries(doors) {
  const require = createRequire(import.meta.url);
  doors.require = (entry) => require(`./${entry}.js`);
}
