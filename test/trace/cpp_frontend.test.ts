/** One training step through the C++ front end and through torch.nn: the same operators below, other lanes above. */
import torch from "glasstorch";
import { laneOf, record, type Trace } from "glasstorch/trace";
import { expect, test } from "vitest";
import { torch as cpp } from "../../src/cpp.ts";

const values = Float32Array.from({ length: 8 }, (_, i) => Math.sin(i));

/**
 * Operators in order, with the key and the kernel that each chose. Only Python's function calls `linear`; C++'s calls its parts. The gradient of the
 * loss is given, since each front end makes a missing one in its own way.
 */
function operators(trace: Trace): string[] {
  return trace.events
    .filter((event) => event.kind === "op")
    .map((event) => event as unknown as { op: string; how: string; key: string; kernel: string })
    .filter(({ op }) => op !== "aten::linear")
    .map(({ op, how, key, kernel }) => `${op} ${how} ${key} ${kernel}`);
}

function with_python(): Trace {
  torch.manual_seed(0);
  const net = new torch.nn.Sequential(new torch.nn.Linear(4, 3), new torch.nn.ReLU(), new torch.nn.Linear(3, 2));
  const optimizer = new torch.optim.SGD(net.parameters(), { lr: 0.1 });
  const [x, target, gradient] = [torch.from_numpy(values).view(2, 4), torch.zeros([2, 2]), torch.ones([])];
  return record(() => {
    const loss = torch.nn.functional.mse_loss(net(x), target);
    loss.backward(gradient);
    optimizer.step();
  });
}

function with_cpp(): Trace {
  const { Linear, ReLU, Sequential } = cpp.nn;
  cpp.manual_seed(0);
  const net = Sequential(Linear(4, 3), ReLU(), Linear(3, 2));
  const optimizer = new cpp.optim.SGD(net.parameters(), cpp.optim.SGDOptions(0.1));
  const [x, target, gradient] = [cpp.from_array(values, [2, 4]), cpp.zeros([2, 2]), cpp.ones([])];
  return record(() => {
    const loss = cpp.nn.functional.mse_loss(net(x), target);
    loss.backward(gradient);
    optimizer.step();
  });
}

test("a training step calls the same operators through both front ends", () => {
  const [python, native] = [with_python(), with_cpp()];
  expect(operators(native).length).toBeGreaterThan(30);
  expect(operators(native)).toEqual(operators(python));
  const lanes = (trace: Trace) => new Set(trace.events.map((event) => laneOf(event, trace.parent(event))));
  expect([lanes(python).has("binding"), lanes(native).has("binding")]).toEqual([true, false]);
  expect([lanes(python).has("front end"), lanes(native).has("front end")]).toEqual([true, false]);
  for (const lane of ["dispatcher", "autograd", "native"]) expect(lanes(native).has(lane as never), lane).toBe(true);
});
