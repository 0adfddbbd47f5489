/**
 * @file `torch.nn.attention`: the choice of the kernels for `scaled_dot_product_attention`.
 * @mirrors torch/nn/attention/__init__.py
 * @differs In ours the members of `SDPBackend` are plain numbers, and no other implementation of flash attention can be registered; PyTorch
 * has an enum and a registry.
 */
import { AssertionError } from "#c10/util/Exception";
import { _C, AbstractContextManager, python_type } from "#torch/_C";
import { def_context } from "#torch/utils/_contextlib";

/** Kernels of attention. The CPU has two of them: MATH, a composite of other operators, and FLASH_ATTENTION, one fused kernel. */
export const SDPBackend = {
  ERROR: -1,
  MATH: 0,
  FLASH_ATTENTION: 1,
  EFFICIENT_ATTENTION: 2,
  CUDNN_ATTENTION: 3,
  OVERRIDEABLE: 4,
} as const;
export type SDPBackend = (typeof SDPBackend)[keyof typeof SDPBackend];

const is_backend = (value: unknown): value is SDPBackend => Object.values<unknown>(SDPBackend).includes(value);

/** Each backend with the functions that read and set its switch. */
const switches: readonly (readonly [SDPBackend, enabled: () => boolean, enable: (enabled: boolean) => void])[] = [
  [SDPBackend.CUDNN_ATTENTION, () => _C._get_cudnn_sdp_enabled(), (e) => _C._set_sdp_use_cudnn(e)],
  [SDPBackend.FLASH_ATTENTION, () => _C._get_flash_sdp_enabled(), (e) => _C._set_sdp_use_flash(e)],
  [SDPBackend.EFFICIENT_ATTENTION, () => _C._get_mem_efficient_sdp_enabled(), (e) => _C._set_sdp_use_mem_efficient(e)],
  [SDPBackend.MATH, () => _C._get_math_sdp_enabled(), (e) => _C._set_sdp_use_math(e)],
  [SDPBackend.OVERRIDEABLE, () => _C._get_overrideable_sdp_enabled(), (e) => _C._set_sdp_use_overrideable(e)],
];

export function _cur_sdpa_kernel_backends(with_priority = false): SDPBackend[] {
  const backends = switches.filter(([, enabled]) => enabled()).map(([backend]) => backend);
  if (!with_priority) return backends;
  const order = _C._get_sdp_priority_order();
  return backends.sort((a, b) => order.indexOf(a) - order.indexOf(b));
}

function _sdpa_kernel(backends: readonly SDPBackend[], set_priority: boolean): void {
  for (const [backend, , enable] of switches) enable(backends.includes(backend));
  if (!set_priority) return;
  const rest = _C._get_sdp_priority_order().filter((backend) => !backends.includes(backend as SDPBackend));
  _C._set_sdp_priority_order([...backends, ...rest]);
}

/**
 * Restricts attention to these kernels inside the function: `sdpa_kernel(SDPBackend.MATH, () => net(x))`.
 * @param backends one backend, or a list
 * @param set_priority whether the list also gives the order in which a device with several kernels tries them
 */
export const sdpa_kernel = def_context(
  "sdpa_kernel(backends, set_priority=False)",
  class sdpa_kernel extends AbstractContextManager {
    private readonly backends: readonly SDPBackend[];
    private readonly set_priority: boolean;
    private previous: readonly SDPBackend[] = [];

    constructor(backends: readonly SDPBackend[] | SDPBackend, set_priority: boolean) {
      super();
      if (!Array.isArray(backends) && !is_backend(backends)) {
        throw new AssertionError(
          `Backend must be an instance of SDPBackend or a list of SDPBackend instances, got ${python_type(backends)}`,
        );
      }
      this.backends = [...new Set<SDPBackend>(Array.isArray(backends) ? backends : [backends])];
      this.set_priority = set_priority;
    }

    override __enter__(): void {
      this.previous = _cur_sdpa_kernel_backends(this.set_priority);
      _sdpa_kernel(this.backends, this.set_priority);
    }

    override __exit__(): void {
      _sdpa_kernel(this.previous, this.set_priority);
    }
  },
);
