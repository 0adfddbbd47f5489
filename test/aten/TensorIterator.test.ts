/** How an iterator is built: shapes, dtypes, strides, outputs; what it refuses; how its tiles cover everything once. */

import fc from "fast-check";
import { expect, test } from "vitest";
import "#aten/generated/RegisterAll";
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import { wrapped_scalar_tensor } from "#aten/ScalarOps";
import { TensorIterator, TensorIteratorConfig } from "#aten/TensorIterator";
import { DimCounter } from "#aten/TensorIteratorInternal";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";

const float = new TensorOptions().dtype(ScalarType.Float);
const empty = (size: number[], dtype: ScalarType = ScalarType.Float): Tensor =>
  at.empty_memory_format(size, float.dtype(dtype));
const none = (): Tensor => new Tensor();

test("operands of one layout become one run of elements", () => {
  const iter = TensorIterator.binary_op(none(), empty([2, 3, 4]), empty([2, 3, 4]));
  expect(iter.shape()).toEqual([24]);
  expect([0, 1, 2].map((arg) => iter.strides(arg))).toEqual([[1], [1], [1]]);
  expect(iter.output().sizes()).toEqual([2, 3, 4]);
});

test("so do operands that are all transposed alike, and the output takes their strides", () => {
  const iter = TensorIterator.binary_op(none(), empty([2, 3]).t(), empty([2, 3]).t());
  expect(iter.shape()).toEqual([6]);
  expect(iter.output().strides()).toEqual([1, 3]);
});

test("a broadcast operand has stride 0 where it is stretched; the fastest dimension comes first", () => {
  const iter = TensorIterator.binary_op(none(), empty([3, 4]), empty([4]));
  expect(iter.shape()).toEqual([4, 3]);
  expect([0, 1, 2].map((arg) => iter.strides(arg))).toEqual([
    [1, 4],
    [1, 4],
    [1, 0],
  ]);
});

test("dimensions that every operand steps through evenly are joined", () => {
  const iter = TensorIterator.binary_op(none(), empty([2, 3, 4]), empty([2, 1, 1]));
  expect(iter.shape()).toEqual([12, 2]);
  expect(iter.strides(2)).toEqual([0, 1]);
});

test("the output follows the permutation of the inputs", () => {
  const iter = TensorIterator.binary_op(none(), empty([2, 3, 4]).permute([2, 0, 1]), empty([4, 1, 1]));
  expect(iter.output().sizes()).toEqual([4, 2, 3]);
  expect(iter.output().strides()).toEqual([1, 12, 4]);
});

test("dtypes are promoted; temporaries stand in for operands of another dtype", () => {
  const int = empty([3], ScalarType.Int);
  const iter = TensorIterator.binary_op(none(), int, empty([3], ScalarType.Double));
  expect(iter.common_dtype()).toBe(ScalarType.Double);
  expect(iter.tensor(1)).not.toBe(int);
  expect(iter.tensor(1).scalar_type()).toBe(ScalarType.Double);
});

test("a number raises the category of a tensor, not its width", () => {
  const two = wrapped_scalar_tensor(Scalar.fromDouble(2.5));
  expect(TensorIterator.binary_op(none(), empty([3], ScalarType.Half), two).common_dtype()).toBe(ScalarType.Half);
  expect(TensorIterator.binary_op(none(), empty([3], ScalarType.Int), two).common_dtype()).toBe(ScalarType.Float);
});

test("meta tensors get shapes and dtypes, no data", () => {
  const meta = new TensorOptions().dtype(ScalarType.Float).device(Device.of(DeviceType.Meta));
  const iter = TensorIterator.binary_op(
    none(),
    at.empty_memory_format([3, 1], meta),
    at.empty_memory_format([4], meta),
  );
  expect(iter.output().sizes()).toEqual([3, 4]);
  expect(iter.output().is_meta()).toBe(true);
});

test.each<[string, () => unknown, string]>([
  [
    "shapes that do not meet",
    () => TensorIterator.binary_op(none(), empty([3]), empty([4])),
    "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 0",
  ],
  [
    "an output that overlaps itself",
    () => TensorIterator.unary_op(empty([1]).expand([3]), empty([3])),
    "unsupported operation: more than one element of the written-to tensor",
  ],
  [
    "an output that overlaps an input in part",
    () => {
      const x = empty([4]);
      TensorIterator.unary_op(x.slice_Tensor(0, 1, 4, 1), x.slice_Tensor(0, 0, 3, 1));
    },
    "unsupported operation: some elements of the input tensor and the written-to tensor",
  ],
  [
    "a result that the output cannot hold",
    () => TensorIterator.binary_op(empty([3], ScalarType.Int), empty([3]), empty([3])),
    "result type Float can't be cast to the desired output type Int",
  ],
  [
    "dtypes that differ where they may not",
    () => TensorIterator.unary_op(empty([3], ScalarType.Double), empty([3])),
    "Found dtype Double but expected Float",
  ],
  [
    "an in-place result that is larger",
    () => {
      const x = empty([3]);
      TensorIterator.binary_op(x, x, empty([2, 3]));
    },
    "output with shape [3] doesn't match the broadcast shape [2, 3]",
  ],
  [
    "devices that differ",
    () => {
      const meta = new TensorOptions().dtype(ScalarType.Float).device(Device.of(DeviceType.Meta));
      TensorIterator.binary_op(none(), at.empty_memory_format([3], meta), empty([3]));
    },
    "Tensor on device cpu is not on the expected device meta!",
  ],
])("%s: refused", (_name, build, message) => {
  expect(build).toThrow(message);
});

test("a reduction walks its input; the output's stride is 0 along what is reduced, and that comes first", () => {
  const iter = TensorIterator.reduce_op(empty([3, 1]).expand([3, 4]).as_strided([3, 4], [1, 0], 0), empty([3, 4]));
  expect(iter.shape()).toEqual([4, 3]);
  expect(iter.strides(0)).toEqual([0, 1]);
  expect(iter.num_reduce_dims()).toBe(1);
});

test("a linear iteration keeps the order of indices, whatever the strides", () => {
  const iter = new TensorIteratorConfig()
    .enforce_linear_iteration()
    .add_output(none())
    .add_const_input(empty([2, 3]).t())
    .build();
  expect(iter.shape()).toEqual([2, 3]); // (3, 2), fastest index first
  expect(iter.strides(1)).toEqual([3, 1]);
});

/** Marks every element of operand 0 that the tiles visit. */
function mark(operands: readonly OperandInfo[], size0: number, size1: number): void {
  const out = operands[0];
  for (let j = 0; j < size1; j++) for (let i = 0; i < size0; i++) (out.view() as Float32Array)[out.at(i, j)] += 1;
}

test("for_each visits every element once", () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 4 });
  fc.assert(
    fc.property(sizes, fc.boolean(), (size, stretched) => {
      const out = empty(size);
      at.zero_(out);
      const other = stretched && size.length > 0 ? empty([...size.slice(0, -1), 1]) : empty(size);
      const iter = TensorIterator.binary_op(out, out, other);
      iter.for_each(mark);
      const view = out.impl_.data_view();
      const from = out.impl_.data_offset();
      for (let i = 0; i < out.numel(); i++) expect(view[from + i]).toBe(1);
    }),
  );
});

test("tiles from any beginning to any end are just that range", () => {
  const shape = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(shape, fc.nat(), fc.nat(), (sizes, a, b) => {
      const numel = sizes.reduce((x, y) => x * y, 1);
      const [begin, end] = [a % (numel + 1), b % (numel + 1)].sort((x, y) => x - y) as [number, number];
      const seen: number[] = [];
      for (const counter = new DimCounter(sizes, begin, end); !counter.is_done(); ) {
        const step = counter.max_2d_step();
        expect(step[0] * step[1]).toBeGreaterThan(0);
        let flat = 0;
        for (let dim = sizes.length - 1; dim >= 0; dim--) flat = flat * sizes[dim] + counter.values[dim];
        for (let i = 0; i < step[0] * step[1]; i++) seen.push(flat + i);
        counter.increment(step);
      }
      expect(seen).toEqual(Array.from({ length: end - begin }, (_, i) => begin + i));
    }),
  );
});
