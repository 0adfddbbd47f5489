/** Saving and loading a module's state, beside PyTorch's: tools/oracle/user_programs/state_dict.py. */
import torch from "glasstorch";
import type { Any } from "../../helpers/recorded.ts";
import { user_programs } from "../../helpers/user_programs.ts";

const { nn } = torch;
const keys = (map: Any): unknown[] => [...map.keys()];
const plain = (): Any => new (class Module extends nn.Module {})();
const one = (): Any => new nn.Parameter(torch.ones(1));
const without_bias = { bias: false };

user_programs("state_dict", {
  "positional arguments are deprecated, and each only stands in for what is not given by name": ({ say }) => {
    const m: Any = new nn.Sequential();
    m.add_module("first", new nn.Linear(1, 1, without_bias));
    const where = new Map<string, unknown>([["a", 1]]);
    say(keys(m.state_dict(where)), where.size);
    say(keys(m.state_dict(new Map(), "p.")));
    say(
      keys(m.state_dict(new Map(), "p.", { prefix: "q." })),
      keys(m.state_dict(new Map([["b", 2]]), { prefix: "q." })),
    );
    say(
      m.state_dict().get("first.weight").requires_grad,
      m.state_dict(new Map(), "", true).get("first.weight").requires_grad,
    );
    say(m.state_dict(new Map(), "p.", false, { keep_vars: true }).get("p.first.weight").requires_grad);
    say(keys(m.state_dict(new Map(), { destination: where })), where.size);
    say(m.state_dict({ keep_vars: true }).get("first.weight") === m.first.weight);
  },
  "a destination of another kind, a prefix of another kind": ({ say, fails }) => {
    const m: Any = new nn.Linear(1, 1, without_bias);
    fails(() => m.state_dict({ destination: 5 }));
    fails(() => m.state_dict({ destination: "a" }));
    fails(() => m.state_dict({ prefix: 5 }));
    fails(() => m.state_dict({ destination: new Map(), prefix: 5 }));
    say(keys(m.state_dict({ destination: new Map(), prefix: "x." })));
  },
  "the version of each module stands under its whole name": ({ say }) => {
    class Versioned extends nn.Module {
      static _version = 7;
      here = one();
      override _load_from_state_dict(...args: Any): void {
        say(args[1], args[2]);
        (super._load_from_state_dict as Any)(...args);
      }
    }
    const m = plain();
    m.outer = plain();
    m.outer.inner = new Versioned();
    const state = m.state_dict();
    say(keys(state), keys(state._metadata), [...state._metadata.values()]);
    say(m.load_state_dict(state));
    say(m.load_state_dict(Object.fromEntries(state)));
    say(m.load_state_dict(state, { assign: true }));
  },
  "places with nothing in them are neither saved nor missed": ({ say, fails }) => {
    const m = plain();
    m.register_parameter("weight", null);
    m.register_buffer("running", null);
    m.register_buffer("passing", torch.ones(1), { persistent: false });
    m.register_module("child", null);
    m.here = one();
    const state = m.state_dict();
    say(keys(state), keys(state._metadata));
    say(m.load_state_dict(state));
    const and = (more: object) => ({ ...Object.fromEntries(state), ...more });
    say(m.load_state_dict(and({ weight: torch.ones(1), passing: torch.ones(1) }), { strict: false }));
    fails(() => m.load_state_dict(and({ "child.weight": torch.ones(1), running: torch.ones(1) })));
    say(m.load_state_dict({ passing: torch.ones(1) }, { strict: false }));
    say(m.load_state_dict({}, { strict: false }));
  },
  "_load_from_state_dict tells of missing and unexpected only where that is asked for": ({ say }) => {
    class Counting extends nn.Linear {
      override get_extra_state(): unknown {
        return 1;
      }
      override set_extra_state(state: Any): void {
        say("set", state);
      }
    }
    const m = new Counting(1, 1);
    for (const strict of [true, false]) {
      const load = (module: Any, state: object): void => {
        const found: string[][] = [[], [], []];
        module._load_from_state_dict(new Map(Object.entries(state)), "p.", {}, strict, ...found);
        say(...found);
      };
      load(m, { "p.weight": torch.ones(1, 1), "p.other": 1, "q.bias": 2, "p.bias.more": 3 });
      load(new nn.Linear(1, 1), { "p._extra_state": 5, "p.weight": torch.ones(1), "p.bias": [1] });
    }
    m._load_from_state_dict(new Map([["p._extra_state", 5]]), "p.", {}, false, [], [], []);
  },
  "a number for a number, and what has one element in more dimensions": ({ say, fails }) => {
    const m = plain();
    m.p = new nn.Parameter(torch.tensor(1.5));
    say(m.load_state_dict({ p: torch.tensor(2.5) }), m.p.item());
    fails(() => m.load_state_dict({ p: torch.tensor([[2.5]]) }));
    m.p = one();
    fails(() => m.load_state_dict({ p: torch.tensor(2.5) }));
  },
  "hooks that return nothing": ({ say }) => {
    const m = new nn.Linear(1, 1);
    m.register_state_dict_post_hook(() => null);
    m.register_load_state_dict_post_hook(() => null);
    say(keys(m.state_dict()), m.load_state_dict(m.state_dict()));
  },
  "assign keeps what a tensor of the checkpoint is, and leaves meta behind": ({ say }) => {
    const m: Any = new nn.Linear(1, 2, { device: "meta" });
    m.bias.requires_grad_(false);
    const frozen = new nn.Parameter(torch.ones(2, 1), { requires_grad: false });
    say(m.load_state_dict({ weight: frozen, bias: torch.ones(2) }, { assign: true }));
    say(
      m.weight === frozen,
      m.weight.requires_grad,
      m.weight.device.type,
      m.bias.constructor.name,
      m.bias.requires_grad,
    );
    const n = plain();
    n.register_buffer("mean", torch.ones(1));
    const mean = torch.full([1], 3.5);
    say(n.load_state_dict({ mean }, { assign: true }), n.mean === mean, n.mean.constructor.name);
    const meta: Any = new nn.Linear(1, 2, { device: "meta" });
    say(meta.load_state_dict(new nn.Linear(1, 2, { device: "meta" }).state_dict()));
  },
});
