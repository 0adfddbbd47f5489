/**
 * @file Turns the fake device on: `import "./openreg/index.ts"`, as `import torch_openreg` does in Python. For a process of its own: what
 * is registered here stays.
 * @original PyTorch's openreg: torch_openreg/__init__.py
 */
import torch from "glasstorch";
import "./OpenRegGuard.ts";
import "./OpenRegHooks.ts";
import "./OpenRegDeviceAllocator.ts";
import "./generated/RegisterPrivateUse1.ts";
import * as openreg from "./openreg.ts";

torch.utils.rename_privateuse1_backend("openreg");
torch._register_device_module("openreg", openreg);
torch.utils.generate_methods_for_privateuse1_backend({ for_storage: true });
