/**
 * @file The state of `__torch_function__`: which modes are on the stack, and whether overrides are switched off.
 * @mirrors aten/src/ATen/PythonTorchFunctionTLS.h
 * @differs JavaScript has one thread, so module variables are enough; PyTorch has thread-local ones.
 */
export const TorchFunctionDisabledState = { ENABLED: 0, SUBCLASSES_DISABLED: 1, ALL_DISABLED: 2 } as const;
export type TorchFunctionDisabledState = (typeof TorchFunctionDisabledState)[keyof typeof TorchFunctionDisabledState];

let disabled_state_: TorchFunctionDisabledState = TorchFunctionDisabledState.ENABLED;
const stack_: object[] = [];
/** Length of the mode stack. A live binding, so that the argument parser tests a number instead of calling a function. */
export let stack_len = 0;

export const PythonTorchFunctionTLS = {
  set_disabled_state(state: TorchFunctionDisabledState): void {
    disabled_state_ = state;
  },
  get_disabled_state(): TorchFunctionDisabledState {
    return disabled_state_;
  },
  push_onto_stack(mode: object): void {
    stack_len = stack_.push(mode);
  },
  pop_stack(): object | undefined {
    const mode = stack_.pop();
    stack_len = stack_.length;
    return mode;
  },
  get_stack_at(index: number): object | undefined {
    return stack_.at(index);
  },
  stack_len(): number {
    return stack_len;
  },
};

export function torch_function_mode_enabled(): boolean {
  return stack_len > 0 && disabled_state_ !== TorchFunctionDisabledState.ALL_DISABLED;
}

/** Whether subclasses may override functions at present. */
export function torch_function_enabled(): boolean {
  return disabled_state_ === TorchFunctionDisabledState.ENABLED;
}
