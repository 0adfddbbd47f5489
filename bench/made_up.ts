/**
 * @file Operators made up, as many as asked, in a copy of the tree's texts: what the tree will be when it has grown. Each is unary and
 * structured, with in-place and out variants, a loop for every floating dtype, a derivative and a docstring.
 * @original
 */

/** Operators that share a kernel file. */
const PER_FILE = 30;
/** Schemas of one made-up operator. */
export const SCHEMAS_EACH = 3;

const YAML = "src/aten/native/native_functions.yaml";
const DERIVATIVES = "tools/codegen/autograd/derivatives.yaml";
const DOCS = "src/torch/_torch_docs.ts";
const KERNELS = "src/aten/native/cpu/RegisterKernels.ts";

/** The files that `count` operators more change or add, where a contributor would write them. */
export function made_up(files: ReadonlyMap<string, string>, count: number): Map<string, string> {
  const names = Array.from({ length: count }, (_, i) => `made_up_${String(i).padStart(4, "0")}`);
  const read = (path: string): string => {
    const text = files.get(path);
    if (text === undefined) throw new Error(`no file ${path}`);
    return text;
  };
  const entries = (path: string, pattern: RegExp): string => `${read(path)}\n${repeated(read(path), pattern, names)}`;
  const docs = names.map((name) => `  /** Made up. */\n  ${name}: Documented;\n`).join("");
  const made = new Map([
    [YAML, entries(YAML, /^- func: exp\([\s\S]*?(?=^- func: (?!exp[_.]))/m)],
    [DERIVATIVES, entries(DERIVATIVES, /^- name: exp\([\s\S]*?(?=^- name)/m)],
    [DOCS, read(DOCS).replace(/\}\s*$/, () => `${docs}}\n`)],
  ]);
  let registered = read(KERNELS);
  for (let k = 0; k * PER_FILE < count; k++) {
    const part = names.slice(k * PER_FILE, (k + 1) * PER_FILE);
    made.set(`src/aten/native/MadeUpOps${k}.ts`, native(part));
    made.set(`src/aten/native/cpu/MadeUpOpsKernel${k}.ts`, kernels(part, k));
    registered += `import "./MadeUpOpsKernel${k}.ts";\n`;
  }
  return made.set(KERNELS, registered);
}

/** The entries of `exp` that `pattern` finds, once per name. */
function repeated(text: string, pattern: RegExp, names: readonly string[]): string {
  const model = pattern.exec(text)?.[0];
  if (model === undefined) throw new Error(`nothing is like ${pattern}`);
  return names.map((name) => `${model.replace(/\bexp(?=[_.(:])/g, name).trimEnd()}\n`).join("\n");
}

function native(names: readonly string[]): string {
  const each = names.map(
    (name) => `
export const ${name}_stub = DEFINE_DISPATCH<(iter: TensorIteratorBase) => void>("${name}_stub");
export abstract class structured_${name} extends TensorIteratorBase {
  meta(self: Tensor): void {
    this.build_borrowing_unary_float_op(this.maybe_get_output(0), self);
  }
}
export abstract class structured_${name}_out extends structured_${name} {
  impl(_self: Tensor, _out: Tensor): void {
    ${name}_stub.call(this.device_type(), this);
  }
}`,
  );
  return `/** @file Made up. @original */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { TensorIteratorBase } from "#aten/TensorIterator";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";
${each.join("\n")}
`;
}

function kernels(names: readonly string[], k: number): string {
  const each = names.map(
    (name, i) => `
/** @loop ${name}_cpu: floating types, Half, BFloat16 */
export function ${name}_of(a: scalar_t): scalar_t {
  return ${1 + i} / (1 + exp(-a));
}
function ${name}_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, ${name}_of_loops);
}
REGISTER_DISPATCH(${name}_stub, ${name}_kernel, "${name}_kernel");`,
  );
  return `/** @file Made up. @original */
import type { scalar_t } from "#aten/Dispatch";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { ${names.map((n) => `${n}_stub`).join(", ")} } from "#aten/native/MadeUpOps${k}";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import { exp } from "#c10/util/math";
import { ${names.map((n) => `${n}_of_loops`).join(", ")} } from "./generated/MadeUpOpsKernel${k}.ts";
import { cpu_kernel } from "./Loops.ts";
${each.join("\n")}
`;
}
