/** Cases that C++ recorded: each is a text of C++ that is TypeScript after few replacements. tools/oracle/cpp has the recorder. */
import { torch } from "../../../../src/cpp.ts";
import { readFixture } from "../../../helpers/recorded.ts";

type Tensor = InstanceType<typeof torch.Tensor>;
/** A tensor as it was recorded; null if it is undefined. */
export interface RecordedTensor {
  dtype: string;
  sizes: number[];
  values: (number | string)[];
}
export type Recorded = RecordedTensor | null | Recorded[];
export interface Case {
  kind: "module" | "function" | "optimizer" | "printed" | "refused" | "loaded";
  text: string;
  args?: string;
  printed?: string;
  parameters?: Record<string, RecordedTensor>;
  buffers?: Record<string, RecordedTensor>;
  after?: Record<string, RecordedTensor>;
  gradients?: Record<string, Recorded>;
  output?: Recorded;
  error?: string;
}

export const { cases, files } = readFixture<{ cases: Case[]; files: Record<string, string> }>(
  new URL("../../../fixtures/cpp/cpp_frontend.json.gz", import.meta.url),
);

function wave(sizes: number[], factor: number, shift: number): Tensor {
  const count = sizes.reduce((product, size) => product * size, 1);
  const values = Float32Array.from({ length: count }, (_, i) => Math.round(Math.sin(i * factor + shift) * 1000) / 1000);
  return torch.from_array(values, sizes);
}
const double = torch.Scalar.fromDouble;
export const x = (sizes: number[]): Tensor => wave(sizes, 0.7, 0.3);
export const y = (sizes: number[]): Tensor => wave(sizes, 1.1, 1.9);
const pos = (sizes: number[]): Tensor => wave(sizes, 1.7, 0.9).mul_Scalar(double(0.4)).add_Scalar(double(0.5));
const sign = (sizes: number[]): Tensor => wave(sizes, 2.1, 0.4).sign();
export function counting(sizes: number[], step: number, limit = 5, plus = 0): Tensor {
  const count = sizes.reduce((product, size) => product * size, 1);
  return torch.from_array(
    BigInt64Array.from({ length: count }, (_, i) => BigInt(((i * step) % limit) + plus)),
    sizes,
  );
}
const same = <T>(values: T): T => values;

const names = {
  ...torch.nn,
  ...torch.optim,
  torch,
  F: torch.nn.functional,
  init: torch.nn.init,
  utils: torch.nn.utils,
  x,
  y,
  pos,
  sign,
  counting,
  ints: same,
  dbls: same,
  dbls2: (...values: number[]) => values,
  ps: () => [x([2]).set_requires_grad(true)],
  scalar: () => torch.full([], double(0.5)).set_requires_grad(true),
  nonleaf: () => x([2]).set_requires_grad(true).mul_Scalar(torch.Scalar.fromInt(2)),
  nan_grad: () => {
    const parameter = x([2]).set_requires_grad(true);
    parameter.backward(torch.full([2], double(Number.NaN)));
    return parameter;
  },
};

/** Runs a text of C++: braces are arrays, arrows and colons are dots; optimizers and wrappers are classes. */
// biome-ignore lint/suspicious/noExplicitAny: the value may be anything
export function run(text: string, more: Record<string, unknown> = {}): any {
  const code = text
    .replaceAll("torch::tensor(", "value(")
    .replaceAll("std::nullopt", "null")
    .replaceAll("{", "[")
    .replaceAll("}", "]")
    .replaceAll(/->|::/g, ".")
    .replaceAll(/named_parameters\(\)\[([^\]]*)\]/g, "named_parameters().at($1)")
    .replaceAll(/(?<![\w.])(SGD|Adam|AdamW|Adagrad|RMSprop|LBFGS)\(/g, "new $1(");
  const scope = { ...names, value: (v: number) => torch.full([], double(v)), ...more };
  return new Function(...Object.keys(scope), `return (${code});`)(...Object.values(scope));
}

/** A tensor, a list, or the output of an adaptive softmax, as it would be recorded. */
export function recorded(value: unknown): Recorded {
  if (Array.isArray(value)) return value.map(recorded);
  if (value instanceof torch.nn.ASMoutput)
    return [recorded(value.output), recorded(torch.full([], double(value.loss)))];
  const tensor = value as Tensor;
  if (!tensor.defined()) return null;
  const dense = tensor.detach().to_dtype(torch.kDouble).contiguous();
  const begin = dense.data_offset();
  const values = Array.from(dense.data_view().slice(begin, begin + dense.numel()), Number);
  const dtype = { [torch.kFloat]: "Float", [torch.kDouble]: "Double", [torch.kLong]: "Long", [torch.kBool]: "Bool" };
  return { dtype: dtype[tensor.scalar_type() as 6], sizes: [...tensor.sizes()], values };
}

/** How far two recordings are apart; infinite if they have different types or shapes. */
export function distance(a: Recorded, b: Recorded): number {
  if (a === null || b === null) return a === b ? 0 : Number.POSITIVE_INFINITY;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return Number.POSITIVE_INFINITY;
    return Math.max(0, ...a.map((item, i) => distance(item, b[i])));
  }
  if (a.dtype !== b.dtype || String(a.sizes) !== String(b.sizes)) return Number.POSITIVE_INFINITY;
  return Math.max(
    0,
    ...a.values.map((value, i) => {
      const other = b.values[i];
      if (typeof value === "string" || typeof other === "string" || !Number.isFinite(value)) {
        const word = (v: number | string) =>
          String(v).replace("Infinity", "inf").replace("NaN", "nan").replace("-nan", "nan");
        return word(value) === word(other) ? 0 : Number.POSITIVE_INFINITY;
      }
      return Math.abs(value - other) / Math.max(1, Math.abs(other));
    }),
  );
}

/** The parameters of the recorded optimizers. */
export const parameters = (): Tensor[] => [x([2, 3]).set_requires_grad(true), y([3]).set_requires_grad(true)];

/** A quartic of the parameters, so that every step has another gradient. */
export function four_steps(p: Tensor[], optimizer: { zero_grad(): void; step(closure: () => Tensor): unknown }): void {
  const number = torch.Scalar.fromInt;
  for (let i = 0; i < 4; i++) {
    optimizer.step(() => {
      optimizer.zero_grad();
      const product = p[0].mul_Tensor(p[1]).pow_Tensor_Scalar(number(2)).sum();
      const quartic = p[0].sub_Scalar(number(1)).pow_Tensor_Scalar(number(4)).sum();
      const loss = product.add_Tensor(quartic).add_Tensor(p[1].pow_Tensor_Scalar(number(2)).sum());
      loss.backward();
      return loss;
    });
  }
}

/** The network whose file is exchanged. */
export const network = () => {
  const { BatchNorm2d, Conv2d, Flatten, Linear, ReLU, Sequential } = torch.nn;
  return Sequential(Conv2d(1, 2, 2), BatchNorm2d(2), ReLU(), Flatten(), Linear(8, 2));
};

const { Adagrad, AdagradOptions, Adam, AdamOptions, AdamW, AdamWOptions } = torch.optim;
const { LBFGS, LBFGSOptions, RMSprop, RMSpropOptions, SGD, SGDOptions } = torch.optim;

/** The optimizers whose files are exchanged. */
export const optimizers = {
  sgd: (p: Tensor[]) => new SGD(p, SGDOptions(0.1).momentum(0.9)),
  adam: (p: Tensor[]) => new Adam(p, AdamOptions(0.05).amsgrad(true)),
  adamw: (p: Tensor[]) => new AdamW(p, AdamWOptions(0.05)),
  adagrad: (p: Tensor[]) => new Adagrad(p, AdagradOptions(0.1).lr_decay(0.1)),
  rmsprop: (p: Tensor[]) => new RMSprop(p, RMSpropOptions(0.05).centered(true).momentum(0.5)),
  lbfgs: (p: Tensor[]) => new LBFGS(p, LBFGSOptions(0.5).max_iter(3).history_size(2)),
} as const;
