/**
 * @file `torch.cuda.amp`: mixed precision under its old names, from when each device had its own.
 * @mirrors torch/cuda/amp/__init__.py
 */
export { cuda_autocast as autocast } from "#torch/amp/autocast_mode";
export { CudaGradScaler as GradScaler } from "#torch/amp/grad_scaler";
