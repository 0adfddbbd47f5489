// out = a @ b. One invocation computes each element of out, in workgroups of 8 by 8.

struct Params {
  m: u32, // a has m rows and k columns,
  k: u32, // b has k rows
  n: u32, // and n columns
}

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

const T = 8u;

var<workgroup> tile_a: array<f32, 64>; // T rows of T elements
var<workgroup> tile_b: array<f32, 64>;

@compute @workgroup_size(8, 8)
fn main(
  @builtin(global_invocation_id) id: vec3<u32>,
  @builtin(local_invocation_id) me: vec3<u32>, // x and y from 0 to 7, within the workgroup
) {
  let row = id.y;
  let column = id.x;
  var sum = 0.0;
  // ex:begin(16.tiles)
  let place = me.y * T + me.x;
  for (var first = 0u; first < params.k; first += T) {
    tile_a[place] = 0;
    if (row < params.m && first + me.x < params.k) {
      tile_a[place] = a[row * params.k + first + me.x];
    }
    tile_b[place] = 0;
    if (column < params.n && first + me.y < params.k) {
      tile_b[place] = b[(first + me.y) * params.n + column];
    }
    workgroupBarrier();
    for (var i = 0u; i < T; i++) {
      sum += tile_a[me.y * T + i] * tile_b[i * T + me.x];
    }
    workgroupBarrier();
  }
  // ex:stub
  // if (row < params.m && column < params.n) {
  //   for (var i = 0u; i < params.k; i++) {
  //     sum += a[row * params.k + i] * b[i * params.n + column];
  //   }
  // }
  // ex:end
  if (row < params.m && column < params.n) {
    out[row * params.n + column] = sum;
  }
}
