/**
 * @file Enables the device `lazy`: `import "glasstorch/lazy"`, then `torch._lazy.ts_backend.init()`. Python loads it at
 * `import torch._lazy`.
 * @original
 * @see torch/_doors.ts, Note [Doors]
 */
import "./jit.ts";
import "./aten/RegisterFunctionalization.ts";
import { tuple } from "./python/Objects/tupleobject.ts";
import { register_modules } from "./python_modules.ts";
import { doors } from "./torch/_doors.ts";
import { _lazy, _lazy_ts_backend } from "./torch/_lazy/_C_lazy.ts";
import * as extract_compiled_graph from "./torch/_lazy/extract_compiled_graph.ts";
import * as lazy from "./torch/_lazy/index.ts";
import { forget_unreachable_tensors } from "./torch/_lazy/reachable.ts";
import { tensor_factory_functions } from "./torch/_lazy/tensor_factory_functions.ts";
import torch from "./torch/index.ts";

forget_unreachable_tensors();
Object.assign(torch._C, { _lazy, _lazy_ts_backend });
doors.open("lazy", lazy);
Object.defineProperty(torch, "_lazy", { value: lazy, writable: true, configurable: true, enumerable: true });
const { closure, computation, config, debug, ir_cache, metrics, ts_backend } = lazy;
register_modules({
  "torch._C._lazy": _lazy,
  "torch._C._lazy_ts_backend": _lazy_ts_backend,
  "torch._lazy": lazy,
  "torch._lazy.closure": closure,
  "torch._lazy.computation": computation,
  "torch._lazy.config": config,
  "torch._lazy.debug": debug,
  "torch._lazy.extract_compiled_graph": extract_compiled_graph,
  "torch._lazy.ir_cache": ir_cache,
  "torch._lazy.metrics": metrics,
  "torch._lazy.tensor_factory_functions": { tensor_factory_functions: tuple([...tensor_factory_functions]) },
  "torch._lazy.ts_backend": ts_backend,
});

export { lazy };
export default torch;
