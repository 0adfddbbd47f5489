/**
 * Calls that reach a backend outside of the library, compared with PyTorch: the operators that arrive under PrivateUse1, call by call, and what
 * users see. The backend is that of exercise 17, the smallest there is; all else falls back to the CPU. A name that PrivateUse1 was
 * given stays with the process, so this file runs in one of its own.
 */
import torch from "glasstorch";
import { beforeAll, describe, expect, test } from "vitest";
import type { BoxedKernelFunction } from "#aten/core/boxing/BoxedKernel";
import type { UnboxedKernelFunction } from "#aten/core/boxing/KernelFunction";
import { CppFunction, Library, TORCH_LIBRARY_IMPL } from "#aten/core/library";
import { cpu_fallback } from "#aten/native/CPUFallback";
import { DeviceDataPtr } from "#c10/core/Allocator";
import { DispatchKey } from "#c10/core/DispatchKey";
import { setWarningHandler } from "#c10/util/Exception";
import { Card } from "../../../exercises/17-a-backend/card.ts";
import { register } from "../../../exercises/17-a-backend/solution/backend.ts";
import { readFixture } from "../../helpers/recorded.ts";

type Tensor = ReturnType<typeof torch.tensor>;

interface Recorded {
  readonly errors: Readonly<Record<string, string>>;
  readonly programs: Readonly<Record<string, { readonly asked: readonly string[]; readonly result: unknown }>>;
}

const { errors, programs } = readFixture<Recorded>(
  new URL("../../fixtures/dispatch/privateuse1.json.gz", import.meta.url),
);

/** Kernels that were entered, without those that these called. */
const asked: string[] = [];
let within = false;

function listen<R>(name: string, kernel: () => R): R {
  if (within) return kernel();
  asked.push(name);
  within = true;
  try {
    return kernel();
  } finally {
    within = false;
  }
}

class Listening extends Library {
  override impl(name: string, kernel: CppFunction | UnboxedKernelFunction, kernel_name = ""): void {
    const listening: typeof kernel =
      kernel instanceof CppFunction ? kernel : (ks, ...args) => listen(name, () => kernel(ks, ...args));
    super.impl(name, listening, kernel_name);
  }
}

const aten = new Listening("IMPL", "aten", DispatchKey.PrivateUse1, "a test");
register(aten, new Card());

const x = () => torch.tensor([[1, 2, 3], [4, 5, 6]], { dtype: torch.float32 }); // biome-ignore format: rows
const there = () => x().to("card");

test("without a kernel the call is refused, by the name that the backend was given", () => {
  expect(() => there().exp_()).toThrow(errors["no kernel"]);
});

test("PyTorch's other words", () => {
  expect(() => torch.device("cards")).toThrow(errors["device"]);
  expect(() => torch.utils.rename_privateuse1_backend("other")).toThrow(errors["renamed"]);
  expect(() => there().add(x())).toThrow(errors["two devices"]);
});

describe("with a fallback", () => {
  beforeAll(() => {
    const copy = (_: unknown, self: Tensor, dst: Tensor): unknown => dst.copy_(self);
    aten.impl("_copy_from_and_resize", copy as never, "_copy_from_and_resize_card");
    const fallback: BoxedKernelFunction = (op, _, stack) =>
      listen(String(op.operator_name()).replace("aten::", ""), () => cpu_fallback(op, stack));
    TORCH_LIBRARY_IMPL("_", "PrivateUse1", (m) =>
      m.fallback(CppFunction.makeFromBoxedFunction(fallback, "fallback_card")),
    );
  });

  const grad = (make: (p: Tensor) => Tensor, grad_output?: Tensor): Tensor | null => {
    const p = there().requires_grad_();
    make(p).backward(grad_output);
    return p.grad;
  };

  // biome-ignore lint/suspicious/noExplicitAny: each program takes what it prepares
  const calls: Record<string, [prepare: () => any, call: (given: any) => unknown]> = {
    "x.to": [x, (a: Tensor) => a.to("card")],
    "c.cpu": [there, (c: Tensor) => c.cpu()],
    "c.to int64": [there, (c: Tensor) => c.to(torch.int64)],
    "c.clone": [there, (c: Tensor) => c.clone()],
    "c.t": [there, (c: Tensor) => c.t()],
    "c[1]": [there, (c: Tensor) => c.at(1)],
    "c.view": [there, (c: Tensor) => c.view([6])],
    "c.t().reshape": [() => there().t(), (c: Tensor) => c.reshape([6])],
    "c.t().contiguous": [() => there().t(), (c: Tensor) => c.contiguous()],
    "into a view": [
      there,
      (c: Tensor) => {
        c.at(torch.slice(), 1).copy_(torch.zeros([2]));
        return c;
      },
    ],
    "c.item": [() => there().at(0, 1), (c: Tensor) => c.item()],
    "c + c": [there, (c: Tensor) => c.add(c)],
    "c + 1": [there, (c: Tensor) => c.add(1)],
    "c.t() + c[0]": [
      there,
      (c: Tensor) => torch.add(c.t(), c.at(0).view([3, 1]).at(torch.slice(), torch.slice(null, 1)), { alpha: 2 }),
    ],
    "c.add_": [there, (c: Tensor) => c.add_(c)],
    "c.exp": [there, (c: Tensor) => c.exp()],
    "c.exp_": [there, (c: Tensor) => c.exp_()],
    "c.sum": [there, (c: Tensor) => c.sum()],
    "c * 2": [there, (c: Tensor) => c.mul(2)],
    "c.mm": [there, (c: Tensor) => c.mm(c.t())],
    cat: [there, (c: Tensor) => torch.cat([c, c], 1)],
    "c.max(dim)": [there, (c: Tensor) => c.max(1)[0]],
    "c.fill_": [there, (c: Tensor) => c.fill_(7)],
    zeros: [() => null, () => torch.zeros([2], { device: "card" })],
    ones: [() => null, () => torch.ones([2], { device: "card" })],
    full: [() => null, () => torch.full([2], 3.5, { device: "card" })],
    tensor: [() => null, () => torch.tensor([torch.Float(1), 2], { device: "card" })],
    zeros_like: [there, (c: Tensor) => torch.zeros_like(c)],
    "grad of add": [() => null, () => grad((p) => p.add(p), there())],
    "grad of exp": [() => null, () => grad((p) => p.exp().sum())],
    "grad through to": [() => null, () => grad((p) => p.cpu().mul(2).sum())],
  };

  const shown = (result: unknown): unknown =>
    torch.is_tensor(result)
      ? {
          device: String(result.device),
          dtype: String(result.dtype),
          shape: result.shape,
          strides: result.stride(),
          values: result.detach().cpu().flatten().tolist(),
        }
      : result;

  test("every program that was recorded is here", () => {
    expect(Object.keys(calls)).toEqual(Object.keys(programs));
  });

  test.each(Object.entries(calls))("%s", (name, [prepare, call]) => {
    const given = prepare();
    asked.length = 0;
    const result = call(given);
    expect(asked).toEqual(programs[name].asked);
    const expected = programs[name].result as { readonly values: number[] };
    const found = shown(result) as { readonly values: number[] };
    if (typeof expected !== "object") expect(found).toBe(expected);
    else {
      expect({ ...found, values: null }).toEqual({ ...expected, values: null });
      for (const [i, value] of expected.values.entries()) expect(found.values[i]).toBeCloseTo(value, 4);
    }
  });

  describe("operators of one's own", () => {
    const mine = new torch.library.Library("card_test", "DEF");
    mine.define("row(Tensor(a) x) -> Tensor(a)");
    mine.impl("row", (c: Tensor) => c.at(0), "CPU");
    mine.define("double_all_(Tensor(a!)[] xs) -> ()");
    mine.impl("double_all_", (xs: Tensor[]) => void xs.map((each) => each.add_(each)), "CPU");
    mine.define("shape_of(Tensor? x, Tensor[] xs) -> int[]");
    mine.impl("shape_of", (_: Tensor | null, xs: Tensor[]) => xs[0].shape, "CPU");

    test("a view operator is copied with a warning", () => {
      const words: string[] = [];
      const previous = setWarningHandler(({ msg }) => void words.push(msg));
      try {
        expect(torch.ops["card_test"]["row"](there()).tolist()).toEqual([1, 2, 3]);
      } finally {
        setWarningHandler(previous);
      }
      expect(words).toEqual([
        'The operator card_test::row appears to be a view operator, but it has no implementation for the backend "card:0". ' +
          "View operators don't support falling back to run on the CPU, since the tensor's storage cannot be shared across devices.",
      ]);
    });

    test("tensors in a list are written back, None and other results stay", () => {
      const xs = [there(), there().t()];
      torch.ops["card_test"]["double_all_"](xs);
      expect(xs.map((each) => each.tolist())).toEqual([x().mul(2).tolist(), x().t().mul(2).tolist()]);
      expect(torch.ops["card_test"]["shape_of"](null, xs)).toEqual([2, 3]);
    });
  });
});

test("a pointer into a device's memory: its address, and the context that lives as long", () => {
  const storage = there().untyped_storage();
  const data_ptr = (storage as unknown as { cdata: { data_ptr(): DeviceDataPtr } }).cdata.data_ptr();
  expect(data_ptr).toBeInstanceOf(DeviceDataPtr);
  expect(data_ptr.get_context()).toMatchObject({ address: data_ptr.get(), nbytes: 24 });
  expect(storage.data_ptr()).toBe(data_ptr.get());
  expect(() => storage.bytes()).toThrow("has no bytes to read");
});
