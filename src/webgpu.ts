/**
 * @file Turns the device on: `import "glasstorch/webgpu"`, as `import torch_openreg` does in Python. Before it, nothing of the device is loaded;
 * behind it, tensors may be made on `webgpu`, and the device is opened when the first one is.
 * @original PyTorch loads the backends that a package's entry points name.
 */
import torch from "./torch/index.ts";
import "./c10/webgpu/impl/WebGPUGuardImpl.ts";
import "./c10/webgpu/WebGPUDeviceAllocator.ts";
import "./aten/webgpu/detail/WebGPUHooks.ts";
import "./aten/native/webgpu/RegisterKernels.ts";
import * as webgpu from "./torch/webgpu/index.ts";

torch.utils.rename_privateuse1_backend("webgpu");
torch._register_device_module("webgpu", webgpu);
torch.utils.generate_methods_for_privateuse1_backend({ for_storage: true });

/** `torch.webgpu`, whose type `torch` does not know before this import. */
export { webgpu };
export default torch;
