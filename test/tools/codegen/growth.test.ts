/**
 * What one more operator does to the generated files, what two branches that each add one do, and how long the files become when the
 * tree has every operator of PyTorch. Note [An operator's text stays where it is] in shards.ts.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { made_up, SCHEMAS_EACH } from "../../../bench/made_up.ts";
import { ROOT, read_tree } from "../../../tools/codegen/file_system.ts";
import { type Generated, generate } from "../../../tools/codegen/generate.ts";
import { by_operator, NUM_SHARDS, root_of, shard_of, shards } from "../../../tools/codegen/shards.ts";
import { parse_native_yaml } from "../../../tools/codegen/parse_native_yaml.ts";
import { recorded } from "../../helpers/recorded.ts";

type Texts = ReadonlyMap<string, string>;

const YAML = "src/aten/native/native_functions.yaml";
const DERIVATIVES = "tools/codegen/autograd/derivatives.yaml";
const DOCS = "src/torch/_torch_docs.ts";
const OPS = "src/aten/native/UnaryOps.ts";
const KERNELS = "src/aten/native/cpu/UnaryOpsKernel.ts";
const MATH = "src/c10/util/math.ts";
/** Of the YAML of PyTorch 2.13. */
const SCHEMAS = 2584;
const MAX_LINES = 6000;

/** The sources as they are written; what is generated from them is `before`. */
const sources = new Map([...read_tree(ROOT)].filter(([path]) => !path.includes("/generated/")));
let before: Generated;
beforeAll(() => {
  before = generate(sources);
});

/** Puts each text before the one place in a file where its anchor stands. */
type Insertions = Readonly<Record<string, readonly (readonly [anchor: string, text: string])[]>>;

/** `files` with what a contributor writes into them. A file that is not there yet is begun. */
function with_insertions(files: Texts, insertions: Insertions): Map<string, string> {
  const edited = new Map(files);
  for (const [path, list] of Object.entries(insertions)) {
    for (const [anchor, text] of list) {
      const old = edited.get(path) ?? "";
      if (old.split(anchor).length !== 2 && old !== "") throw new Error(`'${anchor}' is not once in ${path}`);
      edited.set(
        path,
        old.replace(anchor, () => text + anchor),
      );
    }
  }
  return edited;
}

/** An operator of one tensor in its three forms: what CONTRIBUTING.md asks for, `at` the operators it stands before. */
function unary(
  name: string,
  formula: string,
  scalar: string,
  at: { readonly yaml: string; readonly derivative: string; readonly docs: string; readonly stub: string; readonly op: string },
): Insertions {
  const field = `  device_check: NoCheck\n`;
  return {
    [YAML]: [
      [
        `- func: ${at.yaml}(`,
        `- func: ${name}(Tensor self) -> Tensor
${field}  structured_delegate: ${name}.out
  variants: function, method
  tags: pointwise

- func: ${name}_(Tensor(a!) self) -> Tensor(a!)
${field}  structured_delegate: ${name}.out
  variants: function, method
  tags: pointwise

- func: ${name}.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
${field}  structured: True
  structured_inherits: TensorIteratorBase
  dispatch:
    CPU: ${name}_out
  tags: pointwise

`,
      ],
    ],
    [DERIVATIVES]: [[`- name: ${at.derivative}(`, `- name: ${name}(Tensor self) -> Tensor\n  self: ${formula}\n\n`]],
    [DOCS]: [[`  ${at.docs}: Documented;\n`, `  /** Of \`${name}\`. */\n  ${name}: Documented;\n`]],
    [OPS]: [
      [
        `export const ${at.stub}_stub `,
        `export const ${name}_stub = DEFINE_DISPATCH<unary_fn>("${name}_stub");\n`,
      ],
      [
        `export abstract class structured_${at.op} `,
        `export abstract class structured_${name} extends UnaryFloatMeta {}
export abstract class structured_${name}_out extends structured_${name} {
  impl(_self: Tensor, _out: Tensor): void {
    ${name}_stub.call(this.device_type(), this);
  }
}

`,
      ],
    ],
    [KERNELS]: [
      [`  ${at.stub}_stub,\n`, `  ${name}_stub,\n`],
      [
        `/** @loop ${at.op}`,
        `/** @loop ${name}_cpu: floating types, Half, BFloat16 */\nexport function ${name}_of(a: scalar_t): scalar_t {\n  return ${scalar};\n}\n\n`,
      ],
      [
        `REGISTER_DISPATCH(${at.op}_stub`,
        `function ${name}_kernel(iter: TensorIteratorBase): void {\n  cpu_kernel(iter, ${name}_of_loops);\n}\nREGISTER_DISPATCH(${name}_stub, ${name}_kernel, "${name}_kernel");\n`,
      ],
    ],
  };
}

const at_exp = { yaml: "exp", derivative: "exp", docs: "exp", stub: "exp", op: "exp_vml" };
