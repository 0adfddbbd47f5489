/**
 * @file A fake tensor's sizes as a program of Python reads them: symbols. Functions of TypeScript read numbers, to which the symbols are then fixed.
 * @mirrors torch/csrc/Size.cpp#THPSize_NewFromSymSizes
 */
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import { foreign_type } from "#python/bridge/foreign_types";
import { define_attributes } from "#python/Objects/descrobject";
import { define_methods } from "#python/Objects/methodobject";
import { tuple } from "#python/Objects/tupleobject";
import { THPSize_NewFromSizes } from "#torch/_C";
import { Tensor } from "#torch/_tensor/index";
import { FakeTensor } from "./index.ts";
import { has_symbolic_sizes, sym_numel, sym_sizes, sym_storage_offset, sym_strides } from "./symbolic_sizes.ts";

const type = foreign_type(FakeTensor as never);

const size_of = (t: FakeTensor): unknown => THPSize_NewFromSizes(sym_sizes(t) as number[]);

/** One of a tensor's ints, or all. */
function one_or_all(ints: readonly unknown[], dim: unknown, all: () => unknown): unknown {
  return dim === null || dim === undefined ? all() : ints[maybe_wrap_dim(Number(dim), ints.length, false)];
}

/** How many elements a tensor has: a functional tensor has symbols, too. */
const numel_of = (t: Tensor): unknown => (has_symbolic_sizes(t) ? t.cdata.sym_numel() : t.numel());
define_methods(foreign_type(Tensor as never), { "numel(self, /)": numel_of, "nelement(self, /)": numel_of });

define_attributes(type, { shape: size_of });
define_methods(type, {
  "size(self, /, dim=None)": (t: FakeTensor, dim: unknown) => one_or_all(sym_sizes(t), dim, () => size_of(t)),
  "stride(self, /, dim=None)": (t: FakeTensor, dim: unknown) =>
    one_or_all(sym_strides(t), dim, () => tuple([...sym_strides(t)])),
  "numel(self, /)": sym_numel,
  "nelement(self, /)": sym_numel,
  "storage_offset(self, /)": sym_storage_offset,
});
