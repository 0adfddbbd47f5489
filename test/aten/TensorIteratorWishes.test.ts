/** The iterator that each option of its config makes: shapes, strides, dtypes, devices, outputs; and its refusals. */
import { describe, expect, test } from "vitest";
import "#aten/generated/RegisterAll";
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { TensorIterator, TensorIteratorConfig } from "#aten/TensorIterator";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { setTracer, type Tracer } from "#c10/util/Trace";

const { Float, Double, Int, Long, Bool } = ScalarType;
const meta = Device.of(DeviceType.Meta);
const options = new TensorOptions().dtype(Float);
const empty = (size: number[], dtype: ScalarType = Float): Tensor => at.empty_memory_format(size, options.dtype(dtype));
const on_meta = (size: number[]): Tensor => at.empty_memory_format(size, options.device(meta));
const strided = (size: number[], stride: number[]): Tensor => at.empty_strided(size, stride, options);
const none = (): Tensor => new Tensor();
const config = (): TensorIteratorConfig => new TensorIteratorConfig();
const strides = (iter: TensorIterator): unknown[] =>
  Array.from({ length: iter.ntensors() }, (_, arg) => iter.strides(arg));

describe("a listener hears of a build", () => {
  const heard = (build: () => unknown): { kind: string; name: string; inputs: unknown; told: unknown }[] => {
    const out: { kind: string; name: string; inputs: unknown; told: unknown }[] = [];
    const open: number[] = [];
    const tracer: Tracer = {
      begin: (kind, name, data) => {
        open.push(out.length);
        out.push({ kind, name, inputs: data?.["inputs"], told: null });
        return out.length - 1;
      },
      end: (_id, data) => {
        const one = out[open.pop() as number];
        if (one !== undefined) one.told = data;
      },
    };
    setTracer(tracer);
    try {
      build();
    } finally {
      setTracer(null);
    }
    return out.filter(({ kind }) => kind === "iterator");
  };

  test("with the operands it was given", () => {
    const [out, a, b] = [empty([3]), empty([3]), empty([3])];
    const [own] = heard(() => config().add_output(out).add_input(a).add_input(b).build());
    expect([own?.kind, own?.name]).toEqual(["iterator", "at::TensorIteratorBase::build"]);
    const given = own?.inputs as Tensor[];
    expect(given.map((t) => [out, a, b].findIndex((one) => one.impl_ === t.impl_))).toEqual([0, 1, 2]);
    const [shared] = heard(() => new TensorIterator().build_binary_op(out, a, b));
    const borrowed = shared?.inputs as Tensor[];
    expect(borrowed.map((t) => [out, a, b].findIndex((one) => one.impl_ === t.impl_))).toEqual([0, 1, 2]);
    const [unary] = heard(() => new TensorIterator().build_unary_op(out, a));
    expect(unary?.inputs).toHaveLength(2);
    expect(JSON.stringify(own?.told)).toContain("3");
  });
});

describe("shapes", () => {
  test("a declared shape counts, whatever the operands' sizes", () => {
    const iter = config()
      .set_check_mem_overlap(false)
      .check_all_same_dtype(false)
      .resize_outputs(false)
      .declare_static_shape([2, 3])
      .add_output(empty([4, 3]))
      .add_input(strided([2, 5], [7, 2]))
      .build();
    expect([iter.shape(), iter.numel()]).toEqual([[3, 2], 6]);
    expect(strides(iter)).toEqual([
      [1, 3],
      [2, 7],
    ]);
  });

  test("a tensor without dimensions stays in place while another goes on", () => {
    for (const [a, b] of [
      [empty([]), empty([3])],
      [empty([3]), empty([])],
    ] as const) {
      const iter = TensorIterator.binary_op(none(), a, b);
      expect([iter.shape(), strides(iter)]).toEqual([[3], [[1], a.dim() === 0 ? [0] : [1], b.dim() === 0 ? [0] : [1]]]);
    }
    const iter = TensorIterator.binary_op(none(), empty([]), empty([]));
    expect([iter.shape(), iter.output().sizes(), strides(iter)]).toEqual([[], [], [[], [], []]]);
  });

  test("nine dimensions are walked like two", () => {
    const size = [2, 1, 2, 1, 2, 1, 2, 1, 3];
    const iter = TensorIterator.binary_op(none(), empty(size), empty([2, 1, 1, 1, 2, 1, 1, 1, 3]));
    expect(iter.output().sizes()).toEqual(size);
    expect(iter.output().strides()).toEqual([24, 24, 12, 12, 6, 6, 3, 3, 1]);
    expect([iter.shape(), iter.strides(1), iter.strides(2)]).toEqual([
      [3, 2, 2, 2, 2],
      [1, 3, 6, 12, 24],
      [1, 0, 3, 0, 6],
    ]);
    const linear = config()
      .enforce_linear_iteration()
      .add_output(none())
      .add_input(empty(size).permute([8, 7, 6, 5, 4, 3, 2, 1, 0]));
    expect(linear.build().strides(1).length).toBeGreaterThan(1);
  });

  test("without memory nothing is joined", () => {
    const iter = TensorIterator.binary_op(none(), on_meta([2, 3, 4]), on_meta([2, 1, 1]));
    expect([iter.shape(), iter.output().sizes()]).toEqual([
      [4, 3, 2],
      [2, 3, 4],
    ]);
  });

  test("what is reduced comes first, of one dimension or of two", () => {
    const reduced = (stride: number[]) =>
      TensorIterator.reduce_op(empty([60]).as_strided([3, 4, 5], stride, 0), empty([3, 4, 5]));
    expect(strides(reduced([0, 5, 1]))).toEqual([
      [0, 1],
      [20, 1],
    ]);
    const middle = TensorIterator.reduce_op(
      strided([3, 1, 5], [5, 5, 1]).as_strided([3, 4, 5], [5, 0, 1], 0),
      empty([3, 4, 5]),
    );
    expect([middle.shape(), ...strides(middle)]).toEqual([
      [4, 5, 3],
      [0, 1, 5],
      [5, 1, 20],
    ]);
    const outer = TensorIterator.reduce_op(empty([4]).as_strided([3, 4, 5], [0, 1, 0], 0), empty([3, 4, 5]));
    expect([outer.shape(), ...strides(outer)]).toEqual([
      [5, 3, 4],
      [0, 0, 1],
      [1, 20, 5],
    ]);
  });
});

describe("layouts", () => {
  const last = (): Tensor => strided([2, 3, 4, 5], [60, 1, 15, 3]);

  test("pictures with channels last go in one run, and give such a picture", () => {
    const iter = TensorIterator.binary_op(none(), last(), last());
    expect([iter.shape(), strides(iter)]).toEqual([[120], [[1], [1], [1]]]);
    expect(iter.output().strides()).toEqual([60, 1, 15, 3]);
    const resized = empty([0]);
    TensorIterator.binary_op(resized, last(), last());
    expect([resized.sizes(), resized.strides()]).toEqual([
      [2, 3, 4, 5],
      [60, 1, 15, 3],
    ]);
  });

  test("a shift of pictures with channels last, whose output the iterator makes", () => {
    const picture = at.arange(Scalar.fromInt(24), options.dtype(Long)).as_strided([1, 2, 3, 4], [24, 1, 8, 2], 0);
    const shifted = at.__lshift___Tensor(picture, at.ones_like(picture));
    expect([shifted.strides(), at.equal(shifted, at.add_Tensor(picture, picture))]).toEqual([[24, 1, 8, 2], true]);
  });

  test("dense operands go in one run if they agree, else dimension by dimension", () => {
    const [t, u] = [strided([2, 3, 4], [3, 1, 6]), strided([2, 3, 4], [1, 2, 6])];
    const same = TensorIterator.binary_op(none(), t, t);
    expect([same.shape(), same.output().strides()]).toEqual([[24], [3, 1, 6]]);
    const other = TensorIterator.binary_op(none(), t, u);
    expect([other.shape(), other.strides(1), other.strides(2), other.output().strides()]).toEqual([
      [3, 2, 4],
      [1, 3, 6],
      [2, 1, 6],
      [3, 1, 6],
    ]);
    const holes = TensorIterator.unary_op(none(), strided([2, 3], [8, 2]));
    expect([holes.shape(), holes.strides(1), holes.output().strides()]).toEqual([
      [3, 2],
      [2, 8],
      [3, 1],
    ]);
  });
});

describe("dtypes", () => {
  const loose = (): TensorIteratorConfig => config().check_all_same_dtype(false);

  test("all the same, or the first that differs is named", () => {
    const refused = "Found dtype Int but expected Float";
    expect(() =>
      config()
        .add_output(none())
        .add_input(empty([2]))
        .add_input(empty([2], Int))
        .build(),
    ).toThrow(refused);
    expect(() =>
      config()
        .add_output(empty([2], Int))
        .add_input(empty([2]))
        .build(),
    ).toThrow(refused);
    expect(() =>
      config()
        .add_output(empty([2]))
        .add_output(empty([2], Int))
        .add_input(empty([2]))
        .build(),
    ).toThrow(refused);
    const two = config()
      .add_output(none())
      .add_output(empty([2]))
      .add_input(empty([2]))
      .build();
    expect([two.common_dtype(), two.dtype(0), two.output(0).scalar_type()]).toEqual([Float, Float, Float]);
  });

  test("none is common to inputs that differ and are not promoted", () => {
    const given = (a: ScalarType, b: ScalarType) =>
      loose()
        .check_all_same_device(false)
        .add_output(empty([2], Double))
        .add_input(empty([2], a))
        .add_input(empty([2], b))
        .build();
    expect(() => given(Float, Int).common_dtype()).toThrow("Queried for invalid common dtype!");
    expect(given(Int, Int).common_dtype()).toBe(Int);
    expect(given(Float, Int).dtype(2)).toBe(Int);
  });

  test("a declared one is the output's; integers may become floats; results go back into outputs", () => {
    const counted = loose()
      .declare_static_dtype(Long)
      .add_output(none())
      .add_input(empty([2], Bool))
      .build();
    expect([counted.output().scalar_type(), counted.common_dtype()]).toEqual([Long, Bool]);
    const promoting = () => loose().promote_inputs_to_common_dtype(true);
    const to_float = promoting()
      .promote_integer_inputs_to_float(true)
      .add_output(none())
      .add_input(empty([2], Int))
      .build();
    expect([to_float.common_dtype(), to_float.tensor(1).scalar_type(), to_float.output().scalar_type()]).toEqual([
      Float,
      Float,
      Float,
    ]);
    const out = empty([2], Double);
    const cast = promoting()
      .cast_common_dtype_to_outputs(true)
      .add_output(out)
      .add_input(empty([2], Int))
      .add_input(empty([2]));
    const iter = cast.build();
    expect([iter.dtype(0), iter.tensor(0).is_same(out), iter.common_dtype()]).toEqual([Float, false, Float]);
    at.fill__Scalar(iter.tensor(0), at.ones([], options).item());
    iter.cast_outputs();
    expect([iter.tensor(0).is_same(out), Number(out.sum().item().toDouble())]).toEqual([true, 2]);
    expect(() =>
      promoting()
        .enforce_safe_casting_to_output(true)
        .add_output(empty([2], Int))
        .add_input(empty([2]))
        .build(),
    ).toThrow("result type Float can't be cast to the desired output type Int");
  });
});

describe("devices", () => {
  test("numbers from the CPU may join another device, one of them", () => {
    const made = (...inputs: Tensor[]) => {
      const wished = config().allow_cpu_scalars(true).promote_inputs_to_common_dtype(true).add_output(none());
      for (const input of inputs) wished.add_input(input);
      return wished.build();
    };
    const iter = made(on_meta([3]), empty([]));
    expect([iter.output().is_meta(), iter.output().sizes(), iter.device_type()]).toEqual([true, [3], DeviceType.Meta]);
    expect(() => made(on_meta([3]), empty([]), empty([]))).toThrow(
      "Trying to pass too many CPU scalars to non-CPU kernel!",
    );
    expect(() => made(on_meta([3]), empty([1]))).toThrow("Tensor on device cpu is not on the expected device meta!");
    expect(() => made(empty([3]), on_meta([]))).toThrow("Tensor on device meta is not on the expected device cpu!");
    expect(() =>
      config()
        .add_output(none())
        .add_input(on_meta([3]))
        .add_input(empty([]))
        .build(),
    ).toThrow("Tensor on device cpu is not on the expected device meta!");
  });

  test("an output elsewhere is refused, unless devices are not compared", () => {
    const made = (check: boolean) =>
      config()
        .check_all_same_device(check)
        .add_output(empty([3]))
        .add_input(on_meta([3]));
    expect(() => made(true).build()).toThrow(
      "Expected all tensors to be on the same device, but found at least two devices, meta and cpu!",
    );
    expect(made(false).build().numel()).toBe(3);
  });

  test("a declared one is where the output is made", () => {
    const wished = config()
      .declare_static_dtype_and_device(Double, meta)
      .check_all_same_dtype(false)
      .check_all_same_device(false);
    const output = wished
      .add_output(none())
      .add_input(on_meta([3]))
      .build()
      .output();
    expect([output.is_meta(), output.scalar_type(), output.sizes()]).toEqual([true, Double, [3]]);
  });
});

describe("outputs", () => {
  test("that are inputs too are read and written, whichever input it is", () => {
    const read_write = (iter: TensorIterator): boolean => iter.operand(0).is_read_write;
    const [x, y, z, out] = [empty([2]), empty([2]), empty([2]), empty([2])];
    const ternary = (o: Tensor, a: Tensor, b: Tensor, c: Tensor): TensorIterator => {
      const iter = new TensorIterator();
      iter.build_ternary_op(o, a, b, c);
      return iter;
    };
    expect(
      [
        [out, x, y, z],
        [x, x, y, z],
        [y, x, y, z],
        [z, x, y, z],
      ].map(([o, a, b, c]) => read_write(ternary(o, a, b, c))),
    ).toEqual([false, true, true, true]);
    expect(read_write(TensorIterator.binary_op(y, x, y))).toBe(true);
  });

  test("that share a part of an input's memory are refused, whichever input it is, if that is asked", () => {
    const whole = empty([5]);
    const [out, part, apart] = [whole.slice_Tensor(0, 1, 4, 1), whole.slice_Tensor(0, 0, 3, 1), empty([3])];
    const made = (check: boolean, ...inputs: Tensor[]) => {
      const wished = config().set_check_mem_overlap(check).add_output(out);
      for (const input of inputs) wished.add_input(input);
      return wished.build();
    };
    const message = "some elements of the input tensor and the written-to tensor refer to a single memory location";
    for (const inputs of [[part], [part, apart], [apart, part], [apart, apart, part], [apart, apart, apart, part]]) {
      expect(() => made(true, ...inputs)).toThrow(message);
      expect(made(false, ...inputs).operand(0).is_read_write).toBe(false);
    }
    expect(made(true, apart, apart, apart, apart).numel()).toBe(3);
    const rows = [strided([3], [2]), empty([3])];
    expect(() => TensorIterator.binary_op(out, rows[0] as Tensor, part)).toThrow(message);
  });

  test("that may not be resized keep their size, or are refused", () => {
    expect(() =>
      config()
        .resize_outputs(false)
        .add_output(empty([1]))
        .add_input(empty([3]))
        .build(),
    ).toThrow("output with shape [1] doesn't match the broadcast shape [3]");
    const larger = config()
      .resize_outputs(false)
      .add_output(empty([2, 3]))
      .add_input(empty([3]))
      .build();
    expect([larger.shape(), larger.strides(1)]).toEqual([
      [3, 2],
      [1, 0],
    ]);
  });

  test("an iterator of one output and nothing else", () => {
    const [out, wide] = [empty([2, 3]), strided([2, 3], [6, 2])];
    expect([TensorIterator.nullary_op(out).shape(), TensorIterator.nullary_op(wide).shape()]).toEqual([[6], [6]]);
    expect(TensorIterator.nullary_op(strided([2, 3], [1, 4])).strides(0)).toEqual([1, 4]);
  });
});
