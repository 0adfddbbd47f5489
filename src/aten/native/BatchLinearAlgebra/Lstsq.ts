/**
 * @file `lstsq`: least-squares solutions of equations that have no solution, or more than one.
 * @mirrors aten/src/ATen/native/BatchLinearAlgebra.cpp
 * @see lapack/gels.ts (the arithmetic)
 * @differs Results of all matrices are written at once; PyTorch finds the matrices of a batch by tensors of indices.
 */
import { infer_size_dimvector, sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { linalg_solve_is_vector_rhs } from "#aten/native/LinearAlgebraUtils";
import { gels, gelsd, gelsy } from "#aten/native/lapack/gels";
import { matrices, numbers, vectors } from "#aten/native/lapack/matrices";
import { resize_output } from "#aten/native/Resize";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { canCast, ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

const DRIVERS = ["gels", "gelsy", "gelsd", "gelss"];

interface Lstsq {
  /** `(*, max(m, n), k)`: its first n rows are the solution. */
  readonly raw: Tensor;
  readonly residuals: Tensor;
  readonly rank: Tensor;
  readonly singular_values: Tensor;
}

/**
 * Number of the first argument that holds a NaN, which PyTorch's library refuses. Arguments are counted from 1, and
 * `gels` has an additional first argument. Only the first m of `rows` rows of `b` were given.
 */
function argument_with_nan(a: Float64Array, b: Float64Array, [m, rows]: readonly number[], driver: string): number {
  const first = driver === "gels" ? 5 : 4;
  if (a.some((x) => x !== x)) return -first;
  return b.some((x, i) => x !== x && i % rows < m) ? -first - 2 : 0;
}

function get_epsilon(dtype: ScalarType): number {
  TORCH_CHECK(
    dtype === ScalarType.Float || dtype === ScalarType.Double,
    "This function doesn't handle types other than float and double",
  );
  return dtype === ScalarType.Float ? 2 ** -23 : 2 ** -52;
}

function check_inputs(input: Tensor, other: Tensor): void {
  const name = "torch.linalg.lstsq";
  TORCH_CHECK(input.dim() >= 2, name, ": input must have at least 2 dimensions.");
  TORCH_CHECK(other.dim() >= 1, name, ": other must have at least 1 dimension.");
  TORCH_CHECK(
    input.scalar_type() === other.scalar_type(),
    name,
    ": Expected input and other to have the same dtype, but got input's dtype ",
    toString(input.scalar_type()),
    " and other's dtype ",
    toString(other.scalar_type()),
  );
  const dim_diff = input.dim() - other.dim();
  TORCH_CHECK(
    0 <= dim_diff && dim_diff <= 1,
    name,
    ": input.dim() must be greater or equal to other.dim() and (input.dim() - other.dim()) <= 1",
  );
  const other_2d = dim_diff === 1 ? other.unsqueeze(-1) : other;
  TORCH_CHECK(
    input.size(-2) === other_2d.size(-2),
    name,
    `: input.size(-2) should match other.size(${dim_diff === 1 ? -1 : -2})`,
  );
}

function get_default_lstsq_driver(driver: string | null): string {
  const name = (driver ?? "gelsy").toLowerCase();
  TORCH_CHECK(
    DRIVERS.includes(name),
    "torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)",
  );
  return name;
}

/** LAPACK leaves the residuals below the solution, if m > n and the driver computes them. */
function solve(input: Tensor, other_2d: Tensor, rcond: number, driver: string): Lstsq {
  const [m, n, nrhs] = [input.size(-2), input.size(-1), other_2d.size(-1)];
  const k = Math.min(m, n);
  const own_batch = input.sizes().slice(0, -2);
  const batch = infer_size_dimvector(own_batch, other_2d.sizes().slice(0, own_batch.length));
  const empty = (sizes: readonly number[], dtype = input.scalar_type()): Tensor =>
    at.empty_memory_format(sizes as number[], input.options().dtype(dtype));
  const by_values = driver === "gelsd" || driver === "gelss";
  const raw = empty([...batch, nrhs, Math.max(m, n)]).transpose_(-2, -1);
  raw.narrow(-2, 0, m).copy_(other_2d);
  const int_rank = empty(driver === "gels" ? [0] : own_batch, ScalarType.Int); // as LAPACK computes it
  const singular_values = empty(by_values ? [...own_batch, k] : [0]);
  const infos = at.zeros([Math.max(1, input.numel() / Math.max(1, m * n))], input.options().dtype(ScalarType.Int));

  const label = "linalg_lstsq_cpu";
  const [as, bs] = [matrices(input.expand([...batch, m, n]), label), matrices(raw, label)];
  const ranks = driver === "gels" ? null : numbers(int_rank.expand(batch));
  const values = by_values ? vectors(singular_values.expand([...batch, k])) : null;
  for (let at_ = 0; at_ < bs.length; at_++) {
    const x = bs.read(at_);
    const a = k === 0 ? new Float64Array(0) : as.read(at_);
    const info = argument_with_nan(a, x, [m, Math.max(m, n)], driver);
    if (info !== 0) {
      infos.fill__Scalar(Scalar.fromInt(info));
      break;
    }
    const s = new Float64Array(k);
    let found = 0;
    if (driver === "gels") found = -gels(a, m, n, x);
    else found = by_values ? gelsd(a, m, n, x, s, rcond) : gelsy(a, m, n, x, rcond);
    if (found < 0) infos.fill__Scalar(Scalar.fromInt(-found));
    ranks?.write(at_, [found]);
    values?.write(at_, s);
    bs.write(at_, x);
  }
  if (bs.length === 0) int_rank.zero_();
  at._linalg_check_errors(infos, "torch.linalg.lstsq", infos.numel() <= 1);

  const rank = int_rank.to_dtype(ScalarType.Long);
  const full = (): boolean => rank.eq_Scalar(Scalar.fromInt(n)).all().item().toBool();
  const told = m > n && driver !== "gelsy" && (driver === "gels" || full());
  const squares = (): Tensor => raw.narrow(-2, n, m - n).pow_Tensor_Scalar(Scalar.fromInt(2));
  if (m === 0) raw.zero_();
  return { raw, residuals: told ? squares().sum_dim_IntList([-2]) : empty([0]), rank, singular_values };
}

/** An empty `out` becomes the first n rows of LAPACK's result; another one gets a copy. */
function write_solution(out: Tensor, raw: Tensor, n: number, vector_case: boolean): Tensor {
  const rows = raw.narrow(-2, 0, n);
  const solution = vector_case ? rows.squeeze_dim(-1) : rows;
  if (out.numel() !== 0) return write(out, solution);
  out.resize_(raw.mT().sizes() as number[], MemoryFormat.Contiguous);
  return out.as_strided_(solution.sizes() as number[], solution.strides() as number[]).copy_(solution);
}

function write(out: Tensor, value: Tensor): Tensor {
  if (!sizes_equal(out.sizes(), value.sizes())) resize_output(out, value.sizes());
  return out.copy_(value);
}

// linalg_lstsq.out                                                                  CPU
export function linalg_lstsq_out(
  input: Tensor,
  other: Tensor,
  rcond: number | null,
  driver: string | null,
  solution: Tensor,
  residuals: Tensor,
  rank: Tensor,
  singular_values: Tensor,
): [Tensor, Tensor, Tensor, Tensor] {
  check_inputs(input, other);
  const name = "torch.linalg.lstsq";
  const type = input.scalar_type();
  for (const [wanted, out, arg] of [
    [type, solution, "solution"],
    [type, residuals, "solution"],
    [ScalarType.Long, rank, "rank"],
    [type, singular_values, "singular_values"],
  ] as const)
    TORCH_CHECK(
      canCast(wanted, out.scalar_type()),
      `${name}: Expected ${arg} to be safely castable from ${toString(wanted)} dtype, `,
      `but got ${arg} with dtype ${toString(out.scalar_type())}`,
    );
  const driver_name = get_default_lstsq_driver(driver);
  const tolerance = rcond ?? get_epsilon(type) * Math.max(input.size(-2), input.size(-1));
  const vector_case = linalg_solve_is_vector_rhs(input, other);
  const found = solve(input, vector_case ? other.unsqueeze(-1) : other, tolerance, driver_name);
  return [
    write_solution(solution, found.raw, input.size(-1), vector_case),
    write(residuals, found.residuals),
    write(rank, found.rank),
    write(singular_values, found.singular_values),
  ];
}

// linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None) -> (Tensor solution, Tensor residuals, Tensor rank, Tensor singular_values)
//                                                                                    CompositeExplicitAutograd
export function linalg_lstsq(
  input: Tensor,
  other: Tensor,
  rcond: number | null,
  driver: string | null,
): [Tensor, Tensor, Tensor, Tensor] {
  const empty = (dtype: ScalarType): Tensor =>
    at.empty_memory_format([0], input.options().dtype(dtype), MemoryFormat.Contiguous);
  const t = input.scalar_type();
  return at.linalg_lstsq_out(input, other, rcond, driver, empty(t), empty(t), empty(ScalarType.Long), empty(t));
}
