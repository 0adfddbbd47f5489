/**
 * @file Builtin functions that are written in TorchScript: a number before a tensor, `in` for strings, properties of tensors.
 * @mirrors torch/csrc/jit/frontend/builtin_functions.cpp
 * @differs A function is compiled when a call may mean it; PyTorch compiles all of them at the first look-up.
 */
import type { FunctionSchema } from "#aten/core/function_schema";
import { CompilationUnit } from "../api/compilation_unit.ts";
import type { GraphFunction } from "../api/function_impl.ts";
import { type Graph, insertGraph, type Value } from "../ir/ir.ts";
import { unrecorded } from "../recording.ts";
import { type BuiltinFunction, setBuiltinFunctionFinder } from "./builtin_registry.ts";
import { type FunctionText, function_texts } from "./function_texts.ts";
import { nativeResolver } from "./resolver.ts";

const arithmetic = (scalar: string): string => `
def mul(a : ${scalar}, b : Tensor) -> Tensor:
  return b * a
def add(a : ${scalar}, b : Tensor) -> Tensor:
  return b + a
def ne(a : ${scalar}, b : Tensor) -> Tensor:
  return b != a
def eq(a : ${scalar}, b : Tensor) -> Tensor:
  return b == a
def sub(a : ${scalar}, b : Tensor) -> Tensor:
  return torch.neg(b) + a
def div(a : ${scalar}, b : Tensor) -> Tensor:
  return torch.reciprocal(b) * a
`;

const comparisons = (scalar: string): string => `
def lt(a : ${scalar}, b : Tensor) -> Tensor:
  return b > a
def le(a : ${scalar}, b : Tensor) -> Tensor:
  return b >= a
def gt(a : ${scalar}, b : Tensor) -> Tensor:
  return b < a
def ge(a : ${scalar}, b : Tensor) -> Tensor:
  return b <= a
`;

const ntuple = (name: string, length: number, scalar: string): string => `
def _${name}(x: BroadcastingList${length}[${scalar}]) -> List[${scalar}]:
  return x
`;

const floordiv = (other: string): string => `
def floordiv(self : Tensor, other : ${other}) -> Tensor:
  return torch.floor_divide(self, other)
`;

/** They are in `prim`, because an attribute of a tensor is looked up there. */
const tensor_properties = `
def ndim(a : Tensor) -> int:
  return a.dim()
def T(a : Tensor) -> Tensor:
  return a.numpy_T()
def H(a : Tensor) -> Tensor:
  return a.matrix_H()
def mT(a : Tensor) -> Tensor:
  return a.mT
def mH(a : Tensor) -> Tensor:
  return a.mH
def shape(a : Tensor) -> List[int]:
  return a.size()
`;

const lists = `


def list_with_default(out_size: List[int], defaults: List[int]):
  assert len(defaults) > len(out_size)
  return out_size
`;

const strings_and_checks = `
def _assert_int_or_pair(vals: List[int], name: str, message: str):
    pass
def __contains__(self: str, key: str):
    return self.find(key, 0, len(self)) != -1
`;

/** Whether one of them is being compiled: then there are no others. */
let compiling = false;

class CompiledBuiltin implements BuiltinFunction {
  private readonly source: FunctionText;
  private fn: GraphFunction | null = null;

  constructor(source: FunctionText) {
    this.source = source;
  }

  private compiled(): GraphFunction {
    this.fn ??= this.compile();
    return this.fn;
  }

  private compile(): GraphFunction {
    compiling = true;
    try {
      const defs = [[this.source.parse(), nativeResolver()]] as const;
      return unrecorded(() => new CompilationUnit().define(null, { defs, self: null })[0]);
    } finally {
      compiling = false;
    }
  }

  schema(): FunctionSchema {
    return this.compiled().getSchema();
  }

  inlineInto(graph: Graph, inputs: readonly Value[]): Value {
    return insertGraph(graph, this.compiled().graph(), inputs)[0];
  }
}

function builtinFunctions(): ReadonlyMap<string, readonly BuiltinFunction[]> {
  const table = new Map<string, CompiledBuiltin[]>();
  const loadSource = (source: string, the_namespace: string): void => {
    for (const fn of function_texts(source)) {
      const name = `${the_namespace}::${fn.name}`;
      table.set(name, [...(table.get(name) ?? []), new CompiledBuiltin(fn)]);
    }
  };
  for (const scalar of ["float", "int", "complex"]) loadSource(arithmetic(scalar), "aten");
  for (const scalar of ["float", "int"]) loadSource(comparisons(scalar), "aten");
  const lengths: readonly (readonly [string, number])[] = [
    ["single", 1],
    ["pair", 2],
    ["triple", 3],
    ["quadruple", 4],
  ];
  for (const scalar of ["float", "int"]) {
    for (const [name, length] of lengths) loadSource(ntuple(name, length, scalar), "aten");
  }
  for (const other of ["number", "Tensor"]) loadSource(floordiv(other), "aten");
  loadSource(strings_and_checks, "aten");
  loadSource(lists, "aten");
  loadSource(tensor_properties, "prim");
  return table;
}

let table: ReturnType<typeof builtinFunctions> | null = null;

setBuiltinFunctionFinder((name) => {
  if (compiling) return [];
  table ??= builtinFunctions();
  return table.get(name) ?? [];
});
