/**
 * @file `torch.cpu.amp`: `torch.autocast` under its old name, from when each device had its own.
 * @mirrors torch/cpu/amp/__init__.py
 */
export { cpu_autocast as autocast } from "#torch/amp/autocast_mode";
