/** Hooks of modules, of one and of all, beside PyTorch's: tools/oracle/user_programs/module_hooks.py. */
import torch from "glasstorch";
import { RuntimeError, ValueError } from "#c10/util/Exception";
import type { Any } from "../../helpers/recorded.ts";
import { user_programs } from "../../helpers/user_programs.ts";

const { nn } = torch;
const of = nn.modules.module;
const f = torch.Float;
const leaf = (...values: number[]): Any =>
  torch.tensor(
    values.map((value) => f(value)),
    { requires_grad: true },
  );
const nothing = (): void => undefined;

class Two extends nn.Module {
  override forward(x: Any): Any {
    return [x.mul(2), x.add(1)];
  }
}
class Nested extends nn.Module {
  override forward(x: Any): Any {
    return { out: [x], y: x.mul(2) };
  }
}
class Shared extends nn.Module {
  override forward(x: Any): Any {
    return torch.split(x, 1);
  }
}
class Constant extends nn.Module {
  override forward(x: Any, n: number): Any {
    return x.mul(n);
  }
}
class Chain extends nn.Module {
  override forward(x: Any): Any {
    return x.mul(2).relu();
  }
}
class First extends nn.Module {
  override forward(x: Any): Any {
    return x;
  }
}

user_programs("module_hooks", {
  "the old backward hook sees the last node of forward": ({ say }) => {
    const m = new nn.Linear(2, 1);
    nn.init.constant_(m.weight, f(2));
    nn.init.constant_(m.bias as Any, f(1));
    const handle = m.register_backward_hook((module: Any, grad_input: Any, grad_output: Any) =>
      say("hook", module, grad_input, grad_output),
    );
    const x = torch.tensor([[f(3), f(4)]], { requires_grad: true });
    m(x).sum().backward();
    say(x.grad, m.weight.grad);
    handle.remove();
    m(x).sum().backward();
    say(x.grad);
  },
  "the old backward hook may change what goes on": ({ say }) => {
    const m = new nn.ReLU();
    m.register_backward_hook((_module: Any, grad_input: Any) => [grad_input[0].mul(10)]);
    const x = leaf(1.5, -2, 3);
    m(x.mul(2)).sum().backward();
    say(x.grad);
    torch.no_grad(() => say(m(x)));
  },
  "what the old backward hook will miss": ({ say, fails }) => {
    for (const kind of [Two, Nested, Shared, Chain, First]) {
      const m = new kind();
      m.register_backward_hook((module: Any, grad_input: Any, grad_output: Any) =>
        say(module._get_name(), grad_input, grad_output),
      );
      const out = m(leaf(1.5, 2.5).mul(1));
      (out.y ?? (Array.isArray(out) ? out[0] : out)).sum().backward();
    }
    const m = new Constant();
    m.register_backward_hook((_module: Any, grad_input: Any, grad_output: Any) =>
      say("Constant", grad_input, grad_output),
    );
    m(leaf(1.5), 3).sum().backward();
    class Number_ extends nn.Module {
      override forward(): number {
        return 5;
      }
    }
    const number = new Number_();
    number.register_backward_hook(nothing);
    fails(() => number(leaf(1)));
  },
  "backward hooks of two kinds do not stand side by side": ({ say, fails }) => {
    let m = new nn.ReLU();
    m.register_backward_hook(nothing);
    fails(() => m.register_full_backward_hook(nothing));
    m = new nn.ReLU();
    m.register_full_backward_hook(nothing);
    fails(() => m.register_backward_hook(nothing));
    fails(() => (m as Any).register_backward_hook());
    m = new nn.ReLU();
    m.register_full_backward_pre_hook((_module: Any, grad_output: Any) => say("before", grad_output));
    m.register_backward_hook((_module: Any, _grad_input: Any, grad_output: Any) => say("behind", grad_output));
    m(leaf(2)).backward();
  },
  "a full backward hook on a module that gives no tensor": ({ say }) => {
    class Named extends nn.Module {
      override forward(x: Any): Any {
        return { y: x.mul(2) };
      }
    }
    const m = new Named();
    m.register_full_backward_hook(() => say("never"));
    m(leaf(2)).y.backward();
  },
  "backward hooks of all modules": ({ say, fails }) => {
    const handle = of.register_module_backward_hook((module: Any, _grad_input: Any, grad_output: Any) =>
      say("all", module._get_name(), grad_output),
    );
    const net = new nn.Sequential(new nn.ReLU(), new nn.Tanh());
    (net as Any)[1].register_full_backward_hook((_module: Any, _grad_input: Any, grad_output: Any) =>
      say("own", grad_output),
    );
    net(leaf(0, 1).mul(1)).sum().backward();
    handle.remove();
    fails(() => of.register_module_full_backward_hook(nothing));
    net(leaf(0, 1).mul(1)).sum().backward();
  },
  "a forward hook called at any rate fails in silence": ({ say, fails }) => {
    class Fails extends nn.Module {
      override forward(_x: number): number {
        throw new ValueError("forward");
      }
    }
    const hook = (): never => {
      throw new RuntimeError("hook");
    };
    const m = new Fails();
    m.register_forward_hook(hook, { always_call: true });
    m.register_forward_hook((_module: Any, args: Any, out: Any) => say("second", args, out), { always_call: true });
    m.register_forward_hook(() => say("third"));
    const handle = of.register_module_forward_hook(hook, { always_call: true });
    fails(() => m(1));
    handle.remove();
    fails(() => m(1));
  },
  "what a private state_dict hook returns is given back, by the module asked only": ({ say }) => {
    const inner = new nn.Linear(1, 1);
    let net = new nn.Sequential(inner, new nn.ReLU());
    const keep = (module: Any, state_dict: Any, prefix: string, local_metadata: Any): Any => {
      say(module._get_name(), [...state_dict.keys()], `'${prefix}'`, local_metadata);
      return { [`${prefix}only`]: 1 };
    };
    net._register_state_dict_hook(keep);
    say(net.state_dict());
    const handle = inner._register_state_dict_hook(keep);
    say(Object.keys(inner.state_dict()), net.state_dict());
    handle.remove();
    net = new nn.Sequential(inner);
    inner._register_state_dict_hook(keep);
    say([...net.state_dict().keys()]);
  },
  "a public state_dict hook must return nothing, and stays public": ({ fails }) => {
    const m = new nn.ReLU();
    const hook = (_module: Any, state_dict: Any): Any => state_dict;
    m.register_state_dict_post_hook(hook);
    fails(() => m.state_dict());
    fails(() => m._register_state_dict_hook(hook));
    fails(() => (m as Any)._register_state_dict_hook());
  },
  "hooks on what every module registers": ({ say }) => {
    const handles = [
      of.register_module_module_registration_hook((module: Any, name: string, sub: Any) =>
        say("module", module._get_name(), name, sub),
      ),
      of.register_module_parameter_registration_hook((_module: Any, name: string, param: Any) =>
        say("parameter", name, param === null ? null : [...param.shape]),
      ),
      of.register_module_buffer_registration_hook((_module: Any, name: string, buffer: Any) =>
        say("buffer", name, buffer),
      ),
    ];
    new nn.Sequential(new nn.Linear(2, 1, { bias: false }));
    const m: Any = new (class Module extends nn.Module {})();
    m.child = new nn.ReLU();
    m.child = null;
    m.weight = new nn.Parameter(torch.ones(1));
    m.weight = null;
    m.register_buffer("running", torch.zeros(1));
    m.running = torch.ones(1);
    m.add_module("other", new nn.Tanh());
    for (const handle of handles) handle.remove();
    let handle = of.register_module_module_registration_hook(() => new nn.Sigmoid());
    m.child = new nn.ReLU();
    handle.remove();
    handle = of.register_module_parameter_registration_hook(
      (_module: Any, _name: string, param: Any) => new nn.Parameter(param.mul(2)),
    );
    m.weight = new nn.Parameter(torch.ones(1));
    handle.remove();
    say(m, m.weight);
  },
  "where the base of modules and its hooks stand": ({ say }) => {
    say(of.Module === nn.Module, nn.modules.Linear === nn.Linear);
    say("register_module_forward_hook" in nn, "register_module_forward_hook" in nn.modules);
    say(Object.keys(of).sort());
  },
});
