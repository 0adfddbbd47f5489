/**
 * @file Drivers of group norm with SIMD: contiguous images of one dtype, groups in parallel.
 * @mirrors aten/src/ATen/native/cpu/group_norm_kernel.cpp
 */
import { memory_of, region_of, with_addresses } from "#aten/cpu/vec/heap";
import { empty_cpu } from "#aten/EmptyTensor";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { default_loop } from "#aten/native/cpu/default_loop";
import { GroupNormBackwardKernelImpl, GroupNormKernelImpl, write_parameters } from "#aten/native/cpu/group_norm_kernel";
import { elements_of } from "#aten/native/cpu/layer_norm_kernel";
import { functions_of, vector_loop } from "#aten/native/cpu/vec/driver";
import { group_norm_kernel_vec } from "#aten/native/cpu/vec/generated/group_norm/kernel";
import { CPUCapability, REGISTER_ARCH_DISPATCH } from "#aten/native/DispatchStub";
import { GroupNormBackwardKernel, GroupNormKernel, type Groups } from "#aten/native/group_norm";
import { GRAIN_SIZE } from "#aten/Parallel";
import { parallel_kernel, told_of_threads } from "#aten/ParallelNative";
import { heap_memory } from "#c10/core/CPUHeap";
import { elementSize, type ScalarType } from "#c10/core/ScalarType";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import { traceCall, tracer } from "#c10/util/Trace";

/** Smallest number of positions in a channel for which SIMD is faster. */
const SHORTEST = 8;

/**
 * Reason why SIMD cannot be used, or null. `tensors` are all operands, which must have one dtype; images come first.
 */
function why_not(
  dtype: ScalarType,
  { HxW }: Groups,
  images: readonly Tensor[],
  others: readonly TensorImpl[],
): string | null {
  if (!group_norm_kernel_vec.has(dtype)) return "no SIMD kernel for this dtype";
  if (others.some((t) => t.dtype() !== dtype)) return "parameters of another dtype";
  if (!images.every((image) => image.is_contiguous())) return "not contiguous (channels last)";
  if (HxW < SHORTEST || images[0].numel() === 0) return `channels of fewer than ${SHORTEST} elements`;
  return heap_memory() === null ? "no heap" : null;
}

/**
 * Runs `vectors`. Runs `plain` instead if there is a reason against SIMD or no scratch memory. A trace records either
 * one as a loop.
 */
function run(
  name: string,
  groups: Groups,
  images: readonly Tensor[],
  others: readonly TensorImpl[],
  vectors: () => boolean,
  plain: () => void,
): void {
  const dtype = images[0].scalar_type();
  const why = why_not(dtype, groups, images, others);
  const loop = (): void => {
    if (why !== null || !vectors()) plain();
  };
  if (tracer === null) loop();
  else {
    const shape = [groups.N, groups.C, groups.HxW];
    const memory = memory_of([...impls(images), ...others]);
    const data =
      why === null
        ? vector_loop(name, "group_norm/kernel", group_norm_kernel_vec, dtype, shape, memory)
        : default_loop(name, "group_norm_kernel", dtype, shape, why);
    traceCall("loop", `at::native::${name}`, loop, [], data, told_of_threads);
  }
}

const impls = (tensors: readonly (Tensor | null)[]): TensorImpl[] => tensors.flatMap((t) => t?.impl_ ?? []);

/** Number of rows of `n` elements for which another thread is worth its cost. */
const grain_of = (n: number): number => Math.max(1, Math.floor(GRAIN_SIZE / (4 * n)));

const GroupNormKernel_vec: typeof GroupNormKernelImpl = (X, gamma, beta, groups, eps, Y, statistics) => {
  const { N, C, HxW, group } = groups;
  const D = C / group;
  const size = elementSize(X.scalar_type());
  const others = impls([...statistics, gamma, beta]);
  const vectors = (): boolean =>
    with_addresses(
      impls([Y, ...statistics, X, gamma, beta]).map(region_of),
      ([y, means, rstds, x, ...parameters]) => {
        const gamma_at = gamma === null ? 0 : (parameters.shift() as number);
        const beta_at = beta === null ? 0 : (parameters.shift() as number);
        const f = functions_of(group_norm_kernel_vec, X.scalar_type()).group_norm_rows;
        parallel_kernel(f, -1, 0, N * group, grain_of(D * HxW), (rows, begin, end) => {
          const [at, of_group] = [begin * D * HxW * size, begin * size];
          const first = (begin % group) * D;
          // biome-ignore format: one operand group per line
          rows(
            y + at, means + of_group, rstds + of_group, x + at, gamma_at, beta_at,
            end - begin, first, C, D, HxW, eps,
          );
        });
      },
      3,
    );
  run("group_norm", groups, [X, Y], others, vectors, () =>
    GroupNormKernelImpl(X, gamma, beta, groups, eps, Y, statistics),
  );
};

const GroupNormBackwardKernel_vec: typeof GroupNormBackwardKernelImpl = (dY, X, mean, rstd, gamma, groups, grads) => {
  const { N, C, HxW, group } = groups;
  const D = C / group;
  const { dX } = grads;
  const dtype = X.scalar_type();
  const size = elementSize(dtype);
  const vectors = (): boolean => {
    const [ds, db] = [empty_cpu([N * C], dtype), empty_cpu([N * C], dtype)];
    const f = functions_of(group_norm_kernel_vec, dtype);
    const sums = with_addresses(
      impls([ds, db, dY, X]).map(region_of),
      ([s, b, dy, x]) =>
        parallel_kernel(f.group_sums, -1, 0, N * C, grain_of(HxW), (rows, begin, end) => {
          const [at, channel] = [begin * HxW * size, begin * size];
          rows(s + channel, b + channel, dy + at, x + at, end - begin, HxW);
        }),
      2,
    );
    const input = (): boolean =>
      with_addresses(
        impls([dX, dY, X, mean, rstd, ds, db, gamma]).map(region_of),
        ([dx, dy, x, means, rstds, s, b, gamma_at = 0]) =>
          parallel_kernel(f.group_input_backward, -1, 0, N * group, grain_of(D * HxW), (rows, begin, end) => {
            const [at, of_group, channel] = [begin * D * HxW * size, begin * size, begin * D * size];
            const first = (begin % group) * D;
            // biome-ignore format: one operand group per line
            rows(
              dx + at, dy + at, x + at, gamma_at, means + of_group, rstds + of_group, s + channel, b + channel,
              end - begin, first, C, D, HxW,
            );
          }),
      );
    if (!sums || (dX !== null && !input())) return false;
    const of_channels = [elements_of(ds, 0, N * C), elements_of(db, 0, N * C)] as const;
    const of_groups = [elements_of(mean, 0, N * group), elements_of(rstd, 0, N * group)] as const;
    write_parameters(dtype, of_channels, of_groups, groups, grads);
    return true;
  };
  const images = dX === null ? [X, dY] : [X, dY, dX];
  run("group_norm_backward", groups, images, impls([...images, mean, rstd, gamma]), vectors, () =>
    GroupNormBackwardKernelImpl(dY, X, mean, rstd, gamma, groups, grads),
  );
};

REGISTER_ARCH_DISPATCH(GroupNormKernel, CPUCapability.SIMD128, GroupNormKernel_vec, "GroupNormKernel_vec");
REGISTER_ARCH_DISPATCH(
  GroupNormBackwardKernel,
  CPUCapability.SIMD128,
  GroupNormBackwardKernel_vec,
  "GroupNormBackwardKernel_vec",
);
