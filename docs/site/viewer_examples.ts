/**
 * @file Example recordings for the viewer: a call in PyTorch, written by torch.profiler, and the same program recorded here.
 * @original
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import torch from "../../src/index.ts";
import { record, type Trace } from "../../src/trace/index.ts";
import type { Context } from "./context.ts";

export async function viewerExamples(context: Context): Promise<string> {
  const ours = preluAndBack();
  const theirs = readFileSync(join(context.root, "tools/trace-viewer/test/fixtures/prelu_profiler_trace.json"));
  context.write(join(context.out, "traces/viewer/ours.json"), JSON.stringify(ours.toJSON()));
  context.write(join(context.out, "traces/viewer/pytorch.json"), theirs);
  return `${ours.events.length} steps of ours beside PyTorch's`;
}

/** A call of PReLU and its backward, as in PyTorch's recording. */
function preluAndBack(): Trace {
  const net = new torch.nn.PReLU();
  const x = torch.randn([3, 4], { requires_grad: true });
  const grad = torch.ones([3, 4]);
  const step = (): void => {
    x.grad = null;
    net.weight.grad = null;
    net(x).backward(grad);
  };
  // The first call also resolves the operators it meets; that is not part of its path.
  for (let i = 0; i < 5; i++) record(step);
  return record(step);
}
