/**
 * @file `torch.amp`: automatic mixed precision.
 * @mirrors torch/amp/__init__.py
 */
export {
  _enter_autocast,
  _exit_autocast,
  autocast,
  custom_bwd,
  custom_fwd,
  is_autocast_available,
} from "./autocast_mode.ts";
export { GradScaler } from "./grad_scaler.ts";
