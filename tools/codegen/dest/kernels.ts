/**
 * @file Instantiates kernels: from every file of `src/aten/native` that holds `@loop` scalar functions or `@template` functions,
 * one generated file with a function per dtype and the tables by which drivers choose among them.
 * @original torchgen generates ufunc kernels this way (torchgen/dest/ufunc.py); the other inner loops are C++ templates there.
 * @see src/aten/Dispatch.ts for the types kernel text is written in; tools/codegen/kernels for the steps
 */
import { CodegenError } from "../errors.ts";
import { type Bindings, isCaptured } from "../kernels/annotations.ts";
import { type ElementType, MATH, overrideSuffixes } from "../kernels/element_types.ts";
import { checkLoopNames, emitLoop } from "../kernels/emit_loop.ts";
import { emitTemplate } from "../kernels/emit_template.ts";
import {
  type FunctionText,
  type Helper,
  hasKernels,
  type KernelFile,
  type KernelFunction,
  readHelpers,
  readKernelFile,
} from "../kernels/source.ts";
import type { Instance } from "../kernels/typing.ts";
import { outputTypes, typeScalarFunction, typeTemplate } from "../kernels/typing_statements.ts";
import { Uses } from "../kernels/uses.ts";
import { fill } from "../layout.ts";
import { file_of, specifier_of } from "../module_path.ts";

const ROOT = "src/aten/native/";
export const HELPER_MODULES: readonly string[] = [MATH, "src/aten/native/Math.ts"];

/** Where the instances of `path` go. */
export function outputPath(path: string): string {
  const slash = path.lastIndexOf("/");
  return `${path.slice(0, slash)}/generated/${path.slice(slash + 1)}`;
}

/** The generated kernel files, from the texts of the tree: of all files or of those `only`. Pure: the same in a shell and in a page. */
export function generate(
  files: ReadonlyMap<string, string>,
  only: readonly string[] = [...files.keys()],
): Map<string, string> {
  const helpers = new Map<string, Helper>();
  for (const module of HELPER_MODULES) {
    const text = files.get(module);
    if (text !== undefined) for (const h of readHelpers(module, text)) helpers.set(h.name, h);
  }
  const out = new Map<string, string>();
  for (const path of [...only].sort()) {
    const text = files.get(path) as string;
    if (!path.startsWith(ROOT) || !path.endsWith(".ts") || path.includes("/generated/") || !hasKernels(text)) continue;
    const file = readKernelFile(path, text);
    if (file.kernels.length > 0) out.set(outputPath(path), generateFile(file, helpers));
  }
  return out;
}

/** The generated file of one kernel file. */
export function generateFile(file: KernelFile, helpers: ReadonlyMap<string, Helper>): string {
  const uses = new Uses(file.imports);
  const sections: string[] = [];
  const templates: string[] = [];
  let loops = false;
  for (const kernel of file.kernels) {
    checkOverrides(file, kernel);
    const entries: string[] = [];
    const texts: string[] = [];
    for (const types of combinations(kernel)) {
      const instance = instanceName(kernel.name, types);
      const bindings = new Map(kernel.variables.map((v, k) => [v.name, types[k]]));
      const fn = bodyFor(kernel, types[0]);
      const surroundings = { file, bindings, helpers, instanceOf: (name: string) => instanceOf(file, name, bindings) };
      if (kernel.kind === "loop") {
        checkLoopNames(file.path, fn);
        texts.push(emitLoop(typeScalarFunction(fn, instance, surroundings), fn, uses));
      } else texts.push(emitTemplate(typeTemplate(fn, instance, surroundings), uses));
      entries.push(`[${types.map((t) => `ScalarType.${t.scalarType}`).join(", ")}, ${instance}],`);
    }
    const rows = fill(entries, "  ");
    const mark = `// ${kernel.name}: ${file.path}`;
    if (kernel.kind === "loop") {
      loops = true;
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
  const byModule = new Map<string, string[]>();
  for (const [name, module] of uses.helpers) byModule.set(module, [...(byModule.get(module) ?? []), name]);
  for (const module of [...byModule.keys()].sort())
    imports.push(importLine(here, module, (byModule.get(module) ?? []).sort()));
  for (const [name, module] of [...uses.types].sort())
    imports.push(`import type { ${name} } from "${specifier_of(here, file_of(file.path, module) ?? module)}";`);
  if (templates.length > 0)
    imports.push(`import type { ${templates.join(", ")} } from "${specifier_of(here, file.path)}";`);
  return `${header(file.path)}\n${imports.join("\n")}\n\n${sections.join("\n\n")}\n`;
}

function header(path: string): string {
  return `// @generated by tools/codegen/dest/kernels.ts from ${path}
// Do not edit: change that file and run \`npm run codegen\`. \`npm run check\` fails while this file is stale.
/** @file One function per dtype for each kernel of ${path.slice(path.lastIndexOf("/") + 1)}. @original C++ templates do this in PyTorch. */`;
}

function loopTable(file: KernelFile, kernel: KernelFunction, rows: readonly string[]): string {
  const fn = kernel.body;
  const outputs = outputTypes(fn);
  const inputs = fn.params.filter((p) => !isCaptured(p.type)).map((p) => p.type.trim());
  const operands = [...outputs, ...inputs];
  const by = kernel.variables.map((v) => {
    const k = operands.indexOf(v.name);
    if (k >= 0) return k;
    throw new CodegenError(
      { file: file.path, line: fn.line },
      `@loop ${kernel.label}`,
      `no operand of ${kernel.name} has the type ${v.name}`,
      `give an operand the type ${v.name}, or make ${kernel.name} a @template`,
    );
  });
  const captures = fn.params
    .filter((p) => isCaptured(p.type))
    .map((p) => {
      const type = p.type.trim();
      return type === "captured" ? "scalar_t" : type === "captured_opmath" ? "opmath_t" : "as_is";
    });
  const shape = `{ outputs: ${outputs.length}, inputs: ${inputs.length}, by: [${by.join(", ")}], captures: [${captures.map((c) => `"${c}"`).join(", ")}] }`;
  return [
    `export const ${kernel.name}_loops = new Loops("${kernel.label}", "${kernel.symbol}", "${file.path}", ${shape}, [`,
    ...rows,
    "]);",
  ].join("\n");
}

/** A suffix that no dtype of the list has would be a body that never runs. */
function checkOverrides(file: KernelFile, kernel: KernelFunction): void {
  const known = new Set((kernel.variables[0]?.types ?? []).flatMap(overrideSuffixes));
  for (const [suffix, fn] of kernel.overrides) {
    if (known.has(suffix)) continue;
    throw new CodegenError(
      { file: file.path, line: fn.line },
      `${kernel.name}$${suffix}`,
      `no dtype of ${kernel.label} takes this body`,
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

/** Every choice of one type per variable, the first variable slowest. */
function combinations(kernel: KernelFunction): ElementType[][] {
  let all: ElementType[][] = [[]];
  for (const v of kernel.variables) all = all.flatMap((head) => v.types.map((t) => [...head, t]));
  return all;
}

function instanceName(name: string, types: readonly ElementType[]): string {
  return `${name}_${types.map((t) => t.name).join("_")}`;
}

/** The instance of another template of the file for the same bindings, if it has one; a variable of its own may have one dtype. */
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
