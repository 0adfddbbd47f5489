/**
 * @file References of functions that create tensors from a formula or from random numbers.
 * @mirrors torch/_refs/__init__.py
 * @differs Ours computes only shapes and refusals; PyTorch's references compute values.
 */
import { AssertionError, RuntimeError } from "#c10/util/Exception";
import type { Tensor } from "#torch/_tensor/index";
import { type Float, float_repr } from "../_C.ts";
import { register_decomposition } from "../_decomp/index.ts";
import * as prims from "../_prims.ts";
import { _broadcast_shapes } from "../_prims.ts";
import {
  check,
  default_dtype,
  ELEMENTWISE_TYPE_PROMOTION_KIND,
  is_boolean_dtype,
  is_float_dtype,
  is_tensor,
  type TensorOrNumber,
} from "../_prims_common/index.ts";
import {
  elementwise_type_promotion_wrapper,
  type Keywords,
  type OutOptions,
  out_wrapper,
} from "../_prims_common/wrappers.ts";
import { torch } from "../_torch.ts";
import type { device, dtype, layout, memory_format } from "../types.ts";

interface Options extends Keywords {
  readonly dtype: dtype | null;
  readonly layout: layout | null;
  readonly device: device | null;
  readonly pin_memory: boolean | null;
  readonly memory_format: memory_format | null;
}
const factory: OutOptions = { factory: true };

function made(size: number[], { dtype, device }: Options): Tensor {
  return torch.empty(size, { dtype: dtype ?? default_dtype(), device: device ?? "cpu" });
}

// ranges ------------------------------------------------------------------------------------------------------------------

function check_end(end: TensorOrNumber): void {
  check(!is_tensor(end) || end.dim() === 0, () => "linspace only supports 0-dimensional start and end tensors");
}
function meta_linspace_logspace(start: TensorOrNumber, end: TensorOrNumber, steps: number, kw: Options): Tensor {
  check_end(start);
  check_end(end);
  check(steps >= 0, () => "number of steps must be non-negative");
  return made([steps], { ...kw, device: torch.device("meta") });
}
for (const [name, fn] of [
  ["linspace", meta_linspace_logspace],
  [
    "logspace",
    (start: TensorOrNumber, end: TensorOrNumber, steps: number, _base: number, kw: Options) =>
      meta_linspace_logspace(start, end, steps, kw),
  ],
] as const) {
  const overloads = ["Tensor_Tensor", "Tensor_Scalar", "Scalar_Tensor"];
  const names = overloads.flatMap((overload) => [`${name}.${overload}`, `${name}.${overload}_out`]);
  register_decomposition([name, `${name}.out`, ...names].join(" "), out_wrapper(fn, factory), "meta");
}

function eye(n: number, m: number, kw: Options): Tensor {
  check(n >= 0, () => `n must be greater or equal to 0, got ${n}`);
  check(m >= 0, () => `m must be greater or equal to 0, got ${m}`);
  return made([n, m], kw);
}
register_decomposition(
  "eye eye.out",
  out_wrapper((n: number, kw: Options) => eye(n, n, kw), factory),
);
register_decomposition("eye.m eye.m_out", out_wrapper(eye, factory));

// distributions -----------------------------------------------------------------------------------------------------------

type Checks = (self: Tensor, first: number, second: number) => void;

const checks: Readonly<Record<string, Checks>> = {
  cauchy: (self, _median, sigma) => {
    check(
      is_float_dtype(self.dtype),
      () =>
        "Cauchy distribution is a continuous probability distribution. " + // the end of PyTorch's line
        `        dtype must be a floating point but you specified ${self.dtype}`,
    );
    check(sigma > 0, () => `cauchy_ expects sigma > 0.0, but found sigma=${float_repr(sigma)}`);
  },
  exponential: (self, rate) => {
    check(
      is_float_dtype(self.dtype),
      () =>
        "Exponential distribution is a continuous probability distribution. " +
        `        dtype must be a floating point but you specified ${self.dtype}`,
    );
    check(rate > 0, () => `exponential_ expects lambda > 0.0, but found lambda=${float_repr(rate)}`);
  },
  geometric: (self, p) => {
    check(!is_boolean_dtype(self.dtype), () => `geometric not implemented for ${self.dtype}`);
    check(p > 0 && p < 1, () => `geometric_ expects p to be in (0, 1), but got p=${float_repr(p)}`);
  },
  log_normal: (self, _mean, std) => {
    check(is_float_dtype(self.dtype), () => `log_normal not implemented for ${self.dtype}`);
    check(std > 0, () => `log_normal_ expects std > 0.0, but found std=${float_repr(std)}`);
  },
};
for (const [name, checked] of Object.entries(checks)) {
  const of = (...args: unknown[]) => {
    const [self, first, second] = args as [Tensor, number, number];
    const { generator } = args.at(-1) as { generator?: unknown };
    if (generator !== null && generator !== undefined) throw new AssertionError("generator is not supported in refs");
    checked(self, first, second);
    return self;
  };
  register_decomposition(
    `${name} ${name}.out`,
    out_wrapper((...args: unknown[]) => torch.empty_like(of(...args))),
  );
  register_decomposition(`${name}_`, of);
}

function check_std(std: number): void {
  check(std >= 0, () => `normal expects std >= 0.0, but found std ${float_repr(std)}`);
}
register_decomposition(
  "normal.float_float normal.float_float_out",
  out_wrapper((_mean: number, std: number, size: number[], kw: Options) => {
    check_std(std);
    return made(size, kw);
  }, factory),
);

/** A parameter that is a tensor determines shape, dtype and device of the samples; a number counts as a float. */
const normal_of_tensors = elementwise_type_promotion_wrapper(
  [0, 1],
  ELEMENTWISE_TYPE_PROMOTION_KIND.DEFAULT,
  (mean: Tensor | Float, std: Tensor | Float): Tensor => {
    if (!is_tensor(std)) check_std(Number(std));
    const tensors = [mean, std].filter(is_tensor);
    const [{ dtype, device }] = tensors;
    const samples = prims.normal(_broadcast_shapes(...tensors.map((t) => t.shape)), 1, { dtype, device });
    return torch.add(torch.mul(std, samples), mean);
  },
);
const normal = (mean: Tensor | number, std: Tensor | number): Tensor => {
  const as_float = (parameter: Tensor | number) => (is_tensor(parameter) ? parameter : torch.Float(parameter));
  return normal_of_tensors(as_float(mean), as_float(std)) as Tensor;
};
for (const overload of ["Tensor_float", "float_Tensor", "Tensor_Tensor"])
  register_decomposition(`normal.${overload} normal.${overload}_out`, out_wrapper(normal));

register_decomposition(
  "multinomial multinomial.out",
  out_wrapper((input: Tensor, num_samples: number) => {
    check(
      input.dim() > 0 && input.dim() <= 2,
      () => `The probability distributions dimensions must be 1 or 2, but got ${input.dim()}`,
    );
    const { device } = input;
    const size = input.dim() === 1 ? [num_samples] : [input.size(0), num_samples];
    return torch.empty(size, { dtype: torch.int64, device });
  }),
  "meta",
);

register_decomposition(
  "randint_like.Tensor",
  (self: Tensor, _high: Tensor, { out: _, ...kw }: Options) => torch.empty_like(self, kw),
  "meta",
);

// dropout -----------------------------------------------------------------------------------------------------------------

register_decomposition(
  "native_dropout native_dropout.out",
  out_wrapper((input: Tensor, p: number, train: boolean | null) => {
    const mask = torch.empty_like(input, { dtype: torch.bool });
    if (train !== true || p === 0) return [input, mask];
    if (p !== 1 && !is_float_dtype(input.dtype))
      throw new RuntimeError("result type Float can't be cast to the desired output type Long");
    return [torch.empty_like(input), mask];
  }),
);
register_decomposition(
  "native_dropout_backward native_dropout_backward.out",
  out_wrapper((grad_output: Tensor) => torch.empty_like(grad_output)),
);
