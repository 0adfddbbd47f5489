/**
 * @file The drawing of the whole: its boxes, and of each the number of files that stand behind it here.
 * @original
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Context } from "./context.ts";

interface BoxPlan {
  readonly id: string;
  /** The row in which it stands, or the column beside the rows. */
  readonly row:
    | "front ends"
    | "binding"
    | "autograd"
    | "dispatch"
    | "backends"
    | "c10"
    | "hardware"
    | "graphs"
    | "generator";
  readonly title: string;
  readonly words: string;
  /** The page that explains it. */
  readonly page: string;
  /** PyTorch's folder, or files. */
  readonly theirs: string;
  /** Folder here, and which of its files; null: not built here. */
  readonly ours: { readonly folder: string; readonly files: RegExp } | null;
  readonly lane: string;
}

export interface Box extends Omit<BoxPlan, "ours"> {
  readonly folder: string | null;
  readonly files: number;
}

const ALL = /\.ts$/;

export const plans: readonly BoxPlan[] = [
  {
    id: "python",
    row: "front ends",
    title: "Front end",
    words: "torch, torch.nn, torch.optim: what you call",
    page: "/house/front-end/",
    theirs: "torch/",
    ours: { folder: "src/torch", files: /^(?!csrc-equivalent\/).*\.ts$/ },
    lane: "front-end",
  },
  {
    id: "cpp",
    row: "front ends",
    title: "C++ front end",
    words: "torch::nn, torch::save: the same calls, written in C++",
    page: "/map/#the-c-front-end",
    theirs: "torch/csrc/api/",
    ours: null,
    lane: "front-end",
  },
  {
    id: "binding",
    row: "binding",
    title: "Binding",
    words: "torch._C: reads arguments, chooses the overload",
    page: "/house/binding/",
    theirs: "torch/csrc/",
    ours: {
      folder: "src/torch/csrc-equivalent",
      files: /^(?!autograd\/(?!generated\/python_|python_|utils\/|init)).*\.ts$/,
    },
    lane: "binding",
  },
  {
    id: "autograd",
    row: "autograd",
    title: "Autograd",
    words: "kernels that record; the engine that runs backward",
    page: "/house/autograd/",
    theirs: "torch/csrc/autograd/",
    ours: { folder: "src/torch/csrc-equivalent/autograd", files: /^(?!generated\/python_|python_).*\.ts$/ },
    lane: "autograd",
  },
  {
    id: "dispatcher",
    row: "dispatch",
    title: "Dispatcher",
    words: "a table for each operator: which kernel?",
    page: "/house/dispatcher/",
    theirs: "aten/src/ATen/core/dispatch/",
    ours: { folder: "src/aten/core", files: ALL },
    lane: "dispatcher",
  },
  {
    id: "aten",
    row: "dispatch",
    title: "ATen",
    words: "the operators: checks, shapes, results",
    page: "/house/aten/",
    theirs: "aten/src/ATen/native/",
    ours: { folder: "src/aten/native", files: /^(?!cpu\/|webgpu\/).*\.ts$/ },
    lane: "native",
  },
  {
    id: "cpu",
    row: "backends",
    title: "CPU",
    words: "loops for each dtype; SIMD and threads",
    page: "/house/native/",
    theirs: "aten/src/ATen/native/cpu/",
    ours: { folder: "src/aten/native/cpu", files: ALL },
    lane: "loop",
  },
  {
    id: "webgpu",
    row: "backends",
    title: "WebGPU",
    words: "a second device, where CUDA would stand",
    page: "/house/webgpu/",
    theirs: "aten/src/ATen/native/cuda/ (its place)",
    ours: { folder: "src/aten/native/webgpu", files: ALL },
    lane: "device",
  },
  {
    id: "cuda",
    row: "backends",
    title: "CUDA, MPS, XPU, …",
    words: "kernels for other devices",
    page: "/not-built/#devices-cuda-and-others",
    theirs: "aten/src/ATen/native/cuda/",
    ours: null,
    lane: "device",
  },
  {
    id: "c10",
    row: "c10",
    title: "c10",
    words: "tensors, storages, dispatch keys: what all layers share",
    page: "/house/c10/",
    theirs: "c10/",
    ours: { folder: "src/c10", files: ALL },
    lane: "memory",
  },
  {
    id: "processor",
    row: "hardware",
    title: "CPU cores",
    words: "vector units, caches, threads",
    page: "/walkthroughs/simd/",
    theirs: "aten/src/ATen/cpu/vec/",
    ours: { folder: "src/aten/cpu/vec", files: ALL },
    lane: "loop",
  },
  {
    id: "gpu",
    row: "hardware",
    title: "GPU",
    words: "grids of workgroups, queues",
    page: "/walkthroughs/webgpu/",
    theirs: "c10/cuda/ (its place)",
    ours: { folder: "src/aten/webgpu", files: ALL },
    lane: "device",
  },
  {
    id: "jit",
    row: "graphs",
    title: "JIT (TorchScript)",
    words: "source text or a trace → IR → passes → interpreter",
    page: "/map/#the-jit-column",
    theirs: "torch/csrc/jit/",
    ours: null,
    lane: "initialization",
  },
  {
    id: "compile",
    row: "graphs",
    title: "torch.compile, torch.export",
    words: "bytecode → FX graph → Inductor's kernels",
    page: "/eager/",
    theirs: "torch/_dynamo/, torch/_inductor/",
    ours: null,
    lane: "initialization",
  },
  {
    id: "codegen",
    row: "generator",
    title: "Codegen",
    words: "writes most of the code between your call and its kernel, from two YAML files",
    page: "/house/codegen/",
    theirs: "torchgen/, tools/autograd/",
    ours: { folder: "tools/codegen", files: ALL },
    lane: "initialization",
  },
];

export async function wholeMap(context: Context): Promise<string> {
  const boxes = plans.map(
    ({ ours, ...plan }): Box => ({ ...plan, folder: ours?.folder ?? null, files: countOf(context.root, ours) }),
  );
  context.write(join(context.generated, "whole.json"), JSON.stringify(boxes));
  return `${boxes.length} boxes`;
}

function countOf(root: string, ours: BoxPlan["ours"]): number {
  if (ours === null) return 0;
  const files = readdirSync(join(root, ours.folder), { recursive: true, encoding: "utf8" }).map((path) =>
    path.replaceAll("\\", "/"),
  );
  const count = files.filter((path) => ours.files.test(path)).length;
  if (count === 0) throw new Error(`the drawing of the whole: no file of ${ours.folder} fits ${ours.files}`);
  return count;
}
