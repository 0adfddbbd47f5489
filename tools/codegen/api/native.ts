/**
 * @file Resolution of kernel names in the YAML to the functions in `src/aten/native` that implement them.
 * @mirrors torchgen/api/native.py
 * @differs The operator `fill_.Scalar`, whose kernel is `fill_`, is implemented by `fill__Scalar` if that exists,
 * otherwise by `fill_`; C++ chooses among functions of one name by their argument types.
 */
import type { CodegenInput, Files } from "../context.ts";
import { CodegenError, type ErrorList, type Place } from "../errors.ts";
import type { BackendMetadata, NativeFunction, NativeFunctionsGroup } from "../model.ts";
import { identifier } from "../operator_name.ts";
import type { Declaration, SourceIndex } from "../source_index.ts";
import { scattered_parameters } from "./cpp.ts";

/** A function or class in the sources; `declaration` is null for a stand-in for a missing kernel. */
export interface Kernel {
  readonly name: string;
  readonly declaration: Declaration | null;
}

export const NATIVE = "src/aten/native/";

/** The folders of backends outside the library, which have lists of their own. */
export function backend_folders(files: Files): string[] {
  return [...files.keys()].flatMap((path) => /^(.+\/)(?!ts_)\w+_native_functions\.yaml$/.exec(path)?.[1] ?? []).sort();
}

/** Finds kernels by name. Kernel texts (`@loop`, `@template`) and generated loops are not native functions. */
export class NativeKernels {
  /** The folder of the kernels: `src/aten/native/`, or a backend's folder. */
  readonly folder: string;
  private readonly by_name = new Map<string, Declaration[]>();
  /** The library's own kernels, for those that a backend shares with it. */
  private readonly library: NativeKernels | null;
  private readonly allow_missing: boolean;
  private readonly errors: ErrorList;
  private readonly sources: SourceIndex;
  /** Every kernel requested so far, in order of first use. */
  readonly used = new Map<string, Kernel>();
  /** Kernels that codegen itself writes, with their files. */
  readonly generated = new Map<string, string>();

  constructor(input: CodegenInput, folder = NATIVE) {
    this.folder = folder;
    this.library = folder === NATIVE ? null : new NativeKernels(input);
    this.allow_missing = input.allow_missing;
    this.errors = input.errors;
    this.sources = input.sources;
    const others = backend_folders(input.files).filter((other) => other !== folder);
    const hand_written = (path: string) =>
      !path.includes("/generated/") &&
      !path.startsWith(`${folder}ufunc/`) &&
      !others.some((other) => path.startsWith(other));
    for (const d of input.sources.under(folder, hand_written)) {
      if (!d.exported || d.kind === "method" || /@(?:loop|template)\b/.test(d.comment)) continue;
      const same = this.by_name.get(d.name);
      if (same === undefined) this.by_name.set(d.name, [d]);
      else same.push(d);
    }
  }

  /** The function behind `metadata.kernel` for operator `f`. */
  resolve(f: NativeFunction, metadata: BackendMetadata): string {
    const is_made = f.generated || f.tags.has("view_copy");
    if (is_made && this.generated.has(generated_kernel_name(f, metadata))) return generated_kernel_name(f, metadata);
    const arity = scattered_parameters(f.func).length;
    const overload = f.func.name.overload_name;
    const names = overload === "" ? [identifier(metadata.kernel)] : [`${metadata.kernel}_${overload}`, metadata.kernel];
    const known = metadata.shared === true ? (this.library as NativeKernels).by_name : this.by_name;
    const fits = (d: Declaration): boolean => {
      if (d.kind !== "function") return true;
      const { required, parameters } = this.sources.parameters(d);
      return required <= arity && arity <= parameters;
    };
    for (const name of names) {
      const found = known.get(name)?.filter((d) => d.kind !== "class") ?? [];
      if (found.length > 1) this.note_duplicate(name, found, metadata.place);
      if (found[0] !== undefined && fits(found[0])) return this.use(name, found[0]);
    }
    const other = known.get(metadata.kernel)?.[0];
    if (!this.allow_missing)
      this.errors.add(
        new CodegenError(
          metadata.place,
          "dispatch",
          other === undefined
            ? `no function '${metadata.kernel}' for '${f.func.name}'`
            : `'${metadata.kernel}' (${other.file}:${other.line}) takes ${this.sources.parameters(other).parameters} arguments, '${f.func.name}' has ${arity}`,
          `write 'export function ${other === undefined && metadata.kernel.endsWith(`_${overload}`) ? metadata.kernel : names[0]}(${scattered_parameters(
            f.func,
          )
            .map((p) => p.name)
            .join(", ")})' in a file of ${this.folder}`,
        ),
      );
    return this.use(other === undefined ? metadata.kernel : names[0], null);
  }

  /** The hand-written class `name` of a structured kernel; `place` is the YAML line that requires it. */
  resolve_class(name: string, g: NativeFunctionsGroup, role: "meta" | "impl", shared = false): string {
    const known = shared ? (this.library as NativeKernels).by_name : this.by_name;
    const found = known.get(name)?.filter((d) => d.kind === "class") ?? [];
    const place = g.out.loc;
    if (found.length > 1) this.note_duplicate(name, found, place);
    if (found[0] !== undefined) return this.use(name, found[0]);
    const base =
      role === "impl"
        ? `structured_${g.functional.func.name.unambiguous_name()}`
        : (g.out.structured_inherits ?? "MetaBase");
    if (!this.allow_missing)
      this.errors.add(
        new CodegenError(
          place,
          role === "impl" ? "dispatch" : "structured",
          `no class '${name}' for '${g.out.func.name}'`,
          `write 'export class ${name} extends ${base} { ${role}(...) }' in a file of ${this.folder}`,
        ),
      );
    return this.use(name, null);
  }

  has_function(name: string): boolean {
    return this.by_name.get(name)?.some((d) => d.kind === "function") ?? false;
  }

  has_class(name: string): boolean {
    return this.by_name.get(name)?.some((d) => d.kind === "class") ?? false;
  }

  /** The file of a hand-written kernel found by `resolve` or `resolve_class`, or null for a stand-in. */
  file_of(name: string): string | null {
    return this.used.get(name)?.declaration?.file ?? null;
  }

  /** The file that exports the constant `name`, or null. */
  find_const(name: string): string | null {
    return this.by_name.get(name)?.find((d) => d.kind === "const")?.file ?? null;
  }

  /** Registers a kernel that codegen writes to `file`, so that `resolve` finds it. */
  define_generated(f: NativeFunction, metadata: BackendMetadata, file: string): string {
    const name = generated_kernel_name(f, metadata);
    this.generated.set(name, file);
    return name;
  }

  private use(name: string, declaration: Declaration | null): string {
    if (!this.used.has(name)) this.used.set(name, { name, declaration });
    return name;
  }

  private note_duplicate(name: string, found: readonly Declaration[], place: Place): void {
    this.errors.add(
      new CodegenError(
        place,
        "dispatch",
        `'${name}' is exported twice: ${found.map((d) => `${d.file}:${d.line}`).join(" and ")}`,
        "rename one, or do not export it",
      ),
    );
  }
}

/**
 * Name of a generated kernel. C++ kernels of functional variants share a name (`random`); ours contain the overload.
 * Out variants and names in the YAML already do.
 */
function generated_kernel_name(f: NativeFunction, metadata: BackendMetadata): string {
  const overload = f.func.name.overload_name;
  return !f.generated || f.func.is_out_fn() || overload === "" ? metadata.kernel : `${metadata.kernel}_${overload}`;
}
