/**
 * @file The program of reentrance.test.ts, for a process of its own: a thread of the tests has another stack than Node's first one.
 * Prints what comes of backward calls inside backward calls, and what is left behind.
 */
import torch from "glasstorch";
import type { Any } from "../../../helpers/recorded.ts";

let left = 0;
class Deep extends torch.autograd.Function {
  static override forward(_: Any, x: Any): Any {
    return x.clone();
  }
  static override backward(_: Any, g: Any): Any {
    if (left-- > 0) torch.enable_grad(inner).backward();
    return g;
  }
}

function inner(): Any {
  const x = torch.ones([2], { requires_grad: true });
  return (Deep.apply(x) as Any).sum();
}

function run(depth: number): unknown {
  left = depth;
  try {
    inner().backward();
    return "ok";
  } catch (error) {
    const { name, message } = error as Error;
    return [name, message.replace(/\d+(?= of them)/, "N"), Number(/(\d+) of them/.exec(message)?.[1])];
  }
}

/** State that a failed run must not leave behind. */
function state(): unknown {
  const x: Any = torch.tensor([1.5, 2.5], { requires_grad: true });
  x.mul(x).sum().backward();
  const { _C } = torch;
  return [torch.is_grad_enabled(), _C._current_graph_task_id(), _C._current_autograd_node(), x.grad.tolist()];
}

const deepest = run(380);
const too_deep = run(100_000);
console.log(JSON.stringify({ deepest, too_deep, state: state(), again: run(100) }));
