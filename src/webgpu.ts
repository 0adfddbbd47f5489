/**
 * @file Enables the device: `import "glasstorch/webgpu"`, like `import torch_openreg` in Python. Before it, no code of
 * the device is loaded; after it, tensors can be made on `webgpu`, and the first one opens the device.
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

/** `torch.webgpu`; this import adds it to the type of `torch`. */
export { webgpu };
export default torch;
