/**
 * @file `npm run build [-- --try]`: makes the publishable package in `dist/`. Like a C++ library it is compiled,
 * preprocessed and linked: each source file becomes JavaScript, its checks are expanded, and all files together become
 * one, in which a call between files is a plain call. Node loads it from a compilation cache (build/node.js).
 * @original
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { transform, transformSync } from "esbuild";
import MagicString from "magic-string";
import { type OutputChunk, type Plugin, rollup } from "rollup";
import { symbolFile } from "#trace/sources";
import { expand_checks } from "./build/expand_checks.ts";
import { seal_bindings } from "./build/seal_bindings.ts";
import { try_package } from "./build/try.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const dist = join(root, "dist");
/**
 * The folder of this process, so that two builds at once do not overwrite each other; it is removed when the package is linked.
 */
const objects = join(root, "node_modules/.cache/build", String(process.pid));

/** Says what the package in `dist` was made from. */
const stamp = join(root, "node_modules/.cache/build/made_from");
const MAKERS = [
  "tools/build.ts",
  "tools/build",
  "tools/python.ts",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
];

/** A hash of everything that decides what a build makes. */
function made_from(): string {
  const hash = createHash("sha1").update(root).update(process.version);
  const add = (path: string): void => void hash.update(`${path}\0`).update(readFileSync(join(root, path)));
  for (const path of [...MAKERS, "tsconfig.build.json", "LICENSE", "README.md", "src"]) {
    if (/\.\w+$|^LICENSE$/.test(path)) add(path);
    else
      for (const entry of readdirSync(join(root, path), { recursive: true, withFileTypes: true }))
        if (entry.isFile()) add(join(entry.parentPath, entry.name).slice(root.length));
  }
  return hash.digest("hex");
}

/** Builds the package unless the one in `dist` was made from what stands here now. */
export async function build_if_stale(): Promise<void> {
  const fresh = existsSync(stamp) && existsSync(dist) && readFileSync(stamp, "utf8") === made_from();
  if (!fresh) await build();
}

/**
 * Replaces src/trace/sources.ts in the package, which has no sources for building the symbol index and contains the
 * finished index instead.
 */
const PACKED_INDEX = `
import index from "../generated/symbols.json" with { type: "json" };
export function symbolFile() {
  return index;
}
export function readSourcesFrom() {}`;

/** The device is linked separately: a program that does not import `glasstorch/webgpu` loads none of it. */
const DEVICE = /(?:^|\/)webgpu(?:\.js$|\/)/;

// Node runs the library as a script (build/node.js), and a name imported from it keeps its first value. Among the names
// that the device imports one changes its value, the tracer; it is read through a function.
const TRACE = "c10/util/Trace.js";
const TRACE_STATE = `
export const trace_state = { get tracer() { return tracer; } };
`;
function asking_for_tracer(text: string): string {
  return text
    .split("\n")
    .map((line) => line.replace(/\btracer\b/g, line.startsWith("import ") ? "trace_state" : "trace_state.tracer"))
    .join("\n");
}

/**
 * The compiler's output with checks expanded, and its source map, so that positions in the linked file lead back to TypeScript.
 */
const objectFiles: Plugin = {
  name: "object files",
  /** Resolves `#c10/core/Scalar`: package.json maps it to the TypeScript file, here it is the object file. */
  resolveId: (specifier) => (specifier.startsWith("#") ? join(objects, `${specifier.slice(1)}.js`) : null),
  load(file) {
    if (file === join(objects, "trace/sources.js")) return PACKED_INDEX;
    const text = readFileSync(file, "utf8").replace(/\n\/\/# sourceMappingURL=.*$/, "");
    const path = file.slice(objects.length + 1);
    const code = path === TRACE ? `${text}${TRACE_STATE}` : DEVICE.test(path) ? asking_for_tracer(text) : text;
    return { code: expand_checks(code), map: JSON.parse(readFileSync(`${file}.map`, "utf8")) };
  },
  /** In the linked file nothing is at its original place (c10/util/Backtrace.ts), and a script has no address. */
  resolveImportMeta: () => '""',
  renderChunk: (code) => seal_bindings(code),
};

/** The packages that the library needs at run time, from the manifest. */
const { dependencies }: { dependencies: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);

/** The first lines of the linked text: one import per package. */
const IMPORT_LINES = /^(?:import .*\n)*/;

/**
 * Shortens names inside functions and removes blanks: an engine reads the whole text before it runs the first line, and
 * this saves a tenth of that time. Names at the top level stay, because a recording finds functions by them. To keep
 * them, the linker's first and last lines, which make the text a module, are hidden from the minifier.
 */
const shortLocals: Plugin = {
  name: "short locals",
  async renderChunk(code, chunk) {
    if (chunk.name !== "torch") return null;
    const end = code.lastIndexOf("\nexport ");
    const [imports] = IMPORT_LINES.exec(code) as RegExpExecArray;
    const inside = code.slice(0, end).replace(IMPORT_LINES, (lines) => lines.replace(/.+/g, ""));
    const { code: short, map } = await transform(inside, {
      minifyWhitespace: true,
      minifyIdentifiers: true,
      minifySyntax: true,
      lineLimit: 500,
      sourcemap: "external",
      banner: imports,
      footer: code.slice(end + 1),
    });
    return { code: short, map };
  },
};

/** The entries import the library from the file that the manifest names for their platform. */
const LIBRARY = "#torch";
const platforms: Plugin = {
  name: "platforms",
  renderChunk(code, chunk) {
    if (chunk.name === "torch") return null;
    const entry = new MagicString(code).replace(/(?<= from )'[./]+\/torch\.js'/, `'${LIBRARY}'`);
    return { code: entry.toString(), map: entry.generateMap({ hires: "boundary" }) };
  },
};

/** The entries for users. */
const ENTRIES = ["index", "trace/index", "webgpu", "python", "fx", "func", "export", "compile", "jit", "lazy", "cpp"];

/** The files that `import torch from "glasstorch"` needs. What only other entries need is linked apart from them. */
function needed_by_torch(imports_of: (file: string) => readonly string[]): Set<string> {
  const found = new Set([join(objects, "index.js")]);
  for (const file of found) for (const imported of imports_of(file)) found.add(imported);
  return found;
}

async function link(): Promise<void> {
  let needed: Set<string> | null = null;
  const linked = await rollup({
    input: Object.fromEntries(ENTRIES.map((entry) => [entry, join(objects, `${entry}.js`)])),
    external: (id) => id.endsWith(".json") || id in dependencies,
    treeshake: false,
    plugins: [objectFiles, shortLocals, platforms],
  });
  const { output } = await linked.write({
    dir: dist,
    minifyInternalExports: false,
    sourcemap: true,
    generatedCode: { constBindings: true },
    chunkFileNames: "[name].js",
    importAttributesKey: "with",
    manualChunks: (file, { getModuleInfo }) => {
      needed ??= needed_by_torch((id) => getModuleInfo(id)?.importedIds ?? []);
      const path = file.slice(objects.length + 1);
      return path.startsWith("trace/") || path === "index.js" || DEVICE.test(path) || !needed.has(file)
        ? undefined
        : "torch";
    },
  });
  const library = output.find((file) => file.name === "torch");
  if (library?.type !== "chunk") throw new Error("the library was not linked into one file");
  for (const chunk of output)
    if (chunk.type === "chunk") nothing_changes(chunk.importedBindings[library.fileName] ?? [], library);
  write_loader(
    library.exports,
    library.imports.filter((id) => id in dependencies),
  );
  await keep_compilation(dist);
  mkdirSync(join(dist, "generated"), { recursive: true });
  writeFileSync(join(dist, "generated/symbols.json"), JSON.stringify(symbolFile()));
}

/** @throws {Error} if one of these names, which others import from the library, is a variable that is assigned later */
function nothing_changes(names: readonly string[], library: OutputChunk): void {
  const wanted = new Set(names);
  const changes = (code: string, name: string): boolean =>
    (code.match(new RegExp(`(?<![\\w$.])${name.replaceAll("$", "\\$")} = `, "g")) ?? []).length > 1;
  for (const { code } of Object.values(library.modules))
    for (const [, name = ""] of (code ?? "").matchAll(/^(?:let|var) (\w+)/gm))
      if (wanted.has(name) && changes(code ?? "", name))
        throw new Error(`the library's ${name}: Node would import a value that changes`);
}

/** Writes the library as Node loads it: a script imports nothing, so the packages are passed to it. */
function write_loader(exported: readonly string[], packages: readonly string[]): void {
  const imports = packages.map((name, i) => `import * as package_${i} from "${name}";\n`).join("");
  const given = packages.map((_, i) => `package_${i}`).join(", ");
  if (!exported.includes("doors")) throw new Error("the library does not export its doors (src/torch/_doors.ts)");
  const names = `export const { ${exported.join(", ")} } = compile().runInThisContext()(${given});\nload_entries(doors);\n`;
  writeFileSync(
    join(dist, "node.js"),
    `${readFileSync(join(root, "tools/build/node.js"), "utf8")}\n${imports}${names}`,
  );
}

/** Stores the engine's compilation of the library in `folder`, a package that has none yet. */
export async function keep_compilation(folder: string): Promise<void> {
  const { compile } = await import(pathToFileURL(join(folder, "node.js")).href);
  writeFileSync(join(folder, "torch.cache"), compile().createCachedData());
}

/**
 * The package's command, which runs Python programs: tools/python.ts on the package instead of the sources, without the helpers of
 * PyTorch's own tests, which are no part of the package.
 */
function write_command(): void {
  const source = readFileSync(join(root, "tools/python.ts"), "utf8")
    .replace('import "../src/torch/testing/_internal/index.ts";\n', "")
    .replace("../src/python.ts", "./python.js")
    .replace("../src/trace/index.ts", "./trace/index.js");
  const { code } = transformSync(source, { loader: "ts", format: "esm", target: "node20" });
  writeFileSync(join(dist, "command.js"), `#!/usr/bin/env node\n${code}`, { mode: 0o755 });
}

export async function build(): Promise<void> {
  for (const made of [stamp, dist, objects]) rmSync(made, { recursive: true, force: true });
  const tsc = join(root, "node_modules/@typescript/native/bin/tsc");
  const folders = ["--outDir", objects, "--declarationDir", dist];
  execFileSync(process.execPath, [tsc, "-p", join(root, "tsconfig.build.json"), ...folders], { stdio: "inherit" });
  for (const file of ["LICENSE", "README.md"]) copyFileSync(join(root, file), join(dist, file));
  const { name, version, description, license, engines, sideEffects, imports } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  write_command();
  const entry = (path: string) => ({ types: `./${path}.d.ts`, default: `./${path}.js` });
  const manifest = {
    name,
    version,
    description,
    license,
    type: "module",
    sideEffects,
    engines,
    imports: {
      // Bundlers know "module"; Node does not.
      [LIBRARY]: { module: "./torch.js", node: "./node.js", default: "./torch.js" },
      // The others are only for declarations, because the JavaScript is linked.
      ...Object.fromEntries(Object.keys(imports).map((key) => [key, { types: `./${key.slice(1)}.d.ts` }])),
    },
    bin: { glasstorch: "./command.js" },
    exports: {
      ".": entry("index"),
      "./trace": entry("trace/index"),
      "./webgpu": entry("webgpu"),
      "./python": entry("python"),
      "./cpp": entry("cpp"),
      "./fx": entry("fx"),
      "./func": entry("func"),
      "./export": entry("export"),
      "./compile": entry("compile"),
      "./jit": entry("jit"),
      "./lazy": entry("lazy"),
    },
    dependencies,
  };
  writeFileSync(join(dist, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  await link(); // the file is loaded when it is linked, and the loader reads the manifest once
  rmSync(objects, { recursive: true });
  writeFileSync(stamp, made_from());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const start = performance.now();
  await build();
  console.log(`dist/ built in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  if (process.argv.includes("--try")) await try_package(dist);
}
