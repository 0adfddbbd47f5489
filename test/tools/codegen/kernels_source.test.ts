/** The facts that are read from a hand-written kernel file before any dtype is chosen. */
import { describe, expect, test } from "vitest";
import { hasKernels, type KernelFunction, readHelpers, readKernelFile } from "../../../tools/codegen/kernels/source.ts";

const PATH = "src/aten/native/cpu/XKernel.ts";
const read = (text: string) => readKernelFile(PATH, text);
const loop = (tag: string, after = "") =>
  `/** ${tag} */\nexport function f(a: scalar_t): scalar_t { return a; }${after}`;

describe("a kernel file", () => {
  test("that does not parse is refused at its line", () => {
    expect(() => read("const a = 1;\nconst = 2;")).toThrow(`${PATH}:2: syntax: Unexpected token`);
    expect(() => read("const a = 1;\nconst = 2;")).toThrow("mend the TypeScript syntax");
  });

  test("says where its types come from, its own among them", () => {
    const { imports } = read(`import type { A, B as C } from "#c10/core/A";
export interface D {}
export type E = number;
export class F {}
interface G {}
export enum H {}
export function i(): void {}
export { j } from "./j.ts";
export default 3;`);
    expect([...imports]).toEqual([
      ["A", "#c10/core/A"],
      ["C", "#c10/core/A"],
      ["D", "./XKernel.ts"],
      ["E", "./XKernel.ts"],
      ["F", "./XKernel.ts"],
    ]);
  });

  test("has constants: numbers, and what is made of numbers", () => {
    const { constants } = read(`const one = 1; export const two = -2, sum = 1 + 2 * 3;
const pi = Math.PI; const large = Number.MAX_VALUE; const half_pi = Math.PI / 2;
let changes = 3; var old = 4; const text = "5"; const made = make(6); const half_made = 1 + make(6); const other_half = make(6) + 1;
const foreign = Other.PI; const called = make().PI; const { taken } = { taken: 1 }; const [first] = 7; const { second } = 7; declare const unknown: number;`);
    expect([...constants]).toEqual([
      ["one", "1"],
      ["two", "-2"],
      ["sum", "1 + 2 * 3"],
      ["pi", "Math.PI"],
      ["large", "Number.MAX_VALUE"],
      ["half_pi", "Math.PI / 2"],
    ]);
  });
});

describe("a kernel", () => {
  const told = ({ kind, name, symbol, label, variables, body, overrides }: KernelFunction) => ({
    kind,
    name,
    symbol,
    label,
    variables: variables.map((v) => [v.name, ...v.types.map((t) => t.name)]),
    params: body.params.map((p) => [p.name, p.type]),
    returns: body.returnType,
    overrides: [...overrides].map(([suffix, { name, returnType }]) => [suffix, name, returnType]),
  });
  const f = {
    kind: "loop",
    name: "f",
    symbol: "f",
    label: "f_cpu",
    variables: [["scalar_t", "int64", "bool"]],
    params: [["a", "scalar_t"]],
    returns: "scalar_t",
    overrides: [],
  };

  test("is named by a tag, which may go on over lines and end where another begins", () => {
    for (const tag of [
      "@loop f_cpu: Bool, Long",
      "@loop f_cpu : Bool, Long  ",
      "\n * Text.\n *\n * @loop f_cpu: Bool,\n *   Long\n ",
      "@loop f_cpu: Bool, Long @see elsewhere: Int",
      "Not @loops, but a @loop   f_cpu:\n\tBool, Long\n * @see elsewhere",
    ])
      expect(read(loop(tag)).kernels.map(told)).toEqual([f]);
    expect(read(loop("no tag")).kernels).toEqual([]);
  });

  test("may have several type variables, bodies for dtypes, results of two kinds, parameters without types", () => {
    const text = `/** @template g dst_t: Long ; src_t: Bool, Long @see h */
function g(n, x: data<src_t> = null, step = 1) {}
function g$int64(n: number): number { return n; }
function g$bool(n: number): void {}
function g2$bool(n: number): void {}
/** @loop lt_cpu: Long */
export function lt(a: scalar_t): bool | scalar_t { return a < 2; }
export function lt$int64(a: scalar_t): bool { return a < 3; }`;
    expect(read(text).kernels.map(told)).toEqual([
      {
        kind: "template",
        name: "g",
        symbol: "g",
        label: "g",
        variables: [
          ["dst_t", "int64"],
          ["src_t", "int64", "bool"],
        ],
        params: [
          ["n", "number"],
          ["x", "data<src_t>"],
          ["step", "number"],
        ],
        returns: "void",
        overrides: [
          ["int64", "g$int64", "void"],
          ["bool", "g$bool", "void"],
        ],
      },
      ...["bool", "scalar_t"].map((returns) => ({
        ...f,
        name: returns === "bool" ? "lt" : "lt_scalar_t",
        symbol: "lt",
        label: "lt_cpu",
        variables: [["scalar_t", "int64"]],
        returns,
        overrides: [["int64", "lt$int64", returns]],
      })),
    ]);
  });

  test("whose list of types is none is refused at its line", () => {
    const text = `const a = 1;\n${loop("@loop f_cpu: Long, sorts")}`;
    expect(() => read(text)).toThrow(`${PATH}:3: @loop: unknown type list "sorts"`);
    expect(() => read(text.replace("loop", "template"))).toThrow("@template: unknown type list");
  });

  test("shows in a text before that is parsed", () => {
    const yes = [loop("@loop f_cpu: Long"), loop("\n * Text.\n * @template f_cpu: Long\n")];
    const no = [loop("Nothing."), "// @loop is a tag", "const text = '@loop f: Long'", loop("@loops f_cpu: Long")];
    expect([yes.map(hasKernels), no.map(hasKernels)]).toEqual([
      [true, true],
      [false, false, false, false],
    ]);
  });
});

describe("helpers", () => {
  /** Name, parameters, result; what may be written in place, with its parameters' uses taken out. */
  const helpers = (text: string): unknown[] =>
    readHelpers("src/c10/util/math.ts", text).map(({ name, module, params, returnType, inline, uses }) => {
      expect(module).toBe("src/c10/util/math.ts");
      const used =
        inline === null ? null : uses.map((ranges) => ranges.map(([from, to]) => [from, inline.slice(from, to)]));
      return [name, params, returnType, inline, used];
    });

  test("are the exported functions; one expression over parameters, numbers and Math may stand in place", () => {
    expect(
      helpers(`import { x } from "y";
function hidden(x: number): number { return x; }
export const constant = 3;
export function twice(x: number, y: number): number { return x + Math.max(y, x * Number.EPSILON); }
export function none(): void {}
export function bare(): void { return; }
export function longer(x: number): number { const y = x; return y; }
export function branch(x: number): number { if (x > 1) return x; return 2; }
export function single(x: number): number { if (x > 1) return x; }
export function raised(x: number): number { throw new Error(x); }
export function foreign(x: number): number { return x + constant; }
export function calls(x: number): number { return other(x); }
export function named(x: Thing): number { return x.x + Math.x; }
export function placed(x: number, y: number): number { return y[x]; }`),
    ).toEqual([
      [
        "twice",
        ["x", "y"],
        "number",
        "x + Math.max(y, x * Number.EPSILON)",
        [
          [
            [0, "x"],
            [16, "x"],
          ],
          [[13, "y"]],
        ],
      ],
      ["none", [], "void", null, null],
      ["bare", [], "void", null, null],
      ["longer", ["x"], "number", null, null],
      ["branch", ["x"], "number", null, null],
      ["single", ["x"], "number", null, null],
      ["raised", ["x"], "number", null, null],
      ["foreign", ["x"], "number", null, null],
      ["calls", ["x"], "number", null, null],
      ["named", ["x"], "number", "x.x + Math.x", [[[0, "x"]]]],
      ["placed", ["x", "y"], "number", "y[x]", [[[2, "x"]], [[0, "y"]]]],
    ]);
  });
});
