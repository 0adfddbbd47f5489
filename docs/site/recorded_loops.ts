/**
 * @file Finds the arithmetic that really runs below each operator on float32 tensors: it runs the examples of the docstrings forward and
 * backward on a library whose generated loops report that they were entered, and records the calls. Only this tells which kernel of a stub, or
 * which template of a kernel, serves an operator.
 * @original
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Trace } from "../../src/trace/index.ts";
import { Library } from "../../tools/module_loader/library.ts";
import { fileText, root } from "./repository.ts";

/** One example, on float32 where it can be. */
interface Run {
  /** Operators that were called: `sum.IntList_out`. */
  readonly operators: ReadonlySet<string>;
  /** Functions of the generated loops that were entered: `sum_cascade_float32`. */
  readonly entered: ReadonlySet<string>;
}

export class RecordedLoops {
  private readonly runs: readonly Run[];

  constructor() {
    const library = reportingLibrary();
    this.runs = [...examples(), ...more].flatMap((example) => runsOf(example, library));
  }

  /** The first of the candidates (scalar functions and templates that may serve an operator) that ran for float32 in one of its calls; else for any dtype. */
  first<T extends { readonly name: string }>(operators: ReadonlySet<string>, candidates: readonly T[]): T | null {
    const runs = this.runs.filter((run) => [...operators].some((name) => run.operators.has(name)));
    const ran = (dtype: string) => (candidate: T) => {
      const instance = new RegExp(`^${candidate.name}_${dtype}(_${DTYPE})?$`);
      return runs.some((run) => [...run.entered].some((name) => instance.test(name)));
    };
    return candidates.find(ran("float32")) ?? candidates.find(ran(DTYPE)) ?? null;
  }
}

/** The ending that codegen gives to the name of an instance. */
const DTYPE = "(?:u?int\\d+|float\\d+|bfloat16|bool)";

let made: RecordedLoops | null = null;

export function recordedLoops(): RecordedLoops {
  return (made ??= new RecordedLoops());
}

/** A copy of the library whose loops report. */
interface Reporting {
  readonly torch: Any;
  readonly record: (fn: () => unknown) => Trace;
  /** The functions of generated loops that were entered since it was last asked. */
  readonly take: () => Set<string>;
}

/** The first line of a generated loop. */
const LOOP = new RegExp(`^(?:export )?function (\\w+_${DTYPE})\\(.*?\\): \\w+ \\{`, "gm");

function reportingLibrary(): Reporting {
  let entered = new Set<string>();
  Object.assign(globalThis, { __entered: (name: string) => void entered.add(name) });
  const scratch = mkdtempSync(join(tmpdir(), "glasstorch-loops-"));
  try {
    for (const file of readdirSync(join(root, "src/aten"), { recursive: true, encoding: "utf8" })) {
      if (!/[\\/]generated[\\/].*\.ts$/.test(file)) continue;
      const text = readFileSync(join(root, "src/aten", file), "utf8");
      const reporting = text.replace(LOOP, (line, name) => `${line} __entered("${name}");`);
      if (reporting === text) continue;
      const place = join(scratch, "src/aten", file);
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, reporting);
    }
    const library = new Library(pathToFileURL(root));
    library.lay_over([scratch]);
    return {
      torch: library.require("src/index.ts")["default"],
      record: library.require("src/trace/index.ts")["record"] as Reporting["record"],
      take: () => {
        const names = entered;
        entered = new Set();
        return names;
      },
    };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** Every `@example` line of torch's docstrings, without its result. */
export function* examples(): Generator<{ readonly name: string; readonly code: string; readonly gives: string }> {
  const text = fileText("src/torch/_torch_docs.ts") ?? "";
  for (const [, comment = "", name = ""] of text.matchAll(/\/\*\*([\s\S]*?)\*\/\s*(\w+): Documented;/g))
    for (const [, code = "", gives = ""] of comment.matchAll(/@example (.*?);\s*(?:\/\/ (.*))?$/gm))
      yield { name, code, gives };
}

/** Calls that reach the operators of which no docstring has an example. */
const more: readonly { readonly code: string }[] = [
  { code: "F.nll_loss(torch.randn(2, 3, { requires_grad: true }), torch.tensor([0, 1]))" },
  {
    code: "F.nll_loss(torch.randn(1, 3, 2, 2, { requires_grad: true }), torch.zeros(1, 2, 2, { dtype: torch.int64 }))",
  },
  { code: "torch.randn(3, { requires_grad: true }).nonzero()" },
  { code: "torch.range(0, 3)" },
  { code: "torch.unique(torch.randn(3))" },
  { code: "torch.ops.aten._unique(torch.randn(3))[0]" },
  { code: "torch.histogramdd(torch.rand(4, 2), [torch.tensor([0, 0.5, 1]), torch.tensor([0, 0.5, 1])])" },
  { code: "torch._amp_foreach_non_finite_check_and_unscale_([torch.randn(3)], torch.zeros([]), torch.ones([]))" },
  { code: "F.gelu(torch.randn(2, 3, { requires_grad: true }))" },
  {
    code: "torch.ops.aten._native_batch_norm_legit(torch.randn(4, 3, { requires_grad: true }), null, null, torch.zeros(3), torch.ones(3), true, 0.1, 1e-5)[0]",
  },
  {
    code: "torch.ops.aten._batch_norm_with_update(torch.randn(4, 3, { requires_grad: true }), torch.ones(3), torch.zeros(3), torch.zeros(3), torch.ones(3), 0.1, 1e-5)[0]",
  },
  {
    code: "torch.ops.aten._batch_norm_no_update(torch.randn(4, 3, { requires_grad: true }), torch.ones(3), torch.zeros(3), torch.zeros(3), torch.ones(3), 0.1, 1e-5)[0]",
  },
  {
    code: "torch.ops.aten.slow_conv_dilated2d(torch.randn(1, 1, 5, 5, { requires_grad: true }), torch.randn(1, 1, 2, 2), [2, 2], null, [1, 1], [0, 0], [2, 2])",
  },
  {
    code: "torch.ops.aten.slow_conv_dilated3d(torch.randn(1, 1, 5, 5, 5, { requires_grad: true }), torch.randn(1, 1, 2, 2, 2), [2, 2, 2], null, [1, 1, 1], [0, 0, 0], [2, 2, 2])",
  },
  {
    code: "F.scaled_dot_product_attention(torch.randn(1, 1, 4, 8, { requires_grad: true }), torch.randn(1, 1, 4, 8), torch.randn(1, 1, 4, 8))",
  },
  ...["linear", "bilinear", "bicubic", "trilinear"].map((mode) => ({
    code: `F.interpolate(torch.randn(${mode === "linear" ? "1, 1" : mode === "trilinear" ? "1, 1, 2, 2" : "1, 1, 2"}, 4, { requires_grad: true }), { scale_factor: 2, mode: "${mode}" })`,
  })),
  ...["bilinear", "bicubic"].map((mode) => ({
    code: `F.interpolate(torch.randn(1, 1, 4, 4, { requires_grad: true }), { size: [2, 2], mode: "${mode}", antialias: true })`,
  })),
  { code: "torch.ops.aten._upsample_lanczos2d_aa(torch.randn(1, 1, 4, 4, { requires_grad: true }), [2, 2], false)" },
  {
    code: "F.embedding_bag(torch.tensor([0, 1, 1], { dtype: torch.int64 }), torch.randn(2, 3, { requires_grad: true }), torch.tensor([0, 2], { dtype: torch.int64 }))",
  },
  {
    code: "F.embedding_bag(torch.tensor([0, 1, 1], { dtype: torch.int64 }), torch.randn(2, 3, { requires_grad: true }), torch.tensor([0, 2], { dtype: torch.int64 }), { mode: 'max' })",
  },
];

/** Factories whose result a reader would write in float32 as well. */
const MAKERS = ["tensor", "arange", "ones", "zeros", "eye", "full", "rand", "randn", "linspace"] as const;

type Any = ReturnType<typeof JSON.parse>;

/** `torch` as the example sees it: what it makes of whole numbers is float32, and wants a gradient. */
function floating(torch: Any): Any {
  const made: Record<string, unknown> = {};
  for (const name of MAKERS)
    made[name] = (...args: unknown[]) => {
      const value = torch[name](...args);
      const plain = value.dtype === torch.int64 && JSON.stringify(args.at(-1) ?? "").includes("dtype") === false;
      const float = plain ? value.to(torch.float32) : value;
      return float.is_floating_point() ? float.detach().requires_grad_(true) : float;
    };
  return new Proxy(torch, { get: (_, name) => made[String(name)] ?? torch[name] });
}

/** The example on float32, with its way back where it has one; as it stands, where it refuses such tensors. */
function runsOf({ code }: { readonly code: string }, { torch, record, take }: Reporting): Run[] {
  const run = new Function("torch", "F", `return (${code});`);
  for (const library of [floating(torch), torch]) {
    const operators = new Set<string>();
    const note = (trace: Trace): void => {
      for (const { op } of trace.events) if (op?.startsWith("aten::")) operators.add(op.slice("aten::".length));
    };
    try {
      let value: Any;
      note(record(() => void (value = run(library, library.nn.functional))));
      if (value instanceof torch.Tensor && value.requires_grad)
        note(record(() => value.backward(torch.ones_like(value))));
    } catch {
      // An operator of whole numbers, or one that refuses to write into a leaf: the example as it stands is next.
      take();
      continue;
    }
    return [{ operators, entered: take() }];
  }
  return [];
}
