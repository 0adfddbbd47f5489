// The sum of x: each workgroup computes one number. The host starts the kernel again on these numbers, until one is left.

struct Params {
  n: u32, // how many elements x has
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

// The memory of a workgroup: only its own invocations see it. It is zero at the beginning.
var<workgroup> tile: array<f32, 64>;

@compute @workgroup_size(64)
fn main(
  @builtin(global_invocation_id) id: vec3<u32>,
  @builtin(local_invocation_index) me: u32, // 0 to 63, within the workgroup
  @builtin(workgroup_id) group: vec3<u32>,
) {
  // ex:begin(16.sum)
  if (id.x < params.n) {
    tile[me] = x[id.x];
  }
  workgroupBarrier();
  for (var half = 32u; half > 0u; half = half / 2u) {
    if (me < half) {
      tile[me] += tile[me + half];
    }
    workgroupBarrier();
  }
  if (me == 0u) {
    out[group.x] = tile[0];
  }
  // ex:stub
  // out[group.x] = 0;
  // out[group.x] += x[id.x];
  // ex:end
}
