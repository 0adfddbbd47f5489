/**
 * @file Switches of the whole library.
 * @mirrors aten/src/ATen/Context.h
 * @differs PyTorch's context also makes generators and knows what was compiled in.
 */

let enabled_cudnn = true;

/** Whether cuDNN may be used where there is one; operators hand it on, so their calls show it. */
export function userEnabledCuDNN(): boolean {
  return enabled_cudnn;
}

export function setUserEnabledCuDNN(enabled: boolean): void {
  enabled_cudnn = enabled;
}
