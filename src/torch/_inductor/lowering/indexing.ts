/**
 * @file Lowerings of reads at places that are values: embedding, gather, index.
 * @mirrors torch/_inductor/lowering.py
 */
import { computed_in } from "#aten/cpu/vec/ir";
import { Pointwise, TensorBox } from "../ir/index.ts";
import { numel, ZERO } from "../sizevars.ts";
import { V } from "../virtualized.ts";
import { broadcast_loader, broadcast_shapes, register_lowering, wrap_dim } from "./index.ts";

const is_place = (x: unknown): x is TensorBox => x instanceof TensorBox && (x.dtype === "int64" || x.dtype === "int32");

register_lowering("embedding", ([weight, indices]) => {
  const [w, places] = [weight as TensorBox, indices as TensorBox];
  if (!is_place(places) || computed_in(w.dtype) === undefined || numel(w.size) === 0) return undefined;
  const [rows, load] = [places.make_loader(), w.make_loader()];
  const rank = places.size.length;
  return Pointwise.create(
    w.dtype,
    (index) => load([V.ops.indirect_indexing(rows(index.slice(0, rank)), w.size[0], places.dtype), index[rank]]),
    [...places.size, w.size[1]],
  );
});

register_lowering("gather", ([x, dim_given, indices]) => {
  const [box, places] = [x as TensorBox, indices as TensorBox];
  if (!is_place(places) || computed_in(box.dtype) === undefined || box.size.length === 0 || numel(box.size) === 0)
    return undefined;
  const dim = wrap_dim(Number(dim_given), box.size.length);
  const [at, load] = [places.make_loader(), box.make_loader()];
  return Pointwise.create(
    box.dtype,
    (index) => load(index.with(dim, V.ops.indirect_indexing(at(index), box.size[dim], places.dtype))),
    places.size,
  );
});

register_lowering("index_select", ([x, dim_given, indices]) => {
  const [box, places] = [x as TensorBox, indices as TensorBox];
  if (!is_place(places) || computed_in(box.dtype) === undefined || box.size.length === 0 || numel(box.size) === 0)
    return undefined;
  const dim = wrap_dim(Number(dim_given), box.size.length);
  const [at, load] = [places.make_loader(), box.make_loader()];
  const length = numel(places.size);
  return Pointwise.create(
    box.dtype,
    (index) =>
      load(
        index.with(
          dim,
          V.ops.indirect_indexing(at(places.size.length === 0 ? [] : [index[dim]]), box.size[dim], places.dtype),
        ),
      ),
    box.size.with(dim, length),
  );
});

register_lowering("index.Tensor _unsafe_index.Tensor", ([x, given]) => {
  const box = x as TensorBox;
  const indices = [...(given as Iterable<unknown>)];
  const places = indices.filter((i) => i instanceof TensorBox);
  if (!places.every(is_place) || computed_in(box.dtype) === undefined || numel(box.size) === 0) return undefined;
  const at = indices.flatMap((i, d) => (i instanceof TensorBox ? [d] : []));
  const together = at.every((d, k) => d === at[0] + k);
  const shape = broadcast_shapes(places.map((p) => p.size));
  const start = together ? at[0] : 0; // places that are apart come first
  const others = box.size.map((_, d) => d).filter((d) => !at.includes(d));
  const before = others.slice(0, start);
  const size = [...before.map((d) => box.size[d]), ...shape, ...others.slice(start).map((d) => box.size[d])];
  const loaders = places.map(broadcast_loader);
  const load = box.make_loader();
  return Pointwise.create(
    box.dtype,
    (index) => {
      const own = index.slice(start, start + shape.length);
      const rest = [...index.slice(0, start), ...index.slice(start + shape.length)];
      return load(
        box.size.map((length, d) => {
          const k = at.indexOf(d);
          if (k < 0) return rest[others.indexOf(d)] ?? ZERO;
          return V.ops.indirect_indexing(loaders[k](own), length, places[k].dtype);
        }),
      );
    },
    size,
  );
});
