import torch from "glasstorch";
import { record } from "glasstorch/trace";
import { describe, expect, test } from "vitest";
import type { Tensor } from "#torch/_tensor/index";

const { nn } = torch;
const F = nn.functional;

class Net extends nn.Module<[x: Tensor], Tensor> {
  first = new nn.Linear(2, 3);
  second = new nn.Linear(3, 1);
  scale = new nn.Parameter(torch.ones(1));
  running = new nn.Buffer(torch.zeros(1));
  override name = "a field of this name is no property of functions here";

  override forward(x: Tensor): Tensor {
    return this.second(F.relu(this.first(x))).mul(this.scale);
  }
}

test("a module is called like a function", () => {
  const net = new Net();
  expect(typeof net).toBe("function");
  expect(net instanceof nn.Module).toBe(true);
  expect(net(torch.ones(4, 2)).shape).toEqual([4, 1]);
  expect(net.name).toMatch(/field/);
});

describe("ownership", () => {
  test("fields are adopted in the order they were assigned", () => {
    const net = new Net();
    expect([...net.named_parameters()].map(([name]) => name)).toEqual([
      "scale",
      "first.weight",
      "first.bias",
      "second.weight",
      "second.bias",
    ]);
    expect([...net.named_buffers()].map(([name]) => name)).toEqual(["running"]);
    expect([...net.named_modules()].map(([name]) => name)).toEqual(["", "first", "second"]);
  });

  test("a field assigned after the first use is adopted too", () => {
    const net = new Net() as Net & { third?: unknown };
    [...net.parameters()];
    net.third = new nn.Linear(1, 1);
    expect([...net._modules.keys()]).toEqual(["first", "second", "third"]);
  });

  test("assignments follow PyTorch's rules", () => {
    const linear = new nn.Linear(2, 3);
    linear._parameters;
    expect(() => Object.assign(linear, { weight: 3 })).toThrow(
      "cannot assign 'int' as parameter 'weight' (torch.nn.Parameter or None expected)",
    );
    expect(() => Object.assign(linear, { weight: torch.ones(2) })).toThrow(
      "cannot assign 'torch.FloatTensor' as parameter 'weight' (torch.nn.Parameter or None expected)",
    );
    const weight = new nn.Parameter(torch.ones(3, 2));
    linear.weight = weight;
    expect(linear.weight).toBe(weight);
    linear.bias = null;
    expect([...linear.named_parameters()].map(([name]) => name)).toEqual(["weight"]);
  });

  test("names that cannot be registered are refused", () => {
    const linear = new nn.Linear(2, 2);
    expect(() => linear.register_parameter("a.b", null)).toThrow('parameter name can\'t contain "."');
    expect(() => linear.register_parameter("", null)).toThrow('parameter name can\'t be empty string ""');
    expect(() => linear.register_parameter("in_features", null)).toThrow("attribute 'in_features' already exists");
    expect(() => linear.register_parameter("x", torch.ones(2) as never)).toThrow(
      "cannot assign 'torch.FloatTensor' object to parameter 'x' (torch.nn.Parameter or None required)",
    );
    expect(() => linear.register_buffer("x", 3 as never)).toThrow(
      "cannot assign 'int' object to buffer 'x' (torch Tensor or None required)",
    );
    expect(() => linear.add_module("a.b", null)).toThrow('module name can\'t contain ".", got: a.b');
    expect(() => linear.add_module("x", 3 as never)).toThrow("int is not a Module subclass");
    expect(() => linear.get_submodule("x")).toThrow("Linear has no attribute `x`");
  });

  test("a module shared by two owners counts once", () => {
    const shared = new nn.Linear(1, 1);
    expect([...new nn.Sequential(shared, shared).parameters()].length).toBe(2);
  });
});

test("a module without forward says so", () => {
  class Empty extends nn.Module {}
  expect(() => new Empty()(1)).toThrow('Module [Empty] is missing the required "forward" function');
});

test("repr is PyTorch's", () => {
  const net = new nn.Sequential(
    new nn.Linear(1, 2),
    new nn.ReLU(),
    new nn.PReLU(),
    new nn.Dropout(0.5),
    new nn.Identity(),
    new nn.Sequential(),
  );
  expect(String(net)).toBe(`Sequential(
  (0): Linear(in_features=1, out_features=2, bias=True)
  (1): ReLU()
  (2): PReLU(num_parameters=1)
  (3): Dropout(p=0.5, inplace=False)
  (4): Identity()
  (5): Sequential()
)`);
});

describe("hooks", () => {
  test("run in order, global ones first, and may replace", () => {
    const linear = new nn.Identity();
    const seen: string[] = [];
    const global_hook = torch.nn.modules.module.register_module_forward_pre_hook(() => void seen.push("global"));
    linear.register_forward_pre_hook((_module: unknown, args: number[]) => {
      seen.push("pre");
      return [args[0] + 1];
    });
    const handle = linear.register_forward_hook((_module: unknown, _args: unknown, output: number) => {
      seen.push("post");
      return output * 10;
    });
    linear.register_forward_pre_hook(() => void seen.push("first"), { prepend: true });
    expect(linear(1)).toBe(20);
    expect(seen).toEqual(["global", "first", "pre", "post"]);
    handle.remove();
    global_hook.remove();
    expect(linear(1)).toBe(2);
  });

  test("always_call hooks see a forward that throws", () => {
    class Broken extends nn.Module {
      override forward(): never {
        throw new Error("broken");
      }
    }
    const net = new Broken();
    let called = 0;
    net.register_forward_hook(() => void called++, { always_call: true });
    net.register_forward_hook(() => void (called += 10));
    expect(() => net()).toThrow("broken");
    expect(called).toBe(1);
  });

  test("full backward hooks get the gradients of input and output", () => {
    const linear = new nn.Linear(2, 1);
    const seen: unknown[] = [];
    linear.register_full_backward_hook((_module: unknown, grad_input: Tensor[], grad_output: Tensor[]) => {
      seen.push(grad_input[0]?.shape, grad_output[0]?.tolist());
    });
    linear(torch.ones(1, 2, { requires_grad: true }))
      .sum()
      .backward();
    expect(seen).toEqual([[1, 2], [[1]]]);
  });
});

describe("state", () => {
  test("goes out and comes back", () => {
    const [a, b] = [new Net(), new Net()];
    const state = a.state_dict();
    expect([...state.keys()]).toEqual([
      "scale",
      "running",
      "first.weight",
      "first.bias",
      "second.weight",
      "second.bias",
    ]);
    expect(String(b.load_state_dict(state))).toBe("<All keys matched successfully>");
    expect(torch.equal(a.first.weight, b.first.weight)).toBe(true);
    expect((state.get("first.weight") as Tensor).requires_grad).toBe(false);
    expect((state.get("first.weight") as Tensor).data_ptr()).toBe(a.first.weight.data_ptr());
  });

  test("what does not fit is listed, missing names first", () => {
    expect(() => new nn.Linear(2, 3).load_state_dict({ weight: torch.ones(1, 2), z: 1 })).toThrow(
      'Error(s) in loading state_dict for Linear:\n\tMissing key(s) in state_dict: "bias". \n\tUnexpected key(s) in state_dict: "z". \n\tsize mismatch for weight: copying a param with shape torch.Size([1, 2]) from checkpoint, the shape in current model is torch.Size([3, 2]).',
    );
    expect(() => new nn.Linear(2, 3).load_state_dict(3)).toThrow(
      "Expected state_dict to be dict-like, got <class 'int'>.",
    );
    const partial = new nn.Linear(2, 3).load_state_dict({ bias: torch.ones(3) }, { strict: false });
    expect(partial.missing_keys).toEqual(["weight"]);
  });

  test("buffers that are not persistent stay out", () => {
    const net = new Net();
    net.register_buffer("cache", torch.ones(1), { persistent: false });
    expect(net.state_dict().has("cache")).toBe(false);
  });
});

describe("conversion", () => {
  test("to changes floating members in place and keeps their identity", () => {
    const net = new Net();
    const weight = net.first.weight;
    net.to(torch.float64);
    expect(net.first.weight).toBe(weight);
    expect([weight.dtype, net.running.dtype]).toEqual([torch.float64, torch.float64]);
    expect(() => net.to(torch.int64)).toThrow(
      "nn.Module.to only accepts floating point or complex dtypes, but got desired dtype=torch.int64",
    );
    expect(() => net.train(3 as never)).toThrow("training mode is expected to be boolean");
  });

  test("train and eval reach every module", () => {
    const net = new nn.Sequential(new nn.Dropout(0.5));
    net.eval();
    const x = torch.ones(8);
    expect(torch.equal(net(x), x)).toBe(true);
    expect([...net.modules()].map((module) => module.training)).toEqual([false, false]);
  });

  test("zero_grad forgets, or zeroes", () => {
    const linear = new nn.Linear(2, 1);
    linear(torch.ones(1, 2)).sum().backward();
    linear.zero_grad({ set_to_none: false });
    expect(linear.bias?.grad?.tolist()).toEqual([0]);
    linear.zero_grad();
    expect(linear.bias?.grad).toBe(null);
  });
});

test("the trace shows the call and forward", () => {
  const net = new nn.Sequential(new nn.PReLU());
  const names = record(() => net(torch.ones(2)))
    .events.filter((event) => event.kind === "python")
    .map((event) => event.name);
  expect(names).toEqual([
    "torch.nn.modules.module.Module._call_impl",
    "Sequential.forward",
    "torch.nn.modules.module.Module._call_impl",
    "PReLU.forward",
  ]);
});
