/**
 * @file Builtin functions that are written in TorchScript: a number before a tensor, `in` for strings, properties of tensors.
 * @mirrors torch/csrc/jit/frontend/builtin_functions.cpp
 */
import { CompilationUnit } from "../api/compilation_unit.ts";
import type { GraphFunction } from "../api/function_impl.ts";
import { type Graph, insertGraph, type Value } from "../ir/ir.ts";
import { unrecorded } from "../recording.ts";
import { type BuiltinFunction, setBuiltinFunctionLoader } from "./builtin_registry.ts";
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

class CompiledBuiltin implements BuiltinFunction {
  private readonly fn: GraphFunction;

  constructor(fn: GraphFunction) {
    this.fn = fn;
  }

  ensure_defined(): void {
    unrecorded(() => this.fn.ensure_defined());
  }

  getSchema() {
    return this.fn.getSchema();
  }

  inlineInto(graph: Graph, inputs: readonly Value[]): Value {
    return insertGraph(graph, this.fn.graph(), inputs)[0];
  }
}

setBuiltinFunctionLoader(() => {
  const table = new Map<string, CompiledBuiltin[]>();
  const loadSource = (source: string, the_namespace: string): void => {
    const unit = new CompilationUnit();
    unrecorded(() => unit.define_source(null, source, nativeResolver(), null));
    for (const fn of unit.get_functions()) {
      const name = `${the_namespace}::${fn.name()}`;
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
});
