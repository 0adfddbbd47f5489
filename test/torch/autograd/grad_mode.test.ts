/** Context managers: when a scope opens and when it closes. Each fact was looked at in PyTorch 2.13.0. */
import torch from "glasstorch";
import ts from "typescript";
import { afterEach, describe, expect, test } from "vitest";
import { PythonTorchFunctionTLS, TorchFunctionDisabledState } from "#aten/PythonTorchFunctionTLS";
import { enforce_grad_layout_policy } from "#torch/autograd/grad_mode";

const { no_grad, enable_grad, inference_mode, is_grad_enabled, autograd } = torch;
const { graph } = autograd;

/** Everything that a scope of this library sets. */
const state = () => ({
  grad: torch.is_grad_enabled(),
  inference: torch.is_inference_mode_enabled(),
  multithreading: torch._C._is_multithreading_enabled(),
  anomaly: [torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()],
  hooks: torch._C._saved_tensors_hooks_get_disabled_error_message(),
  layout: torch._C._is_grad_layout_enforcement_enabled(),
  seed: torch.initial_seed(),
});
const untouched = state();
afterEach(() => expect(state()).toEqual(untouched));

describe("a statement of its own changes nothing", () => {
  class Mode extends torch.overrides.BaseTorchFunctionMode {}
  test.each<[string, () => unknown]>([
    ["no_grad()", () => no_grad()],
    ["no_grad(null)", () => no_grad(null)],
    ["new no_grad()", () => new (no_grad as unknown as new () => unknown)()],
    ["enable_grad()", () => no_grad(() => void enable_grad())],
    ["inference_mode()", () => inference_mode()],
    ["inference_mode(false)", () => inference_mode(false)],
    ["detect_anomaly()", () => autograd.detect_anomaly()],
    [
      "saved_tensors_hooks(pack, unpack)",
      () =>
        graph.saved_tensors_hooks(
          (x) => x,
          (x) => x,
        ),
    ],
    ["disable_saved_tensors_hooks(message)", () => graph.disable_saved_tensors_hooks("no")],
    ["fork_rng()", () => torch.random.fork_rng()],
    ["record_function(name)", () => autograd.profiler.record_function("a")],
    ["profile()", () => new autograd.profiler.profile()],
    ["a TorchFunctionMode", () => new Mode()],
    ["DisableTorchFunctionSubclass()", () => new torch._C.DisableTorchFunctionSubclass()],
  ])("%s", (_, statement) => {
    statement();
    expect(state()).toEqual(untouched);
    expect(PythonTorchFunctionTLS.get_disabled_state()).toBe(TorchFunctionDisabledState.ENABLED);
    expect(PythonTorchFunctionTLS.stack_len()).toBe(0);
  });

  test("and the body runs inside", () => {
    expect(no_grad(is_grad_enabled)).toBe(false);
    expect(no_grad(() => enable_grad(is_grad_enabled))).toBe(true);
    expect(inference_mode(torch.is_inference_mode_enabled)).toBe(true);
    expect(inference_mode(() => inference_mode(false, torch.is_inference_mode_enabled))).toBe(false);
  });
});

describe("these act in the call, and put back at a scope's end what was before it", () => {
  test("set_grad_enabled", () => {
    const scope = torch.set_grad_enabled(false);
    expect(is_grad_enabled()).toBe(false);
    {
      using _ = scope;
      expect(is_grad_enabled()).toBe(false);
    }
    expect(is_grad_enabled()).toBe(true);
    torch.set_grad_enabled(false);
    torch.set_grad_enabled(true);
  });
  test("set_detect_anomaly", () => {
    const scope = autograd.set_detect_anomaly(true, false);
    expect(state().anomaly).toEqual([true, false]);
    scope[Symbol.dispose]();
  });
  test("set_multithreading_enabled", () => {
    const scope = autograd.set_multithreading_enabled(false);
    expect(torch._C._is_multithreading_enabled()).toBe(false);
    scope[Symbol.dispose]();
  });
  test("enforce_grad_layout_policy", () => {
    const scope = enforce_grad_layout_policy(false);
    expect(state().layout).toBe(false);
    scope[Symbol.dispose]();
  });
});

describe("`using` enters", () => {
  const source = `(torch, seen) => {
    { using _ = torch.no_grad(); seen.push(torch.is_grad_enabled()); }
    seen.push(torch.is_grad_enabled());
  }`;
  const run = (compiled: string) => {
    const seen: boolean[] = [];
    new Function("torch", "seen", `return (${compiled.replace(/;\s*$/, "")})(torch, seen)`)(torch, seen);
    return seen;
  };

  test("as esbuild writes it", () => {
    {
      using _ = no_grad();
      expect(is_grad_enabled()).toBe(false);
    }
    expect(is_grad_enabled()).toBe(true);
  });
  test("as TypeScript writes it", () => {
    const target = ts.ScriptTarget.ES2022;
    const { outputText } = ts.transpileModule(`const f = ${source}; f(torch, seen);`, { compilerOptions: { target } });
    expect(outputText).toContain("__addDisposableResource");
    const seen: boolean[] = [];
    new Function("torch", "seen", outputText)(torch, seen);
    expect(seen).toEqual([false, true]);
  });
  test("as an engine that knows it does", ({ skip }) => {
    try {
      new Function("{ using x = null; }");
    } catch {
      skip("this Node has no `using`");
    }
    expect(run(source)).toEqual([false, true]);
  });
  test("an error leaves", () => {
    expect(() => {
      using _ = no_grad();
      throw new Error("inside");
    }).toThrow("inside");
    expect(() =>
      no_grad(() => {
        throw new Error("inside");
      }),
    ).toThrow("inside");
  });
  test("a second read opens nothing, a second call closes nothing", () => {
    const scope = no_grad();
    const first = scope[Symbol.dispose];
    expect(is_grad_enabled()).toBe(false);
    expect(scope[Symbol.dispose]).toBe(first);
    first.call(scope);
    expect(is_grad_enabled()).toBe(true);
    no_grad(() => {
      first.call(scope);
      expect(is_grad_enabled()).toBe(false);
    });
  });
  test("after its end it can be entered anew, from another mode", () => {
    const scope = no_grad();
    {
      using _ = scope;
    }
    no_grad(() => {
      {
        using _ = scope;
      }
      expect(is_grad_enabled()).toBe(false);
    });
  });
  test("the mode put back is the one on entering, not the one at the call", () => {
    const scope = no_grad(() => enable_grad());
    {
      using _ = scope;
    }
    expect(is_grad_enabled()).toBe(true);
  });
  test("a TorchFunctionMode", () => {
    const seen: unknown[] = [];
    class Mode extends torch.overrides.BaseTorchFunctionMode {
      override __torch_function__(func: unknown, types: readonly unknown[], args: unknown[], kwargs?: object): unknown {
        seen.push((func as { name: string }).name);
        return super.__torch_function__(func, types, args, kwargs);
      }
    }
    const x = torch.ones([1]);
    const mode = new Mode();
    torch.neg(x);
    {
      using _ = mode;
      torch.abs(x);
    }
    torch.neg(x);
    expect(seen).toEqual(["abs"]);
  });
  test("a profile", () => {
    let table = "";
    const prof = new autograd.profiler.profile();
    torch.neg(torch.ones([1]));
    {
      using _ = prof;
      torch.abs(torch.ones([1]));
    }
    table = prof.key_averages().table();
    expect(table).toContain("aten::abs");
    expect(table).not.toContain("aten::neg");
  });
  test("fork_rng keeps the state of where it is entered", () => {
    torch.manual_seed(7);
    const scope = torch.random.fork_rng();
    torch.rand([1]);
    const state_ = torch.get_rng_state();
    {
      using _ = scope;
      torch.rand([5]);
    }
    expect(torch.equal(torch.get_rng_state(), state_)).toBe(true);
    torch.manual_seed(untouched.seed);
  });
});

describe("no function", () => {
  test.each<[string, () => unknown, string]>([
    ["no_grad(5)", () => no_grad(5 as never), "'int' object is not callable"],
    ["no_grad('a')", () => no_grad("a" as never), "'str' object is not callable"],
    ["enable_grad([])", () => enable_grad([] as never), "'list' object is not callable"],
    ["inference_mode(5)", () => inference_mode(5 as never), "'int' object is not callable"],
    ["inference_mode(null)", () => inference_mode(null as never), "'NoneType' object is not callable"],
    [
      "set_grad_enabled(5)",
      () => torch.set_grad_enabled(5 as never),
      "set_grad_enabled(): argument 'enabled' (position 1) must be bool, not int",
    ],
    [
      "no_grad(1, 2)",
      () => (no_grad as (...args: unknown[]) => unknown)(1, 2),
      "_NoParamDecoratorContextManager.__new__() takes from 1 to 2 positional arguments but 3 were given",
    ],
  ])("%s", (_, call, message) => {
    expect(call).toThrow(expect.objectContaining({ name: "TypeError", message }));
  });
});

test("what it makes is an instance of what was called", () => {
  const made: unknown[] = [no_grad(), enable_grad(), inference_mode()];
  const of = (x: unknown) => [no_grad, enable_grad, inference_mode].map((f) => x instanceof (f as unknown as Function));
  expect(made.map(of)).toEqual([
    [true, false, false],
    [false, true, false],
    [false, false, true],
  ]);
});

test("disable_saved_tensors_hooks that fails leaves the hooks enabled", () => {
  graph.saved_tensors_hooks(
    (x) => x,
    (x) => x,
    () => {
      expect(() => graph.disable_saved_tensors_hooks("no", () => null)).toThrow("no");
      expect(state().hooks).toBe(null);
    },
  );
});
