/** vmap over PyTorch's OpInfo samples gives what a loop over the batch gives: all tensors batched at 0 or at the end, only some batched; one vmap, or one inside another. */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { cases_in_turn } from "../../../tools/ci/turn.ts";
import type { Recorded } from "../../helpers/opinfo.ts";
import { readFixture } from "../../helpers/recorded.ts";
import { nested_ways, takes_part, vmap_complaints } from "../../helpers/vmap.ts";

const folder = new URL("../../fixtures/opinfo/", import.meta.url);

/** Samples that PyTorch refuses under vmap, or in which `as_strided` sees the memory of the whole batch, with the reason in the text. */
const refused_by_pytorch =
  /running_mean or running_var, which|aten::(nonzero|histogramdd|narrow\.Tensor|tensor_split\.tensor_indices_or_sections|column_stack|equal|_batch_norm_with_update)|boolean mask|over `mask`|explicit positive num_classes|data-dependent control flow|rank 4 tensor to use channels_last/;
const sees_memory = /^as_strided/;

/** Operators that differ from the loop here. The test fails if one of them is equal. */
const different: Readonly<Record<string, string>> = {
  "linalg.lstsq": "the residuals that were not computed have no batch dimension",
  _native_batch_norm_legit: "running statistics that share memory are refused",
  native_batch_norm: "running statistics that share memory are refused",
  "nn.functional.batch_norm": "running statistics that share memory are refused",
};

/** Operators that differ from two loops inside each other. */
const nested_different = new Set(["linalg.lstsq"]);

function dtype_of({ name, dtypes }: Recorded): string | undefined {
  if (!takes_part(name) || sees_memory.test(name)) return undefined;
  return ["float32", "float64", "int64"].find((each) => each in dtypes);
}

const unexpected = (complaints: readonly string[]): string[] =>
  complaints.filter((text) => !refused_by_pytorch.test(text));

test.each(cases_in_turn("vmap over PyTorch's samples", readdirSync(folder), 32))("%s", (file) => {
  const recorded = readFixture<Recorded>(new URL(file, folder));
  const dtype = dtype_of(recorded);
  if (dtype === undefined) return;
  const complaints = unexpected(vmap_complaints(recorded, dtype, 3));
  expect(complaints.length > 0, recorded.name).toBe(recorded.name in different);
});

test.each(cases_in_turn("vmap inside vmap over PyTorch's samples", readdirSync(folder), 32))("nested: %s", (file) => {
  const recorded = readFixture<Recorded>(new URL(file, folder));
  const dtype = dtype_of(recorded);
  if (dtype === undefined) return;
  const complaints = unexpected(vmap_complaints(recorded, dtype, 2, nested_ways));
  if (nested_different.has(recorded.name)) expect(complaints.length, recorded.name).toBeGreaterThan(0);
  else expect(complaints).toEqual([]);
});
