/**
 * @file Instantiation of kernels: for every file in `src/aten/native` with `@loop` scalar functions or `@template`
 * functions, one generated file with a function per dtype and the tables by which drivers select them.
 * @original torchgen generates ufunc kernels this way (torchgen/dest/ufunc.py); the other inner loops are C++ templates there.
 * @see src/aten/Dispatch.ts for the types kernel text is written in; tools/codegen/kernels for the steps
 */

import { computed_in, type Kernel } from "../../../src/aten/cpu/vec/ir.ts";
import { CodegenError } from "../errors.ts";
import { type Bindings, isCaptured } from "../kernels/annotations.ts";
import { type ElementType, MATH, overrideSuffixes } from "../kernels/element_types.ts";
import { checkLoopNames, emitLoop } from "../kernels/emit_loop.ts";
import { emitSimd, lowered } from "../kernels/emit_simd.ts";
import { emitTemplate } from "../kernels/emit_template.ts";
import { emitFunctions, emitWgsl } from "../kernels/emit_wgsl.ts";
import { Refusal } from "../kernels/graph.ts";
import { type Machines, machines, WGSL_FUNCTIONS } from "../kernels/machines.ts";
import {
  type FunctionText,
  type Helper,
  hasKernels,
  type KernelFile,
  type KernelFunction,
  readHelpers,
  readKernelFile,
} from "../kernels/source.ts";
import type { Instance, Surroundings } from "../kernels/typing.ts";
import { outputTypes, typeScalarFunction, typeTemplate } from "../kernels/typing_statements.ts";
import { Uses } from "../kernels/uses.ts";
import { VECTOR_FUNCTIONS } from "../kernels/vector_functions.ts";
import { fill } from "../layout.ts";
import { MadeBefore } from "../made_before.ts";
import { file_of, specifier_of } from "../module_path.ts";

const ROOT = "src/aten/native/";
const HELPERS: readonly string[] = [
  MATH,
  "src/aten/native/Math/index.ts",
  "src/aten/native/Math/Igamma.ts",
  "src/aten/native/cpu/avx_mathfun.ts",
];
/** Modules whose functions every kernel file may call. */
export const HELPER_MODULES: readonly string[] = [...HELPERS, ...VECTOR_FUNCTIONS, ...WGSL_FUNCTIONS];

/** Folders of kernels that have a `generated` folder each, inner ones first. */
const ROOMS = ["src/aten/native/cpu/vec/", "src/aten/native/cpu/", "src/aten/native/ufunc/", ROOT];

/** The folder of `path` that has a `generated` folder, and the rest of the path: `src/aten/native/cpu/`, `SumKernel.ts`. */
function in_room(path: string): { readonly room: string; readonly rest: string } {
  const room = ROOMS.find((folder) => path.startsWith(folder)) ?? ROOT;
  return { room, rest: path.slice(room.length) };
}

/** The output file for the instances of `path`: the same name below `generated`. */
export function outputPath(path: string): string {
  const { room, rest } = in_room(path);
  return `${room}generated/${rest}`;
}

/** The output file for its graphs. */
export function simdPath(path: string): string {
  return outputPath(path).replace(/\.ts$/, ".SIMD128.ts");
}

const WGSL = "src/aten/native/webgpu/generated";

const WGSL_FUNCTIONS_FILE = "src/aten/webgpu/generated/functions.wgsl.ts";

/** The output file for its GPU bodies, which no CPU file imports. */
export function wgslPath(path: string): string {
  return `${WGSL}/${in_room(path).rest.replace(/\.ts$/, ".wgsl.ts")}`;
}

const made_before = new MadeBefore<ReturnType<typeof generateFile> | null>();

/**
 * The generated kernel files, from the texts of the tree: for all files or those in `only`. It is pure: the same in a
 * shell and in a page.
 */
export function generate(
  files: ReadonlyMap<string, string>,
  only: readonly string[] = [...files.keys()],
): Map<string, string> {
  const callable = HELPER_MODULES.map((module) => files.get(module) ?? "");
  let called: Called | null = null;
  const out = new Map<string, string>();
  for (const path of [...only].sort()) {
    const text = files.get(path) as string;
    if (!path.startsWith(ROOT) || !path.endsWith(".ts") || path.includes("/generated/") || !hasKernels(text)) continue;
    const made = made_before.of(path, [text, ...callable], () => {
      const file = readKernelFile(path, text);
      if (file.kernels.length === 0) return null;
      called ??= calledFrom(files);
      return generateFile(file, called);
    });
    if (made === null) continue;
    out.set(outputPath(path), made.loops);
    if (made.simd !== null) out.set(simdPath(path), made.simd);
    if (made.wgsl !== null) out.set(wgslPath(path), made.wgsl);
  }
  return out;
}

/** Functions that kernel text may call. */
interface Called {
  readonly helpers: ReadonlyMap<string, Helper>;
  readonly machines: Machines;
}

function calledFrom(files: ReadonlyMap<string, string>): Called {
  const helpers = new Map<string, Helper>();
  const modules = new Map(HELPER_MODULES.map((module) => [module, files.get(module) ?? ""]));
  for (const module of HELPERS)
    for (const h of readHelpers(module, modules.get(module) as string)) helpers.set(h.name, h);
  return { helpers, machines: machines(modules, helpers) };
}

/**
 * The loop of a scalar function for one dtype: its JavaScript, and for other machines its graph or the reason why it has none.
 */
export interface LoopInstance {
  readonly types: readonly ElementType[];
  readonly loop: string;
  readonly graph: Kernel | Refusal;
  readonly wgsl: Kernel | Refusal;
}

/** Every loop of the scalar function `name` in `path`. */
export function loopInstances(files: ReadonlyMap<string, string>, path: string, name: string): LoopInstance[] {
  const file = readKernelFile(path, files.get(path) as string);
  const kernel = file.kernels.find((k) => k.name === name && k.kind === "loop");
  if (kernel === undefined) return [];
  const { helpers, machines } = calledFrom(files);
  return instancesOf(file, kernel, helpers).map(({ types, instance, fn, surroundings }) => {
    const typed = typeScalarFunction(fn, instance, surroundings);
    const [graph, wgsl] = [machines.SIMD128, machines.WGSL].map((machine) =>
      lowered(kernel.name, types, typed, fn, file.path, machine),
    );
    const loop = emitLoop(typed, fn, new Uses(file.imports), !(graph instanceof Refusal));
    return { types, loop, graph, wgsl };
  });
}

interface KernelInstance {
  readonly types: readonly ElementType[];
  readonly instance: string;
  readonly fn: FunctionText;
  readonly surroundings: Surroundings;
}

/** A kernel for every combination of dtypes. */
function instancesOf(file: KernelFile, kernel: KernelFunction, helpers: ReadonlyMap<string, Helper>): KernelInstance[] {
  return combinations(kernel).map((types) => {
    const bindings = new Map(kernel.variables.map((v, k) => [v.name, types[k]]));
    const surroundings = { file, bindings, helpers, instanceOf: (name: string) => instanceOf(file, name, bindings) };
    return { types, instance: instanceName(kernel.name, types), fn: bodyFor(kernel, types[0]), surroundings };
  });
}

/** The generated files for one kernel file: JavaScript, and, if it has a `@loop`, the graphs. */
function generateFile(
  file: KernelFile,
  { helpers, machines }: Called,
): { readonly loops: string; readonly simd: string | null; readonly wgsl: string | null } {
  const graphs: (Kernel | Refusal)[] = [];
  const graphs_of_wgsl: (Kernel | Refusal)[] = [];
  const uses = new Uses(file.imports);
  const sections: string[] = [];
  const sections_of_graphs: string[] = [];
  const sections_of_wgsl: string[] = [];
  const templates: string[] = [];
  let loops = false;
  for (const kernel of file.kernels) {
    checkOverrides(file, kernel);
    const entries: string[] = [];
    const texts: string[] = [];
    for (const { types, instance, fn, surroundings } of instancesOf(file, kernel, helpers)) {
      if (kernel.kind === "loop") {
        checkLoopNames(file.path, fn);
        const typed = typeScalarFunction(fn, instance, surroundings);
        const graph = lowered(kernel.name, types, typed, fn, file.path, machines.SIMD128);
        // Element types that no machine supports are rare: one loop is enough, and the graphs' tables omit them.
        const known = types.every((t) => computed_in(t.name) !== undefined);
        texts.push(emitLoop(typed, fn, uses, !known || !(graph instanceof Refusal)));
        if (known) graphs.push(graph);
        if (known && !types.some((t) => t.name === "float64"))
          graphs_of_wgsl.push(lowered(kernel.name, types, typed, fn, file.path, machines.WGSL));
      } else texts.push(emitTemplate(typeTemplate(fn, instance, surroundings), uses));
      entries.push(`[${types.map((t) => `ScalarType.${t.scalarType}`).join(", ")}, ${instance}],`);
    }
    const rows = fill(entries, "  ");
    const mark = `// ${kernel.name}: ${file.path}`;
    if (kernel.kind === "loop") {
      loops = true;
      sections_of_graphs.push(`export const ${kernel.name} = \`\n${emitSimd(graphs.splice(0))}\n\`;`);
      sections_of_wgsl.push(wgslTable(file, kernel, emitWgsl(graphs_of_wgsl.splice(0))));
      sections.push([mark, ...texts, loopTable(file, kernel, rows)].join("\n"));
    } else {
      templates.push(kernel.name);
      sections.push(
        [
          mark,
          ...texts,
          `export const ${kernel.name}_instances = new Instantiations<typeof ${kernel.name}>("${kernel.label}", [`,
          ...rows,
          "]);",
        ].join("\n"),
      );
    }
  }
  const here = outputPath(file.path);
  const dispatch = [loops ? "Loops" : "", templates.length > 0 ? "Instantiations" : ""].filter(Boolean);
  const imports = [
    importLine(here, "src/c10/core/ScalarType.ts", ["ScalarType"]),
    importLine(here, "src/aten/Dispatch.ts", dispatch.sort()),
  ];
  if (loops) imports.push(`import * as SIMD128 from "${specifier_of(here, simdPath(file.path))}";`);
  const byModule = new Map<string, string[]>();
  for (const [name, module] of uses.helpers) byModule.set(module, [...(byModule.get(module) ?? []), name]);
  for (const module of [...byModule.keys()].sort())
    imports.push(importLine(here, module, (byModule.get(module) ?? []).sort()));
  for (const [name, module] of [...uses.types].sort())
    imports.push(`import type { ${name} } from "${specifier_of(here, file_of(file.path, module) ?? module)}";`);
  if (templates.length > 0)
    imports.push(`import type { ${templates.join(", ")} } from "${specifier_of(here, file.path)}";`);
  return {
    loops: `${header(file.path)}\n${imports.join("\n")}\n\n${sections.join("\n\n")}\n`,
    simd: loops ? `${simdHeader(file.path)}\n\n${sections_of_graphs.join("\n")}\n` : null,
    wgsl: loops ? `${wgslHeader(file.path)}\n${sections_of_wgsl.join("\n")}\n` : null,
  };
}

function header(path: string): string {
  return `// @generated by tools/codegen/dest/kernels.ts from ${path}
// Do not edit: change that file and run \`npm run codegen\`. \`npm run check\` fails while this file is stale.
/** @file One function per dtype for each kernel of ${in_room(path).rest}. @original C++ templates do this in PyTorch. */`;
}

function simdHeader(path: string): string {
  const about = `Vector loops of ${in_room(path).rest}: a graph of values for each loop and dtype, or the reason why there is none.`;
  return `${header(path).split("\n").slice(0, 2).join("\n")}\n/** @file ${about} @see src/aten/cpu/vec/ir.ts @original C++ compilers vectorize. */`;
}

function wgslHeader(path: string): string {
  const about = `GPU loops of ${in_room(path).rest}: the body of a WGSL function for each loop and dtype, or the reason why there is none.`;
  return `${header(path).split("\n").slice(0, 2).join("\n")}\n/** @file ${about} @see src/aten/webgpu/wgsl/printer.ts @original nvcc compiles a lambda. */
${importLine(wgslPath(path), "src/aten/webgpu/ScalarFunctions.ts", ["ScalarFunctions"])}
`;
}

function wgslTable(file: KernelFile, kernel: KernelFunction, text: string): string {
  const label = kernel.label.replace(/(_vml)?_cpu(?=_|$)/, "_webgpu");
  const head = `"${kernel.name}", "${label}", "${file.path}", [${operandsOf(file, kernel).join(", ")}], ${captureKinds(kernel)}`;
  return `export const ${kernel.name} = new ScalarFunctions(${head}, \`\n${text}\n\`);`;
}

/** The functions that GPU bodies call. */
export function generateFunctions(files: ReadonlyMap<string, string>): Map<string, string> {
  const about = "Elementary functions in WGSL, printed from the kernel text of aten/cpu/vec and aten/webgpu/math.";
  const head = header(WGSL_FUNCTIONS[0]).split("\n").slice(0, 2).join("\n");
  const functions = emitFunctions(calledFrom(files).machines.WGSL);
  const text = `${head}\n/** @file ${about} @original CUDA has libdevice. */\n\nexport const functions = \`\n${functions}\n\`;\n`;
  return new Map([[WGSL_FUNCTIONS_FILE, text]]);
}

/** The operand whose dtype selects the instance, for each type variable. */
function operandsOf(file: KernelFile, kernel: KernelFunction): number[] {
  const fn = kernel.body;
  const inputs = fn.params.filter((p) => !isCaptured(p.type)).map((p) => p.type.trim());
  const operands = [...outputTypes(fn), ...inputs];
  return kernel.variables.map((v) => {
    const k = operands.indexOf(v.name);
    if (k >= 0) return k;
    throw new CodegenError(
      { file: file.path, line: fn.line },
      `@loop ${kernel.label}`,
      `no operand of ${kernel.name} has the type ${v.name}`,
      `give an operand the type ${v.name}, or make ${kernel.name} a @template`,
    );
  });
}

/** The conversion of each Scalar that is passed with the call. */
function captureKinds(kernel: KernelFunction): string {
  const types = kernel.body.params.map((p) => p.type.trim()).filter(isCaptured);
  const kind = (type: string): string =>
    type === "captured" ? "scalar_t" : type === "captured_opmath" ? "opmath_t" : "as_is";
  return `[${types.map((type) => `"${kind(type)}"`).join(", ")}]`;
}

function loopTable(file: KernelFile, kernel: KernelFunction, rows: readonly string[]): string {
  const fn = kernel.body;
  const outputs = outputTypes(fn);
  const inputs = fn.params.filter((p) => !isCaptured(p.type));
  const by = operandsOf(file, kernel);
  const shape = `{ outputs: ${outputs.length}, inputs: ${inputs.length}, by: [${by.join(", ")}], captures: ${captureKinds(kernel)} }`;
  return [
    `export const ${kernel.name}_loops = new Loops("${kernel.label}", "${kernel.symbol}", "${file.path}", ${shape}, [`,
    ...rows,
    `], SIMD128.${kernel.name});`,
  ].join("\n");
}

/** Throws if an override's suffix fits no dtype in the list: such a body would never run. */
function checkOverrides(file: KernelFile, kernel: KernelFunction): void {
  const known = new Set((kernel.variables[0]?.types ?? []).flatMap(overrideSuffixes));
  for (const [suffix, fn] of kernel.overrides) {
    if (known.has(suffix)) continue;
    throw new CodegenError(
      { file: file.path, line: fn.line },
      `${kernel.name}$${suffix}`,
      `no dtype of ${kernel.label} uses this body`,
      `suffixes here: ${[...known].join(", ")}`,
    );
  }
}

function bodyFor(kernel: KernelFunction, t: ElementType): FunctionText {
  for (const suffix of overrideSuffixes(t)) {
    const own = kernel.overrides.get(suffix);
    if (own !== undefined) return own;
  }
  return kernel.body;
}

/** Every combination of one type per variable; the first variable changes slowest. */
function combinations(kernel: KernelFunction): ElementType[][] {
  let all: ElementType[][] = [[]];
  for (const v of kernel.variables) all = all.flatMap((head) => v.types.map((t) => [...head, t]));
  return all;
}

function instanceName(name: string, types: readonly ElementType[]): string {
  return `${name}_${types.map((t) => t.name).join("_")}`;
}

/**
 * The instance of another template in the file for the same bindings, if there is one; a variable of its own may have one dtype.
 */
function instanceOf(file: KernelFile, name: string, bindings: Bindings): Instance | null {
  const kernel = file.kernels.find((k) => k.name === name && k.kind === "template");
  if (kernel === undefined) return null;
  const own = new Map<string, ElementType>();
  for (const v of kernel.variables) {
    const t = bindings.get(v.name) ?? (v.types.length === 1 ? v.types[0] : undefined);
    if (t === undefined || !v.types.includes(t)) return null;
    own.set(v.name, t);
  }
  return { name: instanceName(name, [...own.values()]), body: kernel.body, bindings: own };
}

function importLine(from: string, module: string, names: readonly string[]): string {
  return `import { ${names.join(", ")} } from "${specifier_of(from, module)}";`;
}
