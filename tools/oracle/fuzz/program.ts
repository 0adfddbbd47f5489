/**
 * @file The format that Python writes and records: programs, steps, and the observable state after each (see steps.py
 * and state.py).
 * @original
 */

/** An argument or a value in its wire form. */
export type Wire = null | boolean | number | string | readonly Wire[] | { readonly [mark: string]: Wire };

export interface Step {
  readonly call: string;
  readonly args: readonly Wire[];
  readonly kwargs: { readonly [name: string]: Wire };
  readonly scope: "no_grad" | "inference_mode" | null;
  readonly out: readonly string[];
  readonly zeroed: readonly string[];
}

export interface Program {
  readonly seed: number;
  readonly steps: readonly Step[];
}

type Refusal = { readonly refuses: string };

/** The state of one tensor, as `Seen.tensor` in state.py describes it. */
export interface TensorState {
  readonly dtype: string;
  readonly device: string;
  readonly shape: readonly number[];
  readonly stride: readonly number[];
  readonly offset: number;
  readonly nbytes: number;
  /** Tensors with the same number share memory. */
  readonly storage: number;
  readonly inference: boolean;
  readonly version: number;
  readonly neg: boolean;
  readonly zero: boolean;
  readonly requires_grad: boolean;
  readonly retains_grad: boolean;
  readonly leaf: boolean | Refusal;
  readonly grad_fn: string | null | Refusal;
  readonly output_nr: number | Refusal;
  readonly view: boolean;
  readonly base: string | null;
  /** The elements in index order, in base64; null if there is no memory to read. */
  readonly data: string | null;
}

export interface VariableState extends TensorState {
  readonly grad: ({ readonly is: string | null } & TensorState) | null;
}

/** The outcome of a step: `result`, or `error` and `message`. */
export interface StepRecord {
  readonly changed: { readonly [name: string]: VariableState };
  /** Optimizers and schedulers whose state changed. */
  readonly objects?: { readonly [name: string]: Wire };
  readonly result?: Wire;
  readonly error?: string;
  readonly message?: string;
  /** Category (null if PyTorch gives none) and text. */
  readonly warnings?: readonly (readonly [string | null, string])[];
  readonly heard?: readonly (readonly [string, ...(TensorState | null)[]])[];
}

export interface Graphs {
  readonly roots: { readonly [name: string]: number | null | Refusal };
  readonly nodes: readonly {
    readonly name: string;
    readonly variable?: string | null;
    readonly next: readonly (readonly [number | null, number])[];
  }[];
}

export interface ProgramRecord {
  readonly records: readonly StepRecord[];
  readonly graphs: Graphs;
}
