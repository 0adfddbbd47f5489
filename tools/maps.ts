/**
 * @file Checks the READMEs of folders: each names all files of its folder, and whatever it calls missing is really missing.
 * `npx tsx tools/maps.ts [FOLDER]` prints what is wrong and fails.
 *
 * The rules:
 * - a README names every hand-written source file of its folder and every subfolder that holds sources: in backticks, or by a link;
 * - a TypeScript file that it names in backticks exists;
 * - a folder of more than a dozen hand-written source files has a README;
 * - a name in backticks below the heading `## Not here` is neither a file, nor a folder, nor an export below that folder, nor an operator;
 * - in a folder that mirrors one of PyTorch's, each file and folder has a name that PyTorch has there, or says `@original` in its header, or is
 *   written *in italics* in the README;
 * - the README of the root names every folder of `src`.
 *
 * That links lead somewhere is a stage of its own. The test of this file also looks the missing names up in the running library.
 * @original
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";

/** A folder with its own source files and the folders below that hold any. */
export interface Folder {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly readme: string | undefined;
}

export interface House {
  /** By path from the root. */
  readonly folders: ReadonlyMap<string, Folder>;
  readonly text_of: (path: string) => string;
  /** README.md of the root. */
  readonly front: string | undefined;
  /** Names of the operators in `native_functions.yaml`, without their overloads. */
  readonly operators: ReadonlySet<string>;
  /** Folder of PyTorch -> names that stand there, without their endings. */
  readonly pytorch: ReadonlyMap<string, ReadonlySet<string>>;
}

const ROOTS = ["src", "tools", "test", "docs", "walkthroughs", "exercises", "bench", "gallery"];
const SOURCE = /\.(?:ts|tsx|mts|cjs|mjs|py|yaml)$/;
const DOZEN = 12;

/** Folders without hand-written code. */
const left_out = (path: string, name: string): boolean =>
  name.startsWith(".") ||
  ["node_modules", "generated", "dist", "dist-stripped", "__pycache__", "reports"].includes(name) ||
  /^(?:docs\/(?:build|content|static)|test\/fixtures)$/.test(path);

/** A folder of tests needs no README if it mirrors a folder of sources, as `test/aten/native` mirrors `src/aten/native`: the paths are the same. */
function mirrors_another(path: string, folders: ReadonlyMap<string, Folder>): boolean {
  const inner = /^test\/(?:webgpu\/)?(.+)$/.exec(path)?.[1];
  return inner !== undefined && (folders.has(`src/${inner}`) || folders.has(inner));
}

function read_folder(root: string, path: string, folders: Map<string, Folder>): boolean {
  const entries = readdirSync(join(root, path), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  const files = entries.filter((entry) => entry.isFile() && SOURCE.test(entry.name)).map(({ name }) => name);
  const below = entries
    .filter((entry) => entry.isDirectory() && !left_out(`${path}/${entry.name}`, entry.name))
    .filter(({ name }) => read_folder(root, `${path}/${name}`, folders))
    .map(({ name }) => name);
  // The README of an exercise describes its task.
  const is_exercise = path.startsWith("exercises/");
  const readme =
    !is_exercise && entries.some(({ name }) => name === "README.md")
      ? readFileSync(join(root, path, "README.md"), "utf8")
      : undefined;
  if (files.length === 0 && below.length === 0) return false;
  folders.set(path, { files, folders: path === "exercises" ? [] : below, readme });
  return true;
}

export function read_house(root: string): House {
  const folders = new Map<string, Folder>();
  for (const path of ROOTS) if (existsSync(join(root, path))) read_folder(root, path, folders);
  const optional = (path: string): string =>
    existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : "";
  const yaml = optional("src/aten/native/native_functions.yaml");
  const pytorch = new Map<string, Set<string>>();
  for (const line of `${optional("tools/pytorch-paths.tsv")}\n${optional("tools/mirrors.extra.tsv")}`.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    // Each folder of the path is a name in its parent folder.
    for (let path = line.split("\t")[0]; path !== "."; path = posix.dirname(path)) {
      const names = pytorch.get(posix.dirname(path)) ?? new Set();
      pytorch.set(posix.dirname(path), names.add(stem_of(posix.basename(path))));
    }
  }
  return {
    folders,
    text_of: (path) => readFileSync(join(root, path), "utf8"),
    front: existsSync(join(root, "README.md")) ? optional("README.md") : undefined,
    operators: new Set([...yaml.matchAll(/^- func: (\w+)/gm)].map(([, name]) => name)),
    pytorch,
  };
}

/** The first word of a file name: `engine` of `engine.test.ts`, `variable` of `variable.impl.ts`. */
const stem_of = (name: string): string => name.replace(/(?<=.)\..*$/, "");

/** The text without its code blocks. */
const prose = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, "");

/** The contents of all pairs of backticks. */
const quoted = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/g)].map(([, name]) => name);

/** The entries of its own folder that a README names. */
function named_by(readme: string): Set<string> {
  const text = prose(readme);
  const named = new Set<string>();
  const links = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(([, target]) => target);
  for (const path of [...quoted(text), ...links]) named.add(posix.normalize(path).replace(/\/.*$/, ""));
  return named;
}

/** Names that a README lists as missing. */
export function missing_by(readme: string): string[] {
  const section = /^## Not here\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(prose(readme));
  return section === null ? [] : quoted(section[1]).map((name) => name.replace(/\/$/, ""));
}

/** The folder of PyTorch that `path` mirrors. */
function mirrored_folder(path: string): string | undefined {
  if (path.startsWith("src/torch/csrc-equivalent")) return path.replace("src/torch/csrc-equivalent", "torch/csrc");
  if (path.startsWith("src/aten")) return path.replace("src/aten", "aten/src/ATen");
  if (path.startsWith("src/")) return path.slice("src/".length);
  if (path.startsWith("tools/codegen/autograd")) return path.replace("tools/codegen/autograd", "tools/autograd");
  if (path.startsWith("tools/codegen")) return path.replace("tools/codegen", "torchgen");
  return undefined;
}

/** An exported name. The second group matches for a constant of type `NotBuilt`, which only says that it is missing. */
const EXPORT =
  /^export (?:declare |abstract |async )*(?:function\*?|class|const|let|interface|type|enum) (\w+)(: NotBuilt\b)?/gm;

/** Names that exist only to say that they are not built. */
export function placeholders(house: House): Set<string> {
  const names = new Set<string>();
  for (const [path, { files }] of house.folders)
    for (const file of path.startsWith("src/torch") ? files : [])
      for (const [, name, refuses] of house.text_of(`${path}/${file}`).matchAll(EXPORT))
        if (refuses !== undefined) names.add(name);
  return names;
}

/** Files, folders and exports below `path`, by name. */
function names_below(house: House, path: string): Map<string, string> {
  const names = new Map<string, string>();
  for (const [folder, { files, folders }] of house.folders) {
    if (folder !== path && !folder.startsWith(`${path}/`)) continue;
    for (const name of folders) names.set(name, `${folder}/${name}`);
    for (const file of files) {
      const place = `${folder}/${file}`;
      names.set(file, place).set(stem_of(file), place);
      if (!path.startsWith("src") || !file.endsWith(".ts")) continue;
      const text = house.text_of(place);
      for (const [, name, refuses] of text.matchAll(EXPORT)) if (refuses === undefined) names.set(name, place);
    }
  }
  return names;
}

/** Our counterpart of `theirs`, a path in PyTorch's tree such as `torch/csrc/api`, if it exists below `path`. */
function place_of(house: House, path: string, theirs: string): string | undefined {
  const folder = mirrored_folder(path);
  if (folder === undefined || !theirs.startsWith(`${folder}/`)) return undefined;
  const ours = path + theirs.slice(folder.length);
  const { files = [], folders = [] } = house.folders.get(posix.dirname(ours)) ?? {};
  const stem = stem_of(posix.basename(ours));
  return [...files, ...folders].some((entry) => stem_of(entry) === stem) ? ours : undefined;
}

const is_pytorchs = (house: House, path: string): boolean =>
  house.pytorch.get(posix.dirname(path))?.has(stem_of(posix.basename(path))) === true;

/** All violations of the rules, one line each. */
export function complaints_about(house: House): string[] {
  const complaints: string[] = [];
  const everywhere = new Set([...house.folders.values()].flatMap(({ files }) => files));
  const { front } = house;
  const layers = front === undefined ? [] : (house.folders.get("src")?.folders ?? []);
  for (const layer of layers)
    if (!front?.includes(`\`src/${layer}`)) complaints.push(`README.md does not name src/${layer} in its map`);
  for (const [path, { files, folders, readme }] of house.folders) {
    if (readme === undefined) {
      if (files.length > DOZEN && !mirrors_another(path, house.folders))
        complaints.push(
          `${path}: ${files.length} source files and no README. Write one screen: the groups of files, where to begin, what PyTorch has that is missing`,
        );
      continue;
    }
    const where = `${path}/README.md`;
    const named = named_by(readme);
    const names = (entry: string): boolean =>
      [entry, entry.replace(/\.\w+$/, ""), stem_of(entry)].some((form) => named.has(form));
    for (const entry of files) if (!names(entry)) complaints.push(`${where} does not name ${entry}`);
    for (const entry of folders) if (!named.has(entry)) complaints.push(`${where} does not name ${entry}/`);
    for (const name of quoted(prose(readme)))
      if (/^(?!.*generated\/)[\w./-]+\.tsx?$/.test(name) && !everywhere.has(posix.basename(name)))
        complaints.push(`${where} names ${name}: there is no such file`);
    if (/\*\*(?:Not here|In PyTorch, and not here|What PyTorch has)/.test(readme))
      complaints.push(`${where}: list missing names in backticks below the heading "## Not here"`);
    const missing = missing_by(readme);
    if (missing.length > 0) {
      const below = names_below(house, path);
      for (const name of missing) {
        const place = below.get(name) ?? place_of(house, path, name);
        if (place !== undefined) complaints.push(`${where} says that \`${name}\` is not here: see ${place}`);
        else if (/^(?:aten|c10|caffe2|torch|torchgen)\//.test(name) && !is_pytorchs(house, name))
          complaints.push(`${where} says that PyTorch has ${name}: tools/pytorch-paths.tsv has no such path`);
        else if (path.startsWith("src") && house.operators.has(name))
          complaints.push(`${where} says that \`${name}\` is not here: it is an operator of native_functions.yaml`);
      }
    }
    const theirs = mirrored_folder(path);
    const names_there = theirs === undefined ? undefined : house.pytorch.get(theirs);
    if (names_there === undefined) continue;
    const in_italics = new Set(
      [...prose(readme).matchAll(/(?<!\*)\*\[?`([^`]+)`(?:\]\(([^)]*)\))?\*(?!\*)/g)].flatMap(([, name, target]) =>
        [name, target ?? name].map((form) => stem_of(posix.normalize(form).replace(/\/.*$/, ""))),
      ),
    );
    for (const entry of [...files, ...folders]) {
      const stem = stem_of(entry);
      if (stem === "index" || names_there.has(stem) || in_italics.has(stem)) continue;
      const inside = house.folders.get(`${path}/${entry}`)?.files ?? [];
      const head = files.includes(entry) ? entry : inside.includes("index.ts") ? `${entry}/index.ts` : undefined;
      if (head !== undefined && /@original\b/.test(house.text_of(`${path}/${head}`).slice(0, 3000))) continue;
      complaints.push(
        `${where}: PyTorch has no ${entry} in ${theirs}. Write the name in italics, or use PyTorch's name`,
      );
    }
  }
  return complaints;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const house = read_house(process.argv[2] ?? fileURLToPath(new URL("../", import.meta.url)));
  const complaints = complaints_about(house);
  const readmes = [...house.folders.values()].filter(({ readme }) => readme !== undefined).length;
  // A check that inspects nothing must not pass.
  if (readmes < 30) complaints.push(`only ${readmes} READMEs were read`);
  console.log(complaints.length === 0 ? `${readmes} READMEs` : complaints.join("\n"));
  process.exitCode = complaints.length === 0 ? 0 : 1;
}
