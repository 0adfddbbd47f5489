/**
 * @file Kernels that copy bytes: WebGPU's own copies take only whole words, and not within one buffer.
 * @original cudaMemcpy takes any bytes.
 */
import type { KernelSource } from "./interface.ts";

/** Invocations per workgroup. */
export const COPY_WORKGROUP = 64;

// One invocation writes one word of `dst`, and in it the bytes that belong to the copy.
const COPY_BODY = `
  let word = id.x + id.y * p.row;
  if (word >= p.words) { return; }
  let at = p.dst / 4u + word;
  let first = max(4u * at, p.dst);
  let end = min(4u * at + 4u, p.dst + p.nbytes);
  var source = p.src + (first - p.dst);
  if (first == 4u * at && end == first + 4u && (source & 3u) == 0u) {
    DST[at] = SRC[source / 4u];
    return;
  }
  var value = DST[at];
  for (var byte = first; byte < end; byte++) {
    let bits = (SRC[source / 4u] >> (8u * (source & 3u))) & 0xffu;
    let shift = 8u * (byte & 3u);
    value = (value & ~(0xffu << shift)) | (bits << shift);
    source++;
  }
  DST[at] = value;
`;

/** Copies bytes. Parameters: dst, src, bytes, number of touched words of dst, invocations in a row of the grid. */
function copy_bytes(same: boolean): KernelSource {
  const bindings = same
    ? "@group(1) @binding(0) var<storage, read_write> m: array<u32>;"
    : "@group(1) @binding(0) var<storage, read_write> d: array<u32>;\n@group(1) @binding(1) var<storage, read> s: array<u32>;";
  const body = COPY_BODY.replaceAll("DST", same ? "m" : "d").replaceAll("SRC", same ? "m" : "s");
  return {
    name: "webgpu::copy_bytes",
    code: `struct Params { dst: u32, src: u32, nbytes: u32, words: u32, row: u32 }
@group(0) @binding(0) var<uniform> p: Params;
${bindings}
@compute @workgroup_size(${COPY_WORKGROUP}) fn main(@builtin(global_invocation_id) id: vec3<u32>) {${body}}
`,
    slots: same ? 1 : 2,
    written: 1,
    workgroup_size: [COPY_WORKGROUP, 1, 1],
  };
}

/** Bytes of a vector, and vectors that an invocation copies. */
export const VECTOR_NBYTES = 16;
export const COPY_VECTORS_EACH = 4;

/** Parameters: dst, src and count, in vectors; invocations in a row of the grid. The vectors of a workgroup are adjacent. */
export const COPY_VECTORS: KernelSource = {
  name: "webgpu::copy_vectors",
  code: `struct Params { dst: u32, src: u32, count: u32, row: u32 }
@group(0) @binding(0) var<uniform> p: Params;
@group(1) @binding(0) var<storage, read_write> m: array<vec4<u32>>;
@compute @workgroup_size(${COPY_WORKGROUP}) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.x + id.y * p.row;
  let first = i / ${COPY_WORKGROUP}u * ${COPY_WORKGROUP * COPY_VECTORS_EACH}u + i % ${COPY_WORKGROUP}u;
${Array.from({ length: COPY_VECTORS_EACH }, (_, q) => {
  const at = q === 0 ? "first" : `first + ${q * COPY_WORKGROUP}u`;
  return `  if (${at} < p.count) { m[p.dst + ${at}] = m[p.src + ${at}]; }`;
}).join("\n")}
}
`,
  slots: 1,
  written: 1,
  workgroup_size: [COPY_WORKGROUP, 1, 1],
};

/** Source and destination in one segment, or in two. */
export const COPY_WITHIN: KernelSource = copy_bytes(true);
export const COPY_ACROSS: KernelSource = copy_bytes(false);

/** Writes the edges of a copy from the host. Parameters, for two words: word index, mask of bits, new value of these bits. */
export const PATCH_WORDS: KernelSource = {
  name: "webgpu::patch_words",
  code: `struct Params { at: u32, mask: u32, value: u32, at2: u32, mask2: u32, value2: u32 }
@group(0) @binding(0) var<uniform> p: Params;
@group(1) @binding(0) var<storage, read_write> m: array<u32>;
@compute @workgroup_size(1) fn main() {
  m[p.at] = (m[p.at] & ~p.mask) | p.value;
  m[p.at2] = (m[p.at2] & ~p.mask2) | p.value2;
}
`,
  slots: 1,
  written: 1,
  workgroup_size: [1, 1, 1],
};
