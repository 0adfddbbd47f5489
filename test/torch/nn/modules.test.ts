/** `nn.Module` and the modules that hold others, beside PyTorch's: tools/oracle/user_programs/modules.py. */
import torch from "glasstorch";
import { describe, expect, test } from "vitest";
import type { Any } from "../../helpers/recorded.ts";
import { user_programs } from "../../helpers/user_programs.ts";

const { nn } = torch;
const names = (named: Iterable<[string, unknown]>): string[] => [...named].map(([name]) => name);
const kinds = (m: Any): string[][] => [[...m._parameters.keys()], [...m._buffers.keys()], [...m._modules.keys()]];
const classes = (modules: Iterable<object>): string[] => [...modules].map((x) => x.constructor.name);
const plain = (): Any => new (class Module extends nn.Module {})();
const param = (value = 1, ...size: number[]): Any =>
  new nn.Parameter(torch.full(size.length === 0 ? [1] : size, torch.Float(value)));

user_programs("modules", {
  "a Parameter is not overwritten, in a constructor either": ({ say, fails }) => {
    class M extends nn.Module {
      declare weight: Any;
      declare child: Any;
      declare running: Any;
      constructor() {
        super();
        this.weight = param(1, 2);
        for (const value of [5, 2.5, "a", [1], torch.ones(2), new nn.Linear(1, 1)])
          fails(() => {
            this.weight = value;
          });
        this.child = new nn.ReLU();
        fails(() => {
          this.child = 5;
        });
        fails(() => {
          this.child = torch.ones(1);
        });
        this.running = new nn.Buffer(torch.zeros(1));
        fails(() => {
          this.running = 5;
        });
        fails(() => {
          this.running = new nn.Linear(1, 1).weight.tolist();
        });
      }
    }
    const m = new M();
    say(names(m.named_parameters()), names(m.named_buffers()), names(m.named_children()));
    m.weight = null;
    m.child = null;
    m.running = null;
    say(m.weight, m.child, m.running);
    say([...m._parameters.keys()], [...m._modules.keys()], [...m._buffers.keys()]);
  },
  "names keep the order in which they were first given": ({ say }) => {
    const m = plain();
    m.b = new nn.Linear(1, 1);
    m.add_module("1", new nn.ReLU());
    m["0"] = new nn.Linear(1, 1);
    m.a = param();
    m.register_parameter("7", param());
    m.c = param();
    m.a = param(0);
    m.b = new nn.Tanh();
    say(names(m.named_parameters()));
    say(names(m.named_modules()));
    say([...m.state_dict().keys()]);
  },
  "one name goes from kind to kind": ({ say, fails }) => {
    const m = plain();
    m.x = 3;
    m.x = param();
    say(...kinds(m));
    m.y = new nn.Linear(1, 1);
    m.y = param();
    say(...kinds(m));
    m.z = new nn.Buffer(torch.ones(1), { persistent: false });
    say([...m._non_persistent_buffers_set]);
    m.z = new nn.ReLU();
    say(...kinds(m), [...m._non_persistent_buffers_set]);
    m.z = null;
    say([...m._modules.keys()], m.z);
    fails(() => {
      m.z = new nn.Buffer(torch.ones(1));
    });
    fails(() => m.__setattr__("forward", param()));
    m.n = null;
    m.n = param();
    say([...m._parameters.keys()]);
  },
  deleting: ({ say, fails }) => {
    const m: Any = new nn.Linear(2, 2);
    m.running = new nn.Buffer(torch.ones(1), { persistent: false });
    m.child = new nn.ReLU();
    m.plain = 5;
    delete m.bias;
    delete m.running;
    delete m.child;
    delete m.plain;
    say(names(m.named_parameters()), names(m.named_buffers()), names(m.named_children()), [...m.state_dict().keys()]);
    say("bias" in m, "running" in m, "child" in m, "plain" in m, [...m._non_persistent_buffers_set]);
    fails(() => m.__delattr__("bias"));
    fails(() => m.__delattr__("nothing"));
    fails(() => m.__getattr__("nothing"));
    m.bias = 5;
    say(m.bias);
    m.__delattr__("weight");
    say([...m._parameters.keys()]);
  },
  "names that are no string, empty, dotted or taken": ({ fails }) => {
    const m: Any = new nn.Linear(2, 2);
    for (const name of [5, null, 2.5, [1], torch.ones(1), "", "a.b", "in_features", "forward"]) {
      fails(() => m.register_parameter(name, null));
      fails(() => m.register_buffer(name, torch.ones(1)));
      fails(() => m.add_module(name, null));
      fails(() => m.register_module(name, new nn.ReLU()));
    }
    fails(() => m.register_parameter(5, 5));
    fails(() => m.add_module(5, 5));
    fails(() => m.register_parameter("p", param().mul(2)));
  },
  "the maps are the truth": ({ say }) => {
    const m: Any = new nn.Linear(1, 1);
    m._parameters.set("extra", param());
    m._modules.set("child", new nn.ReLU());
    m._parameters.delete("bias");
    say(names(m.named_parameters()), "bias" in m, "extra" in m, "child" in m);
  },
  "overriding __setattr__": ({ say }) => {
    class Logged extends nn.Module {
      override __setattr__(name: string, value: unknown): void {
        say("set", name);
        super.__setattr__(name, value);
      }
    }
    const m: Any = new Logged();
    m.a = param();
    m.a = param();
    m.b = 5;
    say([...m._parameters.keys()], m.b);
  },
  "remove_duplicate and shared members": ({ say }) => {
    const shared = new nn.Linear(1, 1, { bias: false });
    const m: Any = new nn.Sequential(shared, new nn.ReLU(), shared);
    const all = { remove_duplicate: false };
    say(names(m.named_parameters()), names(m.named_parameters(all)));
    say(names(m.named_modules()), names(m.named_modules(all)));
    shared.register_buffer("r", torch.ones(1));
    m.register_buffer("s", (shared as Any).r);
    say(names(m.named_buffers()), names(m.named_buffers(all)));
    say([...m.parameters()].length, [...m.modules()].length, [...m.modules(all)].length);
    say([...m.parameters({ recurse: false })].length, names(m.named_buffers({ recurse: false })));
  },
  "load_state_dict reports what is missing and unexpected, strict or not": ({ say, fails }) => {
    const m: Any = new nn.Sequential(new nn.Linear(2, 3), new nn.ReLU(), new nn.Linear(3, 1));
    const state = new Map([
      ["0.weight", torch.ones(3, 2)],
      ["2.bias", torch.ones(1)],
      ["5.weight", torch.ones(1)],
      ["x", torch.ones(1)],
      ["2.other", torch.ones(1)],
    ]);
    const result = m.load_state_dict(state, { strict: false });
    say(result.missing_keys, result.unexpected_keys);
    say(result);
    say(m.load_state_dict(m.state_dict()));
    fails(() => m.load_state_dict(state));
    const and = (more: object) => ({ ...Object.fromEntries(m.state_dict()), ...more });
    fails(() => m.load_state_dict(and({ "0.weight": torch.ones(2, 3) })));
    fails(() => m.load_state_dict(and({ "0.weight": torch.ones(3, 2, 1) }), { strict: false }));
    fails(() => m.load_state_dict(and({ "0.weight": 5, "0.bias": [1.5] })));
    fails(() => m.load_state_dict(5));
    fails(() => m.load_state_dict(null));
    fails(() => m.load_state_dict([["a", 1]]));
  },
  "a one-element tensor for a 0-dim one": ({ say, fails }) => {
    const m = plain();
    m.p = new nn.Parameter(torch.tensor(torch.Float(1)));
    say(m.load_state_dict({ p: torch.tensor([torch.Float(5)]) }), "5.0");
    expect(m.p.item()).toBe(5);
    fails(() => m.load_state_dict({ p: torch.tensor([5.5, 6.5]) }));
  },
  "assign puts the tensors themselves in": ({ say }) => {
    const m: Any = new nn.Linear(1, 1);
    m.bias.requires_grad_(false);
    const bias = new nn.Parameter(torch.full([1], torch.Float(4)));
    const state = { weight: torch.full([1, 1], 3, { dtype: torch.float64 }), bias };
    say(m.load_state_dict(state, { assign: true }));
    say(
      m.weight.dtype,
      m.weight.requires_grad,
      m.bias === bias,
      m.bias.requires_grad,
      m.weight instanceof nn.Parameter,
    );
    say(names(m.named_parameters()));
  },
  "copying that fails is told with the sizes": ({ say, fails }) => {
    const m: Any = new nn.Linear(1, 1);
    m.weight = new nn.Parameter(torch.empty([1, 1], { device: "meta" }));
    say(m.load_state_dict({ weight: torch.ones(1, 1), bias: torch.ones(1) }));
    const view = plain();
    view.p = new nn.Buffer(torch.ones(1).expand(3));
    fails(() => view.load_state_dict({ p: torch.tensor([1.5, 2.5, 3.5]) }));
  },
  "overriding _save_to_state_dict and _load_from_state_dict": ({ say }) => {
    class Doubled extends nn.Linear {
      static _version = 3;
      override _save_to_state_dict(destination: Any, prefix: string, keep_vars: boolean): void {
        super._save_to_state_dict(destination, prefix, keep_vars);
        destination.set(`${prefix}doubled`, this.weight.detach().mul(2));
      }
      override _load_from_state_dict(...args: Any): void {
        const [state_dict, prefix, local_metadata, strict] = args;
        say(prefix, local_metadata.version, strict, [...state_dict.keys()].sort());
        state_dict.delete(`${prefix}doubled`);
        (super._load_from_state_dict as Any)(...args);
      }
    }
    const m: Any = new nn.Sequential(new Doubled(1, 1), new nn.ReLU(), new Doubled(1, 1));
    const state: Any = m.state_dict();
    say([...state.keys()], state.get("0.doubled").item() === 2 * m.__getitem__(0).weight.item());
    say([...state._metadata].map(([k, v]) => [k, v.version]));
    say(m.load_state_dict(state));
    state.delete("2.bias");
    say(m.load_state_dict(state, { strict: false }));
  },
  "extra state": ({ say, fails }) => {
    class Counting extends nn.Module {
      count = 0;
      override get_extra_state(): unknown {
        return { count: this.count };
      }
      override set_extra_state(state: Any): void {
        this.count = state.count;
      }
    }
    const counting = new Counting();
    counting.count = 7;
    const state = new nn.Sequential(counting).state_dict();
    say([...state.keys()]);
    const other = new nn.Sequential(new Counting());
    say(other.load_state_dict(state), (other.__getitem__(0) as Counting).count);
    fails(() => other.load_state_dict({}));
    fails(() => new nn.Sequential(new nn.ReLU()).load_state_dict(state));
    fails(() => new nn.ReLU().get_extra_state());
    fails(() => new nn.ReLU().set_extra_state(1));
  },
  "hooks of saving and loading": ({ say, fails }) => {
    const linear = new nn.Linear(1, 1, { bias: false });
    const m = new nn.Sequential(linear);
    m.register_state_dict_pre_hook((_, prefix, keep_vars) => say("pre", prefix, keep_vars));
    linear.register_state_dict_post_hook((_, state, prefix, meta) => say("post", [...state.keys()], prefix, meta));
    const state = m.state_dict({ keep_vars: true });
    linear.register_load_state_dict_pre_hook((_, state, prefix, ...rest) =>
      say("load", [...state.keys()].sort(), prefix, ...rest),
    );
    m.register_load_state_dict_post_hook((_, keys) => say("loaded", keys));
    m.load_state_dict(state, { strict: false });
    linear.register_state_dict_post_hook(() => 5);
    fails(() => m.state_dict());
    m.register_load_state_dict_post_hook(() => 5);
    fails(() => m.load_state_dict(state));
  },
  set_submodule: ({ say, fails }) => {
    const m: Any = new nn.Sequential(new nn.Sequential(new nn.ReLU()));
    m.set_submodule("0.0", new nn.Tanh());
    m.set_submodule("0.new", new nn.Sigmoid());
    say(m);
    fails(() => m.set_submodule("", new nn.ReLU()));
    fails(() => m.set_submodule("0.none", new nn.ReLU(), { strict: true }));
    fails(() => m.set_submodule("9.none", new nn.ReLU()));
    fails(() => m.set_submodule("0", 5));
    fails(() => m.set_submodule("training", new nn.ReLU()));
    fails(() => m.get_submodule("training"));
  },
  ModuleList: ({ say, fails }) => {
    const [one, two] = [() => new nn.Linear(1, 1), () => new nn.Linear(2, 1)];
    const m: Any = new nn.ModuleList([one(), one(), new nn.ReLU(), one(), two()]);
    const at = (i: unknown) => m.__getitem__(i);
    say(m);
    say(m.__len__(), [...m._modules.keys()], at(-1), at({ start: 1, stop: 3 }));
    m.insert(1, new nn.Tanh());
    say([...m._modules.keys()], at(1), at(2));
    m.__delitem__(0);
    say([...m._modules.keys()], at(0), "5" in m, m["4"]);
    say(m.pop(1), m.__len__(), m.pop(-1), [...m._modules.keys()]);
    m.__setitem__(0, new nn.Sigmoid());
    m.append(new nn.ReLU()).extend([new nn.Tanh()]);
    m.__iadd__([new nn.ReLU()]);
    say(m.__add__([new nn.Tanh()]));
    m.__delitem__({ start: 1, stop: 3 });
    say(m, at({ step: 2 }), at({ step: -1 }), at({ start: -2 }));
    fails(() => at(9));
    fails(() => m.__setitem__(9, new nn.ReLU()));
    fails(() => m.extend(5));
    fails(() => m.append(5));
    fails(() => new nn.ModuleList(5 as Any));
    fails(() => m(torch.ones(1)));
    say(new nn.ModuleList(), classes(m));
  },
  Sequential: ({ say, fails }) => {
    let m: Any = new nn.Sequential(new nn.Linear(1, 2), new nn.ReLU(), new nn.Linear(2, 1));
    m.insert(1, new nn.Tanh());
    say(m);
    m.insert(-1, new nn.Sigmoid());
    say(classes(m), [...m._modules.keys()]);
    m.__delitem__(1);
    say(classes(m), [...m._modules.keys()]);
    say(m.pop(-2), m.__len__());
    say(m.__getitem__({ start: 1 }), [...m.__getitem__({ start: 1 })._modules.keys()]);
    say(m.__add__(m).__len__(), m.__mul__(3).__len__(), m.__rmul__(2).__len__());
    m = m.__iadd__(new nn.Sequential(new nn.Tanh()));
    say([...m._modules.keys()]);
    m = m.__imul__(2);
    say([...m._modules.keys()]);
    m.__delitem__({ step: 2 });
    say(classes(m), [...m._modules.keys()]);
    fails(() => m.insert(50, new nn.ReLU()));
    fails(() => m.insert(0, 5));
    fails(() => m.__add__(5));
    fails(() => m.__mul__(0));
    fails(() => m.__mul__(1.5));
    fails(() => m.__getitem__(50));
    m.__setitem__(0, null);
    fails(() => m(torch.ones(1, 1)));
  },
  ModuleDict: ({ say, fails }) => {
    const m: Any = new nn.ModuleDict({ b: new nn.Linear(1, 1), a: new nn.ReLU() });
    m.__setitem__("c", new nn.Tanh());
    m.__setitem__("b", new nn.Sigmoid());
    say(m);
    const has = [m.__contains__("a"), m.__contains__("z")];
    say([...m], [...m.keys()], names(m.items()), classes(m.values()), m.__len__(), ...has);
    say(m.__getitem__("a"), m.pop("a"), [...m], "a" in m);
    m.__delitem__("c");
    say([...m]);
    m.update([
      ["x", new nn.ReLU()],
      ["y", new nn.Tanh()],
    ]);
    m.update(new nn.ModuleDict({ x: new nn.Linear(1, 1) }));
    say([...m], m.__getitem__("x"));
    fails(() => m.__getitem__("nothing"));
    fails(() => m.pop("nothing"));
    fails(() => m.__delitem__("nothing"));
    fails(() => m.update(5));
    fails(() => m.update([5]));
    fails(() => m.update([["a"]]));
    fails(() => m.update({ a: 5 }));
    fails(() => m.__setitem__("keys", new nn.ReLU()));
    fails(() => m.__setitem__(5, new nn.ReLU()));
    fails(() => m(torch.ones(1)));
    m.clear();
    say(m, m.__len__(), names(m.named_modules()));
  },
  ParameterList: ({ say, fails }) => {
    const m: Any = new nn.ParameterList([torch.ones(2, 3), param(0), 5, "text"]);
    const at = (i: unknown) => m.__getitem__(i);
    say(m);
    say(m.__len__(), at(0).constructor.name, at(2), at(-1), names(m.named_parameters()));
    m.append(torch.ones(1)).extend([torch.ones(0)]);
    m.__iadd__([torch.ones(4)]);
    m.__setitem__(2, torch.ones(5));
    say(names(m.named_parameters()), at({ start: 1, stop: 4 }).__len__(), at({ start: 1, stop: 4 }));
    fails(() => at(50));
    fails(() => m.extend(5));
    fails(() => m.extend(torch.ones(2)));
    fails(() => m(1));
    fails(() => m.__setitem__(0, 5));
    say([...m.state_dict().keys()]);
  },
  ParameterDict: ({ say, fails }) => {
    const m: Any = new nn.ParameterDict({ b: torch.ones(2, 3), a: param(0), n: 5 });
    const size = (t: Any) => `torch.Size([${t.shape}])`;
    say(m);
    m.__setitem__("c", torch.ones(1));
    const got = [m.get("zz"), m.get("zz", 3), m.__getitem__("n")];
    say([...m], names(m.named_parameters()), m.__len__(), m.__contains__("a"), ...got);
    say(m.pop("n"), [...m.keys()], names(m.items()), [...m.values()].length);
    say(size(m.setdefault("d", torch.ones(1))), size(m.setdefault("d", 5)), [...m.__reversed__()]);
    const both = m.__or__(new nn.ParameterDict({ q: 1 }));
    // Here the last one is taken out before `both` is made; in Python it was, too: arguments are evaluated in order.
    m.popitem();
    both.__delitem__("d");
    say("d", [...m.copy()], [...m.fromkeys(["x", "y"], 5)], [...both]);
    m.update([["z", torch.ones(1)]]);
    m.__delitem__("a");
    say([...m], [...m.state_dict().keys()]);
    fails(() => m.__getitem__(5));
    fails(() => m.__getitem__("nothing"));
    fails(() => m.__delitem__("nothing"));
    fails(() => m.update(5));
    fails(() => m.update([5]));
    fails(() => m.update([["a"]]));
    fails(() => m(1));
    m.clear();
    say(m, m.__len__());
  },
  calculate_gain: ({ say, fails }) => {
    const gain: Any = nn.init.calculate_gain;
    const rounded = (x: number) => Math.round(x * 1e12) / 1e12;
    for (const name of ["linear", "conv1d", "conv_transpose3d", "sigmoid", "tanh", "relu", "leaky_relu", "selu"])
      say(name, rounded(gain(name)));
    const leaky = (param: unknown) => rounded(gain("leaky_relu", param));
    say(leaky(0.5), leaky(2), leaky(null));
    for (const param of [true, false, [1], "a", torch.ones(1)]) fails(() => gain("leaky_relu", param));
    fails(() => gain("nothing"));
    fails(() => gain(5));
  },
});

describe("class fields", () => {
  test("are adopted before what a constructor assigns, and from then on follow the rules", () => {
    class M extends nn.Module {
      first = param();
      second = new nn.Linear(1, 1);
      declare last: Any;
      constructor() {
        super();
        this.last = param();
        expect(() => Object.assign(this, { first: 5 })).toThrow("cannot assign 'int' as parameter 'first'");
      }
    }
    expect(names(new M().named_parameters())).toEqual(["first", "last", "second.weight", "second.bias"]);
  });
  test("of a subclass that cover a parameter follow the rules at the next use", () => {
    class Base extends nn.Module {
      weight: unknown = param();
    }
    class Wrong extends Base {
      override weight = 5;
    }
    expect(() => new Wrong().parameters().next()).toThrow("cannot assign 'int' as parameter 'weight'");
    class Right extends Base {
      override weight = param(2);
    }
    expect([...new Right().parameters()].map((p) => p.item())).toEqual([2]);
  });
  test("that are declared and not assigned are no attributes", () => {
    class M extends nn.Module {
      weight: Any;
      constructor() {
        super();
        this.register_parameter("weight", param());
      }
    }
    expect(names(new M().named_parameters())).toEqual(["weight"]);
  });
});

test("properties of functions, symbols and prototypes are left alone", () => {
  const m: Any = plain();
  const key = Symbol("key");
  m[key] = param();
  m.length = 3;
  m.name = "n";
  expect([m[key] instanceof nn.Parameter, m.length, m.name, [...m.parameters()]]).toEqual([true, 3, "n", []]);
  expect(Object.getPrototypeOf(nn.Module.prototype)).not.toBe(Object.prototype);
  expect(m instanceof Object).toBe(true);
  (nn.Module.prototype as Any).patched = 5;
  expect(m.patched).toBe(5);
  delete (nn.Module.prototype as Any).patched;
});
