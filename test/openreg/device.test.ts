/**
 * Devices, streams, events, random numbers and pinned memory of a backend outside of the library, against PyTorch with the same backend:
 * `torch.accelerator`, `torch.Stream`, `torch.Event`, `torch.Generator`, and where the library opens guards.
 */
import { type Any, compare, error_of, F, inside, openreg, repr, S, there, torch, x } from "./recorded.ts";

const acc = torch.accelerator;

compare("device", {
  count: () => acc.device_count(),
  is_available: () => acc.is_available(),
  current_accelerator: () => acc.current_accelerator(),
  "current_accelerator checked": () => acc.current_accelerator({ check_available: true }),
  "current index": () => acc.current_device_index(),
  "set 1": () => [acc.set_device_index(1), acc.current_device_index()],
  "empty on the current one": () => torch.empty(2, { device: "openreg" }).device,
  "set -1": () => [acc.set_device_index(-1), acc.current_device_index()],
  "set by name": () => [acc.set_device_index("openreg:0"), acc.current_device_index()],
  "set without index": () => acc.set_device_index("openreg"),
  "set another type": () => acc.set_device_index("cpu"),
  "set out of range": () => acc.set_device_index(2),
  scope: () => [acc.device_index(1, () => acc.current_device_index()), acc.current_device_index()],
  "scope of None": () => acc.device_index(null, () => acc.current_device_index()),
  "scope left by an error": () => {
    const raising = () =>
      acc.device_index(1, () => {
        throw new Error();
      });
    error_of(raising);
    return acc.current_device_index();
  },
  "module scope": () => [inside(openreg.device("openreg:1"), openreg.current_device), openreg.current_device()],
  "device of a number": () => torch.device(1),
  "tensor by number": () => torch.empty(2, { device: 1 }).device,
  "empty elsewhere": () => torch.empty(2, { device: "openreg:1" }).device,
  "empty out of range": () => torch.empty(2, { device: "openreg:7" }),
  capability: () => {
    const dtypes = acc.get_device_capability("openreg:1").get("supported_dtypes") as Set<unknown>;
    return [...dtypes].map(String).sort();
  },
  get_device_module: () => torch.get_device_module("openreg:1") === (openreg as Any),
  "get_device_module of none": () => torch.get_device_module() === (openreg as Any),
  "get_device_module of a stranger": () => torch.get_device_module("ve"),
  "get_device_module of an int": () => torch.get_device_module(3 as Any),
  _get_accelerator: () => torch._C._get_accelerator(),
  get_device: () => there(1).get_device(),
  synchronize: () => [acc.synchronize(), acc.synchronize(1)],
  initialized: () => openreg.is_initialized(),
});

compare(
  "guard",
  {
    to: () => x.to("openreg"),
    exp: () => there(1).exp(),
    exp_: () => there(1).exp_(),
    mm: () => there(1).mm(there(1).t()),
    "mm of two devices": () => there(0).mm(there(1).t()),
    sum: () => there().sum(),
    item: () => there(1).at(0, 1).item(),
    "between devices": () => there(1).to("openreg:0"),
    "into the other": () => torch.empty(2, 3, { device: "openreg:0" }).copy_(there(1)),
    cat: () => torch.cat([there(1), there(1)]),
    "out=": () => torch.exp(there(1), { out: torch.empty(0, { device: "openreg:1" }) }),
    "out= on another": () => torch.exp(there(1), { out: torch.empty(0, { device: "openreg:0" }) }),
    "an error inside": () => [error_of(() => there(1).mm(there(1))), acc.current_device_index()],
  },
  {
    differs: {
      item: {
        why: "x[i] of Python opens a guard though a view launches nothing",
        asked: ["exchangeDevice 1", "uncheckedSetDevice 0", "exchangeDevice 1", "uncheckedSetDevice 0"],
      },
      "into the other": {
        why: "copy_ of Python opens a guard around the kernel's own",
        asked: Array.from({ length: 4 }, (_, i) => [
          `exchangeDevice ${[0, 1, 1, 0][i]}`,
          "uncheckedSetDevice 0",
        ]).flat(),
      },
    },
  },
);

const Stream = torch.Stream;
const CPU = () => new Stream("cpu");

compare("streams", {
  new: () => [S(1).device, S(1).device_index, S(1).device_type],
  "of no device": () => new Stream().device,
  "of a number": () => new Stream(1).device,
  "of the CPU": () => repr(CPU()),
  "of a stranger": () => new Stream("ve"),
  "by its numbers": () => [
    repr(new Stream({ stream_id: 3, device_index: 1, device_type: 20 })),
    repr(new Stream(3, 1, 20)),
  ],
  equal: () => [new Stream(3, 1, 20).equals(new Stream(3, 1, 20)), new Stream(3, 1, 20).equals(new Stream(3, 0, 20))],
  repr: () => repr(acc.current_stream(1)),
  query: () => [S().query(), CPU().query()],
  synchronize: () => [S().synchronize(), CPU().synchronize()],
  scope: () => inside(S(1), () => [acc.current_stream().device, acc.current_device_index()]),
  "after a scope": () => [repr(acc.current_stream()), acc.current_device_index()],
  "scope of the CPU's": () => inside(CPU(), () => acc.current_device_index()),
  set: () => [acc.set_stream(new Stream(0, 1, 20)), acc.current_device_index(), acc.set_device_index(0)],
  "set the CPU's": () => acc.set_stream(CPU()),
  wait_stream: () => new Stream(0, 0, 20).wait_stream(new Stream(0, 1, 20)),
  wait_event: () => new Stream(0, 0, 20).wait_event(new Stream(0, 1, 20).record_event()),
  "not capturing": () => S().is_capturing(),
  native_handle: () => S().native_handle,
  "a wrong argument": () => new Stream([1]),
});

const Event = torch.Event;
const timed = () => new Event({ enable_timing: true });
const first_of_1 = () => new Stream(0, 1, 20);

compare("events", {
  new: () => repr(new Event()),
  "of a device": () => [repr(new Event("openreg:1")), new Event("openreg:1").device],
  "with times": () => repr(timed()),
  "of the CPU": () => new Event("cpu").record(),
  "of a stranger": () => new Event("ve"),
  unrecorded: () => [new Event().query(), new Event().synchronize(), new Event().event_id],
  recorded: () => first_of_1().record_event().device,
  "recorded there": () => {
    const e = new Event();
    return [e.record(first_of_1()), e.device, e.event_id !== 0, e.synchronize() ?? e.query(), null];
  },
  wait: () => first_of_1().record_event().wait(),
  "wait there": () => first_of_1().record_event().wait(first_of_1()),
  "wait for nothing": () => new Event().wait(),
  "on a stream of another type": () => new Event().record(CPU()),
  "on another device": () => {
    const e = new Event();
    return [e.record(first_of_1()), e.record(new Stream(0, 0, 20))];
  },
  "times without timing": () => new Event().elapsed_time(new Event()),
  "times unrecorded": () => timed().elapsed_time(timed()),
  times: () => {
    const [a, b] = [timed(), timed()];
    return [a.record(), b.record(), a.synchronize(), b.synchronize(), a.elapsed_time(b) > 0];
  },
  "times of two types": () => timed().elapsed_time(new Event("cpu", { enable_timing: true })),
  ipc: () => new Event().ipc_handle(),
});

function seeded<R>(seed: number, call: () => R): R {
  torch.manual_seed(seed);
  return call();
}

const Generator = torch.Generator;

compare("rng", {
  generator: () => new Generator({ device: "openreg:1" }).device,
  "generator of no index": () => new Generator({ device: "openreg" }).device,
  "seeded generator": () => new Generator("openreg").manual_seed(42).initial_seed(),
  "generator of a stranger": () => new Generator("ve"),
  "manual_seed reaches it": () => seeded(7, openreg.initial_seed),
  state: () => [openreg.get_rng_state(1).shape, openreg.get_rng_state(1).device],
  "state is put back": () => {
    const s = openreg.get_rng_state(1);
    return [openreg.manual_seed_all(3), openreg.set_rng_state(s, 1), torch.equal(s, openreg.get_rng_state(1))];
  },
  fork_rng: () => {
    const before = openreg.get_rng_state(1);
    torch.random.fork_rng([1], () => {
      openreg.manual_seed_all(5);
      torch.manual_seed(3);
    });
    return torch.equal(before, openreg.get_rng_state(1));
  },
  randn: () => seeded(0, () => torch.randn(3, { device: "openreg" })),
  rand_like: () => seeded(0, () => torch.rand_like(there())),
  normal_: () => seeded(1, () => torch.empty(3, { device: "openreg:1" }).normal_()),
  dropout: () => seeded(2, () => torch.nn.functional.dropout(there(), 0.5)),
  randperm: () => seeded(3, () => torch.randperm(5, { device: "openreg" })),
  "its generator in a fallback": () =>
    torch.empty(3, { device: "openreg" }).normal_({ generator: new Generator("openreg") }),
  "the CPU's generator": () => torch.randn(3, { device: "openreg", generator: new Generator().manual_seed(0) }),
  clone_state: () => new Generator("openreg:1").clone_state().device,
  "seed of all": () => [torch.seed() === openreg.initial_seed()],
});

const pinned = { pin_memory: true };

compare(
  "pinned",
  {
    is_pinned: () => x.is_pinned(),
    pin_memory: () => [x.pin_memory().is_pinned(), x.pin_memory()],
    "of a pinned one": () => {
      const p = x.pin_memory();
      return p.pin_memory() === p;
    },
    "a slice": () => x.pin_memory().at(1).is_pinned(),
    strides: () => x.t().pin_memory().stride(),
    empty: () => torch.empty(2, pinned).is_pinned(),
    tensor: () => torch.tensor([F(1)], pinned).is_pinned(),
    zeros: () => torch.zeros(2, 3, pinned).is_pinned(),
    empty_strided: () => torch.empty_strided([2, 3], [1, 2], pinned).is_pinned(),
    "named device": () => x.is_pinned("openreg"),
    "pin to a named device": () => x.pin_memory("openreg").is_pinned(),
    "to the CPU": () => x.pin_memory("cpu"),
    "is_pinned of the device": () => there().is_pinned(),
    "pin_memory of the device": () => there().pin_memory(),
    storage: () => [x.untyped_storage().is_pinned(), x.untyped_storage().pin_memory().is_pinned()],
    "storage of the device": () => there().untyped_storage().pin_memory(),
    rewrapped: () => torch.empty(0).set_(x.pin_memory().untyped_storage(), 1, [2], [1]).is_pinned(),
    "to, not blocking": () => x.pin_memory().to("openreg", { non_blocking: true }),
    "back, not blocking": () => {
      const t = there().to("cpu", { non_blocking: true });
      acc.synchronize();
      return t;
    },
    gradient: () => {
      const p = x.clone().requires_grad_();
      const name = (p.pin_memory().grad_fn as Any).name();
      p.pin_memory().mul(2).sum().backward();
      return [name, [p.grad]];
    },
    like: () => torch.empty_like(x.pin_memory(), pinned).is_pinned(),
    record_stream: () => there().record_stream(first_of_1()),
    "record_stream of the CPU": () => x.record_stream(first_of_1()),
    "record_stream of nothing": () => there().record_stream(3 as Any),
  },
  {
    differs: {
      "record_stream of nothing": {
        why: "PyTorch's parser has no word for a stream",
        result: { error: "TypeError", message: "record_stream(): argument 's' (position 1) must be Stream, not int" },
      },
    },
  },
);
