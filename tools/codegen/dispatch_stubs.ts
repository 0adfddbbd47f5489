/**
 * @file Check that every stub has a kernel when it is called: some file registers the kernel, and that file is imported.
 * @original PyTorch's kernels are gathered by the linker, and a stub without a kernel fails at its first call.
 */
import type { Files } from "./context.ts";
import { CodegenError, type ErrorList, type Place } from "./errors.ts";
import { file_of } from "./module_path.ts";

const ATEN = "src/aten/";
const CPU = "src/aten/native/cpu/";
const REGISTER_KERNELS = `${CPU}RegisterKernels.ts`;

/** `const x_stub = DEFINE_DISPATCH<...>(...)`. */
const STUB = /^(?:export )?const (\w+)\s*=\s*DEFINE_DISPATCH\b/gm;
/** `REGISTER_DISPATCH(x_stub, ...)`, `REGISTER_PRIVATEUSE1_DISPATCH(stubs.x_stub, ...)`, and the like. */
const REGISTRATION = /^[ \t]*REGISTER_\w*DISPATCH\(\s*(?:\w+\.)?(\w+),/gm;
const IMPORT = /^(?:import|export) (?!type )[^"`;]*"([#.][^"]+)";$/gm;

/** Adds an error for each stub without a kernel, and for each file of CPU kernels that nobody imports. `outputs` are files that codegen has written. */
export function check_dispatch_stubs(files: Files, outputs: Files, errors: ErrorList): void {
  const stubs = new Map<string, Place>();
  const registrations = new Map<string, Place[]>();
  const note = (path: string, text: string): void => {
    if (!path.startsWith(ATEN) || !path.endsWith(".ts") || !text.includes("_DISPATCH")) return;
    for (const m of text.matchAll(STUB)) stubs.set(m[1], place_of(path, text, m.index));
    for (const m of text.matchAll(REGISTRATION)) {
      const known = registrations.get(m[1]);
      if (known === undefined) registrations.set(m[1], [place_of(path, text, m.index)]);
      else known.push(place_of(path, text, m.index));
    }
  };
  for (const [path, text] of files) if (!path.includes("/generated/")) note(path, text);
  for (const [path, text] of outputs) note(path, text);

  const loaded = loaded_files(files);
  const is_loaded = ({ file }: Place): boolean => !file.startsWith(CPU) || loaded.has(file);
  for (const [stub, place] of stubs) {
    const places = registrations.get(stub) ?? [];
    if (places.length === 0) errors.add(without_kernel(stub, place));
    else if (!places.some(is_loaded)) errors.add(not_imported(stub, places[0]));
  }
}

function without_kernel(stub: string, place: Place): CodegenError {
  const of_stub = (place.file.split("/").at(-1) as string).replace(/\.ts$/, "");
  const name = of_stub === "index" ? (place.file.split("/").at(-2) as string) : of_stub;
  return new CodegenError(
    place,
    "DEFINE_DISPATCH",
    `nothing registers a kernel for '${stub}'`,
    `write 'REGISTER_DISPATCH(${stub}, ...)' in ${CPU}${name}Kernel.ts, and import that file in ${REGISTER_KERNELS}`,
  );
}

function not_imported(stub: string, place: Place): CodegenError {
  return new CodegenError(
    place,
    "REGISTER_DISPATCH",
    `no file imports this one, so '${stub}' has no kernel`,
    `write 'import "./${place.file.slice(CPU.length)}";' in ${REGISTER_KERNELS}`,
  );
}

/**
 * Files of `native/cpu` that are imported. The importers are RegisterKernels.ts and all hand-written files outside
 * `native/cpu`; NativeFunctions.ts imports each of those, because it has an operator's kernel.
 */
function loaded_files(files: Files): ReadonlySet<string> {
  const loaded = new Set<string>();
  const follow = (path: string, text: string): void => {
    for (const [, specifier] of text.matchAll(IMPORT)) {
      const to = file_of(path, specifier);
      if (to === null || !to.startsWith(CPU) || loaded.has(to)) continue;
      loaded.add(to);
      follow(to, files.get(to) ?? "");
    }
  };
  follow(REGISTER_KERNELS, files.get(REGISTER_KERNELS) ?? "");
  for (const [path, text] of files)
    if (path.startsWith(ATEN) && path.endsWith(".ts") && !path.startsWith(CPU) && !path.includes("/generated/"))
      follow(path, text);
  return loaded;
}

function place_of(path: string, text: string, offset: number): Place {
  return { file: path, line: text.slice(0, offset).split("\n").length };
}
