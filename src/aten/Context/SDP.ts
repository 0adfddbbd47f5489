/**
 * @file Global switches for attention: which kernels may run, and the order in which they are tried.
 * @mirrors aten/src/ATen/Context.h
 */
let enabled_flashSDP = true;
let enabled_mem_efficientSDP = true;
let enabled_mathSDP = true;
let enabled_cudnnSDP = true;
let enabled_overrideable = true;
let sdp_priority_order: readonly number[] = [1, 2, 0, 3, 4]; // values of SDPBackend

export function userEnabledFlashSDP(): boolean {
  return enabled_flashSDP;
}
export function setSDPUseFlash(e: boolean): void {
  enabled_flashSDP = e;
}

export function userEnabledMemEfficientSDP(): boolean {
  return enabled_mem_efficientSDP;
}
export function setSDPUseMemEfficient(e: boolean): void {
  enabled_mem_efficientSDP = e;
}

export function userEnabledMathSDP(): boolean {
  return enabled_mathSDP;
}
export function setSDPUseMath(e: boolean): void {
  enabled_mathSDP = e;
}

export function userEnabledCuDNNSDP(): boolean {
  return enabled_cudnnSDP;
}
export function setSDPUseCuDNN(e: boolean): void {
  enabled_cudnnSDP = e;
}

export function userEnabledOverrideableSDP(): boolean {
  return enabled_overrideable;
}
export function setSDPUseOverrideable(e: boolean): void {
  enabled_overrideable = e;
}

/** The order for devices with several kernels; the CPU has its own. */
export function sDPPriorityOrder(): readonly number[] {
  return sdp_priority_order;
}
export function setSDPPriorityOrder(order: readonly number[]): void {
  sdp_priority_order = [...order];
}
