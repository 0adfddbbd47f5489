/**
 * @file The reader of `@vec` files: their functions, the marks on these, and constants.
 * @original The C++ compiler reads Vectorized<T>.
 * @see src/aten/cpu/vec/Vec.ts, Note [Kernel text with Vec]
 */
import { CodegenError } from "../errors.ts";
import { file_of } from "../module_path.ts";
import { type FunctionText, type Node, parseModule, readFunction } from "./source.ts";

export interface VecFunction extends FunctionText {
  /** The file of the function; an imported function has another one. */
  readonly path: string;
  readonly exported: boolean;
  readonly inline: boolean;
  /** Parameters to which the body assigns. */
  readonly assigned: ReadonlySet<string>;
}

export interface VecFile {
  readonly path: string;
  readonly text: string;
  /** Name of the generated table. */
  readonly name: string;
  readonly dtypes: readonly VecDtype[];
  readonly functions: ReadonlyMap<string, VecFunction>;
  /** Initializers of module-level constants. */
  readonly constants: ReadonlyMap<string, Node>;
  /** Files of the same folder whose `@inline` functions it may call. */
  readonly imported: ReadonlySet<string>;
}

export const VEC_DTYPES = ["float32", "float64", "int32", "int64", "float16", "bfloat16"] as const;
export type VecDtype = (typeof VEC_DTYPES)[number];

const TAG = /@vec\s+(\w+):\s*((?:\w+\s*,\s*)*\w+)/;
const MARK = /^ \* @vec\s/m;

/** The folder of all `@vec` files. */
export const VEC_FOLDER = "src/aten/native/cpu/vec/";

/** Whether the file declares itself a `@vec` file: a cheap test before parsing. */
export function is_vec_file(text: string): boolean {
  return MARK.test(text);
}

/** @param files the texts in which imported files are found */
export function read_vec_file(path: string, text: string, files: ReadonlyMap<string, string>): VecFile {
  const tag = TAG.exec(text);
  const line = text.slice(0, text.search(MARK)).split("\n").length;
  const place = { file: path, line };
  if (tag === null) throw new CodegenError(place, "@vec", "cannot be read", "write @vec NAME: float32, float64");
  const dtypes = tag[2].split(",").map((s) => s.trim());
  for (const d of dtypes)
    if (!(VEC_DTYPES as readonly string[]).includes(d))
      throw new CodegenError(place, `@vec ${tag[1]}`, `no vectors of "${d}"`, `use ${VEC_DTYPES.join(", ")}`);
  const functions = new Map<string, VecFunction>();
  const constants = new Map<string, Node>();
  const imported = new Set<string>();
  for (const node of parseModule(path, text)) {
    if (node.type === "ImportDeclaration" && node.importKind !== "type") {
      const from = file_of(path, node.source.value);
      if (from?.startsWith(VEC_FOLDER) && !from.includes("/generated/")) imported.add(from);
    }
    const declaration = node.type === "ExportNamedDeclaration" ? node.declaration : node;
    if (declaration?.type === "VariableDeclaration" && declaration.kind === "const")
      for (const d of declaration.declarations)
        if (d.id.type === "Identifier" && d.init) constants.set(d.id.name, d.init);
    add_function(functions, path, text, node);
  }
  for (const from of imported) {
    const other = files.get(from);
    if (other === undefined) continue;
    const own = new Map<string, VecFunction>();
    for (const node of parseModule(from, other)) add_function(own, from, other, node);
    for (const [name, fn] of own) if (fn.inline && !functions.has(name)) functions.set(name, fn);
  }
  return { path, text, name: tag[1], dtypes: dtypes as VecDtype[], functions, constants, imported };
}

function add_function(functions: Map<string, VecFunction>, path: string, text: string, node: Node): void {
  const exported = node.type === "ExportNamedDeclaration";
  const declaration = exported ? node.declaration : node;
  if (declaration?.type !== "FunctionDeclaration") return;
  const fn = readFunction(declaration, text);
  if (!is_kernel_text(fn)) return;
  const inline = (node.leadingComments ?? []).some((c: Node) => /@inline\b/.test(c.value));
  const assigned = assigned_in(declaration.body);
  functions.set(fn.name, { ...fn, path, exported: exported && !inline, inline, assigned });
}

const WORDS = new Set(["Vec", "IntVec", "Mask", "int", "float", "ptr"]);

/** Whether it is kernel text: a driver in the same file has parameters of other types. */
function is_kernel_text(fn: FunctionText): boolean {
  return fn.params.length > 0 && fn.params.every((p) => WORDS.has(p.type));
}

function assigned_in(body: Node): Set<string> {
  const names = new Set<string>();
  const visit = (node: Node): void => {
    if (node === null || typeof node !== "object") return;
    if (Array.isArray(node)) {
      for (const n of node) visit(n);
      return;
    }
    if (typeof node.type !== "string") return;
    if (node.type === "AssignmentExpression" && node.left.type === "Identifier") names.add(node.left.name);
    if (node.type === "UpdateExpression" && node.argument.type === "Identifier") names.add(node.argument.name);
    for (const key of Object.keys(node)) if (key !== "loc" && !key.endsWith("Comments")) visit(node[key]);
  };
  visit(body);
  return names;
}
