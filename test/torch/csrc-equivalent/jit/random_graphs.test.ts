/** Passes on graphs of random programs: after each pass, and after a few in a row, the graph is sound and gives what it gave. */
import "glasstorch/jit";
import torch, { type Tensor } from "glasstorch";
import { expect, test } from "vitest";
import { IValue } from "#aten/core/ivalue";
import { TensorType } from "#aten/core/jit_type";
import { List } from "#aten/core/List";
import type { Stack } from "#aten/core/stack";
import { THPVariable_Wrap } from "../../../../src/torch/_C.ts";
import { CompilationUnit } from "../../../../src/torch/csrc-equivalent/jit/api/compilation_unit.ts";
import { nativeResolver } from "../../../../src/torch/csrc-equivalent/jit/frontend/resolver.ts";
import type { Graph } from "../../../../src/torch/csrc-equivalent/jit/ir/ir.ts";
import { jit_passes } from "../../../../src/torch/csrc-equivalent/jit/python/passes.ts";
import { code_of, InterpreterState } from "../../../../src/torch/csrc-equivalent/jit/runtime/interpreter.ts";

/** How many programs; a longer run sets the variable. */
const PROGRAMS = Number(process.env["GLASSTORCH_RANDOM_GRAPHS"] ?? 12);
const FIRST = Number(process.env["GLASSTORCH_RANDOM_GRAPHS_FIRST"] ?? 0);

type Random = (below: number) => number;

/** Numbers that are the same in every run. */
function random(seed: number): Random {
  let state = (seed * 2654435761 + 1) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Variables by type. All tensors are 2 x 2, so that each operation fits each. */
interface Names {
  readonly tensors: readonly string[];
  readonly ints: readonly string[];
  readonly lists: readonly string[];
}

class Program {
  readonly lines: string[] = [];
  private readonly next: Random;
  private made = 0;

  constructor(seed: number) {
    this.next = random(seed);
    const names = this.block({ tensors: ["x", "y"], ints: ["n"], lists: ["l"] }, 6 + this.next(8), 1);
    const { tensors, ints, lists } = names;
    this.lines.push(
      `    return ${this.of(tensors)}, ${this.of(tensors)}, ${this.of(ints)}, ${this.of(lists)}, ${tensors.at(-1)}`,
    );
  }

  text(): string {
    return `def f(x : Tensor, y : Tensor, n : int, l : List[Tensor]):\n${this.lines.join("\n")}\n`;
  }

  private of(names: readonly string[]): string {
    return names[this.next(names.length)];
  }
  private fresh(kind: string): string {
    return `${kind}${this.made++}`;
  }

  private block(outer: Names, count: number, depth: number): Names {
    let names = outer;
    for (let i = 0; i < count; i++) names = this.statement(names, depth);
    return names;
  }

  private say(depth: number, line: string): void {
    this.lines.push("    ".repeat(depth) + line);
  }

  /** A block that leaves the names outside as they are. It may store to them. */
  private inner(names: Names, depth: number): void {
    this.block(names, 1 + this.next(3), depth);
    this.say(depth, `${this.of(names.tensors)} = ${this.tensor(names)}`);
  }

  private tensor({ tensors, ints, lists }: Names): string {
    const [a, b] = [this.of(tensors), this.of(tensors)];
    const values = [
      `${a} + ${b}`,
      `${a} * ${b}`,
      `${a} - ${b} * 0.5`,
      `torch.relu(${a})`,
      `torch.tanh(${a})`,
      `torch.mm(${a}, ${b})`,
      `torch.addmm(${a}, ${b}, ${a})`,
      `${a}.t()`,
      `${a}.view(2, 2)`,
      `${a}.clone()`,
      `${a} * float(${this.of(ints)} % 3)`,
      `${this.of(lists)}[0]`,
      `torch.stack([${a}, ${b}])[${this.next(2)}]`,
      `torch.cat([${a}, ${b}])[0:2]`,
      `torch.where(${a} > ${b}, ${a}, ${b})`,
      `torch.dropout(${a}.clone(), 0.5, False)`,
      `torch.zeros([2, 2]) + ${b}`,
      `${a}.expand(2, 2)`,
      `torch.chunk(torch.cat([${a}, ${b}]), 2)[1]`,
      `${a}.add(${b}, alpha=2)`,
    ];
    return values[this.next(values.length)];
  }

  private int({ tensors, ints, lists }: Names): string {
    const [i, j] = [this.of(ints), this.of(ints)];
    const values = [
      `${i} + ${j}`,
      `${i} * 2 - ${j}`,
      `${i} % 5`,
      `len(${this.of(lists)})`,
      `${this.of(tensors)}.size(0)`,
      `${this.of(tensors)}.dim()`,
      "3 + 4",
      `int(bool(${this.of(tensors)}.sum() > 0.0))`,
      `(${i}, ${j})[1]`,
    ];
    return values[this.next(values.length)];
  }

  private condition(names: Names): string {
    const values = [
      `${this.of(names.ints)} > ${this.next(4)}`,
      `bool(${this.of(names.tensors)}.sum() > 1.0)`,
      "True",
      `len(${this.of(names.lists)}) > 2`,
    ];
    return values[this.next(values.length)];
  }

  private statement(names: Names, depth: number): Names {
    const kind = this.next(depth < 3 ? 12 : 9);
    if (kind < 3) {
      const name = this.fresh("t");
      this.say(depth, `${name} = ${this.tensor(names)}`);
      return { ...names, tensors: [...names.tensors, name] };
    }
    if (kind === 3) {
      const name = this.fresh("i");
      this.say(depth, `${name} = ${this.int(names)}`);
      return { ...names, ints: [...names.ints, name] };
    }
    if (kind === 4) {
      const name = this.fresh("l");
      this.say(depth, `${name} = [${this.of(names.tensors)}, ${this.tensor(names)}]`);
      return { ...names, lists: [...names.lists, name] };
    }
    if (kind === 5) {
      const method = ["add_", "mul_", "sub_", "copy_"][this.next(4)];
      this.say(depth, `${this.of(names.tensors)}.${method}(${this.tensor(names)})`);
    } else if (kind === 6) {
      this.say(depth, `${this.of(names.tensors)}[${this.next(2)}] = ${this.of(names.tensors)}[${this.next(2)}]`);
    } else if (kind === 7) this.say(depth, `${this.of(names.lists)}.append(${this.of(names.tensors)})`);
    else if (kind === 8) {
      const [name, other] = [this.fresh("t"), this.fresh("i")];
      this.say(depth, `${name}, ${other} = ${this.tensor(names)}, ${this.int(names)}`);
      return { ...names, tensors: [...names.tensors, name], ints: [...names.ints, other] };
    } else if (kind === 9) {
      this.say(depth, `if ${this.condition(names)}:`);
      this.inner(names, depth + 1);
      if (this.next(2) === 0) {
        this.say(depth, "else:");
        this.inner(names, depth + 1);
      }
    } else if (kind === 10) {
      const name = this.fresh("k");
      this.say(depth, `for ${name} in range(${[2, 9, `${this.of(names.ints)} % 4`][this.next(3)]}):`);
      this.inner({ ...names, ints: [...names.ints, name] }, depth + 1);
    } else {
      const name = this.fresh("w");
      this.say(depth, `${name} = 0`);
      this.say(depth, `while ${name} < ${1 + this.next(3)} and ${this.condition(names)}:`);
      this.say(depth + 1, `${name} = ${name} + 1`);
      this.inner(names, depth + 1);
    }
    return names;
  }
}

/** Passes that keep what a graph computes, and that it can be run. */
const kept = [
  ...[
    "batch_mm",
    "canonicalize_graph_fuser_ops",
    "constant_loop_unrolling",
    "constant_pooling",
    "constant_propagation",
  ],
  ...["constant_propagation_immutable_types", "cse", "dce", "dce_graph", "decompose_ops", "erase_shape_information"],
  ...["functional_to_inplace_activation", "fuse_addmm", "fuse_linear", "inline", "inplace_to_functional_activation"],
  ...["integer_value_refinement", "loop_unrolling", "peephole", "peephole_list_idioms", "propagate_device"],
  ...["refine_integer_values", "remove_dropout", "remove_expands"],
  ...["remove_mutation", "replicate_dequantize", "run_decompositions", "specialize_autogradzero"],
];
const passes = jit_passes as unknown as Record<string, (graph: Graph) => unknown>;

type Described = number | string | boolean | null | readonly Described[];

function described(value: IValue): Described {
  if (value.isTensor()) return (THPVariable_Wrap(value.toTensor()) as Tensor).tolist() as Described;
  if (value.isList()) return value.toList().vec().map(described);
  if (value.isTuple()) return value.toTuple().map(described);
  return value.payload as Described;
}

/** Results, and what the arguments are afterwards; or the error. */
function outcome(graph: Graph): Described {
  const tensor = (...values: number[]): IValue => IValue.fromTensor(torch.tensor(values).reshape([2, 2]).cdata);
  const [x, y, z] = [tensor(0.5, -1.25, 2, 0.75), tensor(1.5, -0.25, 0.125, -2), tensor(0.25, 3, -0.5, 1)];
  const list = IValue.fromList(new List(TensorType, [z, x]));
  const stack: Stack = [x, y, IValue.fromInt(3), list];
  try {
    new InterpreterState(code_of(graph, "f")).run(stack);
  } catch (error) {
    return (error as Error).message.trim().split("\n").at(-1) ?? "";
  }
  return [...stack, x, y, list].map(described);
}

/** Floats may differ in their last digits: a pass may compute in another order. */
function close(a: Described, b: Described): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((x, i) => close(x, b[i]));
  if (typeof a !== "number" || typeof b !== "number") return a === b;
  return Object.is(a, b) || a === b || Math.abs(a - b) <= 1e-5 + 1e-4 * Math.abs(b);
}

test("passes keep what random programs compute", () => {
  for (let seed = FIRST; seed < FIRST + PROGRAMS; seed++) {
    const text = new Program(seed).text();
    const graph = new CompilationUnit().define_source(null, text, nativeResolver(), null)[0].graph();
    const expected = outcome(graph);
    // As in PyTorch, a loop that is emitted inside an expression may clear the register of a value that its next round reads.
    if (typeof expected === "string" && expected === "RuntimeError: Expected Tensor but got None") continue;
    const next = random(seed + 1_000_000);
    const chains = [
      ...kept.map((name) => [name]),
      ...[0, 1, 2].map(() => kept.slice(0, 6).map(() => kept[next(kept.length)])),
    ];
    for (const chain of chains) {
      const changed = graph.copy();
      for (const name of chain) {
        passes[name](changed);
        changed.lint();
      }
      const got = outcome(changed);
      if (!close(got, expected)) expect(got, `${seed} ${chain.join()}\n${text}${graph}${changed}`).toEqual(expected);
    }
  }
  expect(PROGRAMS).toBeGreaterThan(0);
}, 600_000);
