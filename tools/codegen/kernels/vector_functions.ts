/**
 * @file The functions that a scalar function may call, typed for the element type of its argument: a body for vectors from
 * src/aten/cpu/vec if there is one, else the helper's own.
 * @original The C++ compiler looks overloads up.
 */
import type { CodegenError } from "../errors.ts";
import { type ElementType, opmathOf, overrideSuffixes } from "./element_types.ts";
import { type FunctionText, type Helper, type KernelFile, readHelpers, readKernelFile } from "./source.ts";
import type { TypedFunction } from "./tree.ts";
import { typeScalarFunction } from "./typing_statements.ts";

export const VECTOR_FUNCTIONS: readonly string[] = [
  "src/aten/cpu/vec/functions.ts",
  "src/aten/cpu/vec/functions_float64.ts",
  "src/aten/cpu/vec/pow.ts",
  "src/aten/cpu/vec/div_floor.ts",
  "src/aten/cpu/vec/trigonometry.ts",
  "src/aten/cpu/vec/erf.ts",
];
/** Single values of a graph, by name. */
export const PRIMITIVES: ReadonlySet<string> = new Set(["fmadd", "pmin", "pmax"]);
export const UNLIKELY = "C10_UNLIKELY";

/** A function, typed, and the file its lines are counted in. */
export interface CalledFunction {
  readonly fn: TypedFunction;
  readonly file: string;
}

export class VectorFunctions {
  private readonly files = new Map<string, KernelFile>();
  /** What those files define, by name and the dtype of the first parameter. */
  private readonly vector = new Map<string, Helper>();
  private readonly helpers: ReadonlyMap<string, Helper>;
  private readonly known = new Map<string, CalledFunction | null>();

  /** `modules`: texts of the modules that kernel text may call, VECTOR_FUNCTIONS among them. */
  constructor(modules: ReadonlyMap<string, string>, helpers: ReadonlyMap<string, Helper>) {
    for (const [path, text] of modules) this.files.set(path, readKernelFile(path, text));
    for (const path of VECTOR_FUNCTIONS)
      for (const h of readHelpers(path, modules.get(path) ?? ""))
        this.vector.set(`${h.name} ${h.body.params[0]?.type}`, h);
    this.helpers = helpers;
  }

  /** The function that a call of `name` with elements of `t` is; null if there is none. Throws the CodegenError of a body outside the subset. */
  find(name: string, t: ElementType): CalledFunction | null {
    const computed = opmathOf(t);
    const key = `${name} ${computed.name}`;
    let found = this.known.get(key);
    if (found === undefined) {
      found = this.typed(name, computed);
      this.known.set(key, found);
    }
    return found;
  }

  private typed(name: string, t: ElementType): CalledFunction | null {
    const own = this.vector.get(`${name} ${t.name}`);
    if (own !== undefined) return this.instance(own, own.body, t);
    for (const suffix of [...overrideSuffixes(t).map((s) => `${name}$${s}`), name]) {
      const helper = this.helpers.get(suffix);
      if (helper !== undefined) return this.instance(helper, generic(helper.body), t);
    }
    return null;
  }

  private instance(helper: Helper, body: FunctionText, t: ElementType): CalledFunction {
    const file = this.files.get(helper.module) as KernelFile;
    const helpers = new Map(this.helpers);
    if (VECTOR_FUNCTIONS.includes(helper.module)) {
      for (const h of this.vector.values()) helpers.set(h.name, h);
      for (const name of PRIMITIVES) helpers.set(name, { ...helper, name, returnType: "number", inline: null });
      helpers.set(UNLIKELY, { ...helper, name: UNLIKELY, returnType: "boolean", inline: null });
    }
    const surroundings = { file, bindings: new Map([["scalar_t", t]]), helpers, instanceOf: () => null };
    return { fn: typeScalarFunction(body, helper.name, surroundings), file: file.path };
  }
}

/** `(a: number, b: number): boolean` as it is for elements. */
function generic(fn: FunctionText): FunctionText {
  const elements: Readonly<Record<string, string>> = { number: "scalar_t", bigint: "scalar_t", boolean: "bool" };
  const type = (text: string): string => elements[text.trim()] ?? text;
  return { ...fn, params: fn.params.map((p) => ({ ...p, type: type(p.type) })), returnType: type(fn.returnType) };
}

/** The reason that a CodegenError gives, alone. */
export function reasonOf(error: CodegenError): string {
  const head = `${error.place.file}:${error.place.line}: ${error.field}: `;
  return error.message.slice(head.length).split("\n")[0];
}
