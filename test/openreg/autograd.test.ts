/**
 * Backward on a backend outside of the library, against PyTorch with the same backend: the queues of its devices, the stream in which
 * each node runs, and who waits for whom.
 */

import { record } from "glasstorch/trace";
import { expect, test } from "vitest";
import { Engine } from "#torch/csrc-equivalent/autograd/engine/index";
import { journal } from "./journal.ts";
import { type Any, compare, error_of, inside, leaf, run, S, type Tensor, torch, x } from "./recorded.ts";

const ask_from_here = (): void => void (journal.length = 0);

/** A new stream, behind what the current one has to do. */
function waiting(index = 0): Any {
  const s = S(index);
  s.wait_stream(torch.accelerator.current_stream(index));
  return s;
}

function backward(call: () => Tensor, ...leaves: Tensor[]): unknown[] {
  call().backward();
  return leaves.map((each) => each.grad);
}

const F = torch.autograd.Function;

function chain_of_streams(): unknown {
  const p = leaf();
  const y = p.mul(2);
  const [one, two] = [waiting(), S()];
  const z = inside(one, () => y.exp());
  two.wait_stream(one);
  const out = inside(two, () => z.sum());
  ask_from_here();
  out.backward();
  return p.grad;
}

/** A leaf used on two streams, and a third in which backward is called. */
function shared_leaf(): unknown {
  const p = leaf();
  const [one, two] = [waiting(), waiting()];
  const one_out = inside(one, () => p.mul(2).sum());
  const two_out = inside(two, () => p.mul(3).sum());
  two.wait_stream(one);
  const total = inside(two, () => one_out.add(two_out));
  ask_from_here();
  total.backward();
  return p.grad;
}

/** The accumulator is of stream two, whose product comes first; then that of stream one. */
function first_producer_is_the_consumer(): unknown {
  const p = leaf();
  const [one, two] = [waiting(), waiting()];
  const held = inside(two, () => p.expand_as(p));
  const one_out = inside(one, () => p.mul(2).sum());
  const two_out = inside(two, () => p.mul(3).sum());
  two.wait_stream(one);
  const total = inside(two, () => one_out.add(two_out));
  ask_from_here();
  total.backward();
  return [p.grad, held.shape];
}

/** An accumulator of the default stream, and three others. */
function three_producers(): unknown {
  const p = leaf();
  const held = p.expand_as(p);
  const streams = [waiting(), waiting(), waiting()];
  const outs = streams.map((s) => inside(s, () => p.mul(2).sum()));
  for (const s of streams) torch.accelerator.current_stream().wait_stream(s);
  const total = outs[0].add(outs[1]).add(outs[2]);
  ask_from_here();
  total.backward();
  return [p.grad, held.shape];
}

class OnTwoDevices extends F {
  static override forward(_ctx: Any, a: Tensor): Tensor[] {
    return [a.mul(2), a.to("openreg:1")];
  }

  static override backward(_ctx: Any, first: Tensor, second: Tensor): Tensor {
    return first.mul(2).add(second.to("openreg:0"));
  }
}

function node_of_two_devices(): unknown {
  const p = leaf();
  const [first, second] = (OnTwoDevices as Any).apply(p);
  const total = first.sum().add(second.mul(3).sum().to("openreg:0"));
  ask_from_here();
  total.backward();
  return p.grad;
}

/** The second output's gradient comes from two streams of the other device, neither of which is the node's. */
function node_of_two_devices_and_streams(): unknown {
  const p = leaf();
  const [first, second] = (OnTwoDevices as Any).apply(p);
  const [one, two] = [waiting(1), waiting(1)];
  const one_out = inside(one, () => second.mul(3).sum());
  const two_out = inside(two, () => second.mul(4).sum());
  one.wait_stream(two);
  const both = inside(one, () => one_out.add(two_out));
  torch.accelerator.current_stream(1).wait_stream(one);
  const total = first.sum().add(both.to("openreg:0"));
  ask_from_here();
  total.backward();
  return p.grad;
}

/** Gradients for its output on device 1 come from nodes of device 0. */
function node_fed_by_the_other_device(): unknown {
  const p = leaf();
  const [, second] = (OnTwoDevices as Any).apply(p);
  const total = second.to("openreg:0").sum().add(second.to("openreg:0").mul(3).sum());
  ask_from_here();
  total.backward();
  return p.grad;
}

function grad_of_another_stream(): unknown {
  const p = leaf();
  const s = waiting();
  const y = inside(s, () => p.mul(2));
  torch.accelerator.current_stream().wait_stream(s);
  const out = y.exp().sum();
  ask_from_here();
  return [...torch.autograd.grad(out, [y, p])];
}

/** In which stream what runs at the end runs. */
function callback_stream(): unknown {
  const seen: number[] = [];
  class Last extends F {
    static override forward(_ctx: Any, a: Tensor): Tensor {
      return a.clone();
    }

    static override backward(_ctx: Any, grad: Tensor): Tensor {
      Engine.get_default_engine().queue_callback(() => seen.push(torch.accelerator.current_stream().stream_id));
      return grad;
    }
  }
  const p = leaf();
  const out = inside(waiting(), () => (Last as Any).apply(p).sum());
  ask_from_here();
  out.backward();
  return seen;
}

/** Whoever calls backward in a stream finds the gradients ready there. */
function backward_inside_a_stream(): unknown {
  const p = leaf();
  const out = p.mul(2).sum();
  const s = waiting();
  ask_from_here();
  inside(s, () => out.backward());
  return [p.grad !== null];
}

function stream_left_by_an_error(): unknown {
  class Bad extends F {
    static override forward(_ctx: Any, a: Tensor): Tensor {
      return a.clone();
    }

    static override backward(): Tensor {
      throw new Error("bad");
    }
  }
  const p = leaf(1);
  const out = inside(waiting(1), () => (Bad as Any).apply(p).sum());
  const said = error_of(() => out.backward());
  return [said, torch.accelerator.current_device_index(), torch.accelerator.current_stream(1).stream_id];
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
  const p = leaf(1);
  const s = waiting(1);
  const base = s.stream_id;
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
    "first producer is the consumer": first_producer_is_the_consumer,
    "three producers": three_producers,
    "node of two devices": node_of_two_devices,
    "node of two devices and streams": node_of_two_devices_and_streams,
    "node fed by the other device": node_fed_by_the_other_device,
    "grad of another stream": grad_of_another_stream,
    "callback's stream": callback_stream,
    "backward inside a stream": backward_inside_a_stream,
    "a stream left by an error": stream_left_by_an_error,
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
  {
    of: /^(?:exchangeStream|record|block)/,
    differs: {
      "node of two devices": { why: "there two threads work at once", of: /^(?:record|block)/ },
      "backward inside a stream": {
        why: "there another thread has current streams of its own",
        of: /^(?:record|block)/,
      },
    },
  },
);

test("a trace says in which stream a node ran, and how many events that waited for: none where there is one stream", () => {
  const engine_events = (call: () => void): unknown[] =>
    record(call)
      .events.filter((event) => event.kind === "engine" && event["runs_on"] !== undefined)
      .map((event) => [event["runs_on"], event["waited_events"]]);
  const p = leaf(1);
  const out = p.mul(2).sum();
  const default_stream = "stream 0 on device openreg:1";
  expect(engine_events(() => out.backward())).toEqual(Array(3).fill([default_stream, 0]));
  const s = waiting(1);
  const q = leaf(1);
  const other = inside(s, () => q.exp().sum());
  const theirs = `stream ${s.stream_id} on device openreg:1`;
  expect(engine_events(() => other.backward())).toEqual([[theirs, 1], [theirs, 0], [theirs, 0]]); // biome-ignore format: rows
});

test("a backward of the CPU's tensors asks the device nothing", () => {
  const p = x.clone().requires_grad_();
  ask_from_here();
  p.mul(2).sum().backward();
  expect(journal).toEqual([]);
});

test("the mismatch may be kept quiet", () => {
  const { set_warn_on_accumulate_grad_stream_mismatch } = torch.autograd.graph;
  set_warn_on_accumulate_grad_stream_mismatch(false);
  torch.set_warn_always(true);
  try {
    expect(run(shared_leaf).warnings).toBeUndefined();
    set_warn_on_accumulate_grad_stream_mismatch(true);
    expect(run(shared_leaf).warnings).toHaveLength(1);
  } finally {
    torch.set_warn_always(false);
  }
});
