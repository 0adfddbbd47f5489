/**
 * Backward on a backend outside of the library, against PyTorch with the same backend: the queues of its devices, the stream in which
 * each node runs, and who waits for whom.
 */

import { journal } from "./journal.ts";
import { type Any, compare, inside, leaf, S, type Tensor, torch, x } from "./recorded.ts";

const ask_from_here = (): void => void (journal.length = 0);

function backward(call: () => Tensor, ...leaves: Tensor[]): unknown[] {
  call().backward();
  return leaves.map((each) => each.grad);
}

const F = torch.autograd.Function;

function chain_of_streams(): unknown {
  const p = leaf();
  const y = p.mul(2);
  const z = inside(S(), () => y.exp());
  const out = inside(S(), () => z.sum());
  ask_from_here();
  out.backward();
  return p.grad;
}

/** A leaf used on two streams, and a third in which backward is called. */
function shared_leaf(): unknown {
  const p = leaf();
  const [one, two] = [S(), S()];
  const one_out = inside(one, () => p.mul(2).sum());
  const two_out = inside(two, () => p.mul(3).sum());
  two.wait_stream(one);
  const total = inside(two, () => one_out.add(two_out));
  ask_from_here();
  total.backward();
  return p.grad;
}

function across_devices(): unknown {
  const p = leaf(0);
  const out = p.mul(2).to("openreg:1").mul(3).sum();
  ask_from_here();
  out.backward();
  return p.grad;
}

function from_the_cpu(): unknown {
  const p = x.clone().requires_grad_();
  const out = p.to("openreg:1").mul(2).sum();
  ask_from_here();
  out.backward();
  return p.grad;
}

function to_the_cpu(): unknown {
  const p = leaf(1);
  const out = p.mul(2).cpu().sum();
  ask_from_here();
  out.backward();
  return p.grad;
}

class Inner extends F {
  static override forward(_ctx: Any, a: Tensor): Tensor {
    return a.mul(2);
  }

  static override backward(_ctx: Any, grad: Tensor): Tensor {
    const q = torch.ones(2, 3, { device: "openreg:0", requires_grad: true });
    torch.enable_grad(() => q.exp().sum().backward());
    return grad.mul(q.grad as Tensor);
  }
}

function reentrant(): unknown {
  const p = leaf();
  (Inner as Any).apply(p).sum().backward();
  return p.grad;
}

/** Which device and which stream are current while a node runs. */
function stream_of_kernel(): unknown {
  const seen: string[] = [];
  class Look extends F {
    static override forward(_ctx: Any, a: Tensor): Tensor {
      return a.clone();
    }

    static override backward(_ctx: Any, grad: Tensor): Tensor {
      const index = torch.accelerator.current_device_index();
      seen.push(`${index}:${torch.accelerator.current_stream().stream_id - base}`);
      return grad;
    }
  }
  const s = S(1);
  const base = s.stream_id;
  const p = leaf(1);
  const out = inside(s, () => (Look as Any).apply(p).sum());
  out.backward();
  return seen;
}

compare(
  "autograd",
  {
    add: () => {
      const p = leaf();
      p.add(p).sum().backward();
      return [p.grad];
    },
    chain: () => {
      const p = leaf();
      return backward(() => p.mul(p).exp().sum(), p);
    },
    "several uses": () => {
      const p = leaf(1);
      return backward(() => p.mul(2).sum().add(p.exp().sum()).add(p.mean()), p);
    },
    grad: () => {
      const p = leaf();
      return [...torch.autograd.grad(p.mul(3).sum(), p)];
    },
    "a chain of streams": chain_of_streams,
    "a leaf of two streams": shared_leaf,
    "across devices": across_devices,
    "from the CPU": from_the_cpu,
    "to the CPU": to_the_cpu,
    reentrant,
    "what is current in a node": stream_of_kernel,
    "multithreading off": () => inside(torch.autograd.set_multithreading_enabled(false), chain_of_streams),
    "double backward": () => {
      const p = leaf();
      const [grad] = torch.autograd.grad(p.pow(3).sum(), p, { create_graph: true });
      return [...torch.autograd.grad((grad as Tensor).sum(), p)];
    },
  },
  { results_only: true },
);
