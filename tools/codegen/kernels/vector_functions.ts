/**
 * @file The functions that a scalar function may call, typed for the element type of its argument: the machine's own
 * body if there is one, else the helper's.
 * @original The C++ compiler resolves overloads.
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
  "src/aten/cpu/vec/inverse_trigonometry.ts",
  "src/aten/cpu/vec/hyperbolic.ts",
  "src/aten/cpu/vec/fmod.ts",
  "src/aten/cpu/vec/erf.ts",
  "src/aten/cpu/vec/lgamma.ts",
  "src/aten/cpu/vec/avx_mathfun.ts",
];
export const UNLIKELY = "C10_UNLIKELY";

/** A typed function, and the file to which its line numbers belong. */
export interface CalledFunction {
  readonly fn: TypedFunction;
  readonly file: string;
  /** Whether it is in one of the machine's own files. */
  readonly is_own: boolean;
}

export class VectorFunctions {
  private readonly files = new Map<string, KernelFile>();
  private readonly own: readonly string[];
  /** Names of functions that are single values of a graph. */
  readonly primitives: ReadonlySet<string>;
  /** Functions that are built into the machine and have no kernel text: all arguments and the result have one type. */
  readonly built_in: ReadonlySet<string>;
  /** Functions in the machine's own files, by name and the dtype of the first parameter. */
  private readonly vector = new Map<string, Helper>();
  private readonly helpers: ReadonlyMap<string, Helper>;
  private readonly known = new Map<string, CalledFunction | null>();

  /**
   * @param modules texts of the modules that kernel text may call; @param own those that belong to the machine: of
   *   equal names the last one wins
   */
  constructor(
    modules: ReadonlyMap<string, string>,
    helpers: ReadonlyMap<string, Helper>,
    own: readonly string[],
    primitives: ReadonlySet<string>,
    built_in: ReadonlySet<string>,
  ) {
    this.own = own;
    this.primitives = primitives;
    this.built_in = built_in;
    for (const [path, text] of modules) this.files.set(path, readKernelFile(path, text));
    for (const path of own)
      for (const h of readHelpers(path, modules.get(path) ?? ""))
        this.vector.set(`${h.name} ${h.body.params[0]?.type}`, h);
    this.helpers = helpers;
  }

  /**
   * The function called by `name` with elements of `t`; null if there is none. @throws {CodegenError} for a body
   * outside the subset
   */
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

  /** All functions of the machine, with the dtype of their first parameter; of equal ones the last. */
  own_functions(): readonly (readonly [name: string, dtype: string])[] {
    return [...this.vector.values()].map((h) => [h.name, h.body.params[0].type]);
  }

  private typed(name: string, t: ElementType): CalledFunction | null {
    const own = this.vector.get(`${name} ${t.name}`) ?? this.vector.get(`${name} ${computed_as(t)}`);
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
    if (this.own.includes(helper.module)) {
      for (const h of this.vector.values()) helpers.set(h.name, h);
      for (const name of [...this.primitives, ...this.built_in])
        helpers.set(name, { ...helper, name, returnType: "number", inline: null });
      helpers.set(UNLIKELY, { ...helper, name: UNLIKELY, returnType: "boolean", inline: null });
    }
    const surroundings = { file, bindings: new Map([["scalar_t", t]]), helpers, instanceOf: () => null };
    const is_own = this.own.includes(helper.module);
    return { fn: typeScalarFunction(body, helper.name, surroundings), file: file.path, is_own };
  }
}

/** The dtype of computation: narrow integers are computed in 32 bits. */
function computed_as(t: ElementType): string {
  return t.class === "integral" && t.size < 4 ? "int32" : t.name;
}

/** The signature `(a: number, b: number): boolean` with elements in place of numbers. */
function generic(fn: FunctionText): FunctionText {
  const elements: Readonly<Record<string, string>> = { number: "scalar_t", bigint: "scalar_t", boolean: "bool" };
  const type = (text: string): string => elements[text.trim()] ?? text;
  return { ...fn, params: fn.params.map((p) => ({ ...p, type: type(p.type) })), returnType: type(fn.returnType) };
}

/** Only the reason in a CodegenError. */
export function reasonOf(error: CodegenError): string {
  const head = `${error.place.file}:${error.place.line}: ${error.field}: `;
  return error.message.slice(head.length).split("\n")[0];
}
