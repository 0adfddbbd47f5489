/**
 * @file The operators of a tensor's symbolic sizes: a graph that needs a size asks the tensor by one of them. They are registered with `torch.fx`.
 * @mirrors aten/src/ATen/native/TensorProperties.cpp
 */
import { TORCH_LIBRARY_FRAGMENT } from "#aten/core/library";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { SymbolicTensorImpl } from "#c10/core/SymbolicShapeMeta";
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";

const meta_of = ({ impl_ }: Tensor): ReturnType<SymbolicTensorImpl["symbolic_shape_meta"]> =>
  impl_ instanceof SymbolicTensorImpl ? impl_.symbolic_shape_meta() : null;

const one = (ints: readonly unknown[], dim: number): number => ints[maybe_wrap_dim(dim, ints.length, false)] as number;

const kernels: Readonly<Record<string, (ks: unknown, self: Tensor, dim: number) => unknown>> = {
  "sym_size.int(Tensor self, int dim) -> SymInt": (_ks, self, dim) => one(meta_of(self)?.sizes ?? self.sizes(), dim),
  "sym_stride.int(Tensor self, int dim) -> SymInt": (_ks, self, dim) =>
    one(meta_of(self)?.strides ?? self.strides(), dim),
  "sym_numel(Tensor self) -> SymInt": (_ks, self) => meta_of(self)?.numel ?? self.numel(),
  "sym_storage_offset(Tensor self) -> SymInt": (_ks, self) => meta_of(self)?.storage_offset ?? self.storage_offset(),
};

TORCH_LIBRARY_FRAGMENT("aten", (m) => {
  for (const [schema, kernel] of Object.entries(kernels)) {
    m.def(schema);
    const name = schema.slice(0, schema.indexOf("("));
    m.impl(name, kernel as never, `at::native::${name.replace(".", "_")}`);
  }
});
