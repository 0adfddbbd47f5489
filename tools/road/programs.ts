/**
 * @file The programs whose roads are recorded, and their recording in this library.
 * @original
 */
import { type Program, type Recording, record } from "./record.ts";

export interface RoadProgram extends Program {
  readonly id: string;
  readonly title: string;
}

export const ROAD_PROGRAMS: readonly RoadProgram[] = [
  {
    id: "prelu",
    title: "One PReLU step, forward and backward",
    once:
      "const net = new torch.nn.PReLU(); const x = torch.randn([3, 4], { requires_grad: true }); " +
      "const grad = torch.ones([3, 4])",
    ready: "x.grad = null; net.weight.grad = null",
    step: "net(x).backward(grad)",
  },
  {
    id: "save",
    title: "One torch.save",
    once: "const x = torch.randn([3, 4])",
    ready: "",
    step: "torch.save({ x })",
  },
  {
    id: "load",
    title: "One torch.load",
    once: "const file = torch.save({ x: torch.randn([3, 4]) })",
    ready: "",
    step: "torch.load(file)",
  },
  {
    id: "sgd",
    title: "One SGD step",
    once: "const w = torch.ones([3, 4], { requires_grad: true }); const opt = new torch.optim.SGD([w], { lr: 0.1 })",
    ready: "w.grad = torch.ones([3, 4])",
    step: "opt.step(); opt.zero_grad()",
  },
];

/** @param root folder of the repository, with a slash at its end. */
export function recorded_road(root: string): Promise<Recording> {
  return record(root, "src/", 'import torch from "./src/index.ts";', ROAD_PROGRAMS);
}
