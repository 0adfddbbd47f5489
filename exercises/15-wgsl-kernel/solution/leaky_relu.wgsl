// leaky_relu(x): x where it is above zero, else slope * x. One invocation computes each element.

struct Params {
  n: u32, // how many elements
  slope: f32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  // ex:begin(15.value)
  let i = id.x;
  // ex:stub
  // let i = 0u;
  // ex:end
  // ex:begin(15.tail)
  if (i >= params.n) {
    return;
  }
  // ex:stub
  // ex:end
  // ex:begin(15.value)
  out[i] = select(params.slope * x[i], x[i], x[i] > 0);
  // ex:stub
  // out[i] = x[i];
  // ex:end
}
