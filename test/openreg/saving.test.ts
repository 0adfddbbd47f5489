/**
 * Saving, loading, training and autocast on a backend outside of the library, compared with PyTorch with the same backend.
 */
import { expect, test } from "vitest";
import { type Any, compare, inside, leaf, recorded, type Tensor, there, torch, x } from "./recorded.ts";

const results_only = { results_only: true };

const saved = (obj: Any): Uint8Array => torch.save(obj) as Any;
const loaded = (obj: Any, kwargs: Any = {}): Any => torch.load(saved(obj), kwargs);

function linear(): Any {
  const net = new torch.nn.Linear(2, 1) as Any;
  torch.no_grad(() => {
    net.weight.fill_(0.5);
    net.bias.fill_(1);
  });
  return net;
}

function adam(): unknown {
  const p = leaf();
  const opt = new torch.optim.Adam([p], { lr: 0.5 });
  for (let i = 0; i < 3; i++) {
    opt.zero_grad();
    p.mul(p).sum().backward();
    opt.step();
  }
  const state = opt.state.get(p) as Any;
  return [p, state["step"], state["exp_avg"]];
}

function sgd_net(): unknown {
  torch.manual_seed(0);
  const { Linear, ReLU, Sequential } = torch.nn;
  const net = (new Sequential(new Linear(3, 4), new ReLU(), new Linear(4, 1)) as Any).openreg();
  const opt = new torch.optim.SGD(net.parameters(), { lr: 0.1, momentum: 0.9 });
  const losses: unknown[] = [];
  for (let i = 0; i < 4; i++) {
    opt.zero_grad();
    const loss = net(there()).sub(1).pow(2).mean();
    loss.backward();
    opt.step();
    losses.push(loss.item());
  }
  return losses;
}

compare(
  "serialization",
  {
    load: () => loaded(there(1)),
    "load without index": () => loaded((x as Any).openreg()).device,
    "to the CPU": () => loaded(there(1), { map_location: "cpu" }),
    "to another": () => loaded(there(1), { map_location: "openreg:0" }),
    "by a dict": () => loaded(there(1), { map_location: { "openreg:1": "openreg:0" } }).device,
    "by a function": () =>
      loaded(there(1), { map_location: (s: Any, location: string) => (location === "openreg:1" ? s : null) }).device,
    "to a device": () => loaded(x, { map_location: torch.device("openreg", 1) }),
    "out of range": () => loaded(x, { map_location: "openreg:3" }),
    tag: () => [
      torch.serialization.location_tag(there(1).untyped_storage()),
      torch.serialization.location_tag(x.untyped_storage()),
    ],
    default_restore_location: () =>
      (torch.serialization.default_restore_location(new torch.UntypedStorage([1, 2]), "openreg:1") as Any).tolist(),
    "two over one storage": () => {
      const t = there(1);
      const [first] = loaded([t, t.at(1)]);
      return [first.device, true];
    },
    state_dict: () => [...linear().openreg(1).state_dict()],
    load_state_dict: () => {
      const m = linear();
      m.load_state_dict(linear().openreg(1).state_dict());
      return [m.weight];
    },
    parameter: () => {
      const t = loaded(new torch.nn.Parameter(there(1)), { weights_only: true });
      return [t.device, t.dtype, t.shape];
    },
    optimizer: adam,
    training: sgd_net,
  },
  results_only,
);

const autocast = torch.autocast;
const autocast_state = (): unknown[] => [torch.is_autocast_enabled("openreg"), torch.get_autocast_dtype("openreg")];
const within = <R>(call: () => R, kwargs: Any = {}): R => inside(autocast("openreg", kwargs), call);
const linear_of = torch.nn.functional.linear;
const half = (): Tensor => there().to(torch.float16);
const double = (): Tensor => there().to(torch.float64);

function custom_fwd(): unknown {
  const forward = torch.amp.custom_fwd((_ctx: Any, a: Tensor) => a.mul(a), {
    device_type: "openreg",
    cast_inputs: torch.float16,
  } as Any);
  const backward = torch.amp.custom_bwd((_ctx: Any, grad: Tensor) => grad, { device_type: "openreg" } as Any);
  class Square extends torch.autograd.Function {
    static override forward = forward as Any;
    static override backward = backward as Any;
  }
  return within(() => (Square as Any).apply(there()).dtype);
}

compare(
  "autocast",
  {
    dtype: () => torch.get_autocast_dtype("openreg"),
    state: () => [autocast_state(), within(autocast_state), autocast_state()],
    bfloat16: () => within(autocast_state, { dtype: torch.bfloat16 }),
    "unsupported dtype": () => within(autocast_state, { dtype: torch.float32 }),
    available: () => torch.amp.is_autocast_available("openreg"),
    "without rules": () => within(() => there().mm(there().t()).dtype),
    "lower precision": () => within(() => torch.addmm(there(), there(), torch.ones(3, 3, { device: "openreg" }))),
    "linear, bfloat16": () => within(() => linear_of(there(), there()), { dtype: torch.bfloat16 }),
    float32: () => within(() => half().softmax(1)),
    promote: () => within(() => torch.cat([half(), there()]).dtype),
    "promote of halves": () => within(() => torch.cat([half(), half()]).dtype),
    "double is left": () => within(() => linear_of(double(), double()).dtype),
    "of the CPU": () => within(() => linear_of(x, x).dtype),
    gradient: () =>
      within(() => {
        const p = leaf();
        linear_of(there(), p).to(torch.float32).sum().backward();
        return [p.grad];
      }),
    "disabled inside": () => within(() => within(() => linear_of(there(), there()).dtype, { enabled: false })),
    custom_fwd,
  },
  results_only,
);

test("a file that PyTorch wrote", () => {
  const file = Buffer.from(recorded.files["tensor"], "base64");
  const { a, b, c } = torch.load(file) as Any;
  expect([a, b, c].map((each) => String(each.device))).toEqual(["openreg:1", "openreg:1", "cpu"]);
  expect(a.tolist()).toEqual(x.tolist());
  expect(b.tolist()).toEqual(x.at(1).tolist());
});
