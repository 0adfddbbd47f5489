/**
 * @file Two front ends over one library: the same step of training through `torch.nn`, as Python programs write it, and through the C++ front
 * end. Below the first operator both do the same; above it they have nothing in common.
 */
import torch from "glasstorch";
import { torch as cpp } from "glasstorch/cpp";
import { type Lane, laneOf, type Trace } from "glasstorch/trace";
import { check, checkThrows, drawn, finish, recorded } from "./support/walkthrough.ts";

// ## Step 1. The same network twice
// C++ has options with setters where Python has keyword arguments. A module prints as C++ prints it.
const numbers = Float32Array.from({ length: 8 }, (_, i) => Math.sin(i));
torch.manual_seed(0);
const net = new torch.nn.Sequential(new torch.nn.Linear(4, 3), new torch.nn.ReLU(), new torch.nn.Linear(3, 2));
const sgd = new torch.optim.SGD(net.parameters(), { lr: 0.1 });

const { Linear, LinearOptions, ReLU, Sequential } = cpp.nn;
cpp.manual_seed(0);
const native_net = Sequential(Linear(4, 3), ReLU(), Linear(LinearOptions(3, 2).bias(true)));
const native_sgd = new cpp.optim.SGD(native_net.parameters(), cpp.optim.SGDOptions(0.1).momentum(0));
check(String(Linear(LinearOptions(4, 8).bias(false))), "torch::nn::Linear(in_features=4, out_features=8, bias=false)");
check(native_net.named_parameters().keys(), ["0.weight", "0.bias", "2.weight", "2.bias"]);

// Both draw the same random numbers in the same order: the networks are equal.
type Native = ReturnType<typeof cpp.zeros>;
const list = (tensor: Native): number[] => {
  const flat = tensor.detach().contiguous();
  return Array.from(flat.data_view().slice(flat.data_offset(), flat.data_offset() + flat.numel()), Number);
};
const weights = (): number[][] => [...net.parameters()].map((p) => p.flatten().tolist() as number[]);
const native_weights = (): number[][] => native_net.parameters().map(list);
check(native_weights(), weights());

// ## Step 2. One step through each
// The gradient of the loss is given, because each front end makes a missing one in its own way.
const [x, target, one] = [torch.from_numpy(numbers).view(2, 4), torch.zeros([2, 2]), torch.ones([])];
const python = recorded(
  "python",
  "One step of training through torch.nn",
  () => {
    torch.nn.functional.mse_loss(net(x), target).backward(one);
    sgd.step();
  },
  { cold: true },
);
const [native_x, native_target, native_one] = [cpp.from_array(numbers, [2, 4]), cpp.zeros([2, 2]), cpp.ones([])];
const native = recorded(
  "cpp",
  "The same step through the C++ front end",
  () => {
    cpp.nn.functional.mse_loss(native_net(native_x), native_target).backward(native_one);
    native_sgd.step();
  },
  { cold: true },
);
check(native_weights(), weights());

// ## Step 3. The same operators below
// Every call of an operator, with the dispatch key that won: the lists are equal. One name is missing in C++: `torch.nn.functional.linear` calls
// the operator `aten::linear`, and C++'s function of that name calls what it is made of.
// Ours: src/torch/csrc-equivalent/api/nn/functional/linear.ts     PyTorch: torch/csrc/api/include/torch/nn/functional/linear.h
const calls = (trace: Trace): string[] =>
  trace.events.filter((event) => event.kind === "op").map((event) => `${event["op"]} ${event["how"]} ${event["key"]}`);
const without_linear = calls(python).filter((call) => !call.startsWith("aten::linear "));
check(calls(native), without_linear);
check(calls(python).length - without_linear.length, 2); // one for each Linear

// ## Step 4. Other lanes above
// Python's call passes the front end and the binding, which parses arguments. C++ calls `at::` itself.
const lanes_of = (trace: Trace): Map<Lane, number> => {
  const counts = new Map<Lane, number>();
  for (const event of trace.events) {
    const lane = laneOf(event, trace.parent(event));
    counts.set(lane, (counts.get(lane) ?? 0) + 1);
  }
  return counts;
};
const [python_lanes, native_lanes] = [lanes_of(python), lanes_of(native)];
check([python_lanes.has("front end"), python_lanes.has("binding")], [true, true]);
check([native_lanes.has("front end"), native_lanes.has("binding")], [false, false]);
const rows = [...new Set([...python_lanes.keys(), ...native_lanes.keys()])].map((lane) => ({
  lane,
  python: python_lanes.get(lane) ?? 0,
  cpp: native_lanes.get(lane) ?? 0,
}));
drawn("lanes", "Events by lane", rows, [
  ` ${"lane".padEnd(12)} torch.nn  C++ front end`,
  ...rows.map(({ lane, ...n }) => ` ${lane.padEnd(12)} ${String(n.python).padStart(8)}  ${String(n.cpp).padStart(13)}`),
]);

// ## Step 5. What was trained is saved, and read by C++
// An archive of the C++ front end is a module of scripts without methods; libtorch reads it, and what libtorch writes is read here.
const again = Sequential(Linear(4, 3), ReLU(), Linear(3, 2));
cpp.load(again, cpp.save(native_net));
check(again.parameters().map(list), native_weights());
checkThrows(() => cpp.load(Linear(1, 1), cpp.save(native_net)), "No such serialized tensor 'weight'");

finish({
  next: "npx tsx walkthroughs/import-torch.ts",
  tableOf: torch._C._dispatch_dump_table,
  python: `
import torch
net = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.ReLU(), torch.nn.Linear(3, 2))
with torch.profiler.profile() as prof: torch.nn.functional.mse_loss(net(torch.ones(2, 4)), torch.zeros(2, 2)).backward()
print([e.name for e in prof.events()])   # aten::linear, aten::t, aten::addmm, ...
# The same step in C++ calls t and addmm without linear: torch/csrc/api/include/torch/nn/functional/linear.h in the package's include folder.
import os; print(os.path.join(os.path.dirname(torch.__file__), "include/torch/csrc/api/include/torch/nn"))`,
});
