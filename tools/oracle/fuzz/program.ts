/**
 * @file What Python writes and records: programs, steps, and what can be seen after each (steps.py and state.py say how).
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

/** One tensor, as `Seen.tensor` of state.py tells it. */
export interface TensorState {
  readonly dtype: string;
  readonly device: string;
  readonly shape: readonly number[];
  readonly stride: readonly number[];
  readonly offset: number;
  readonly nbytes: number;
  /** Tensors with the same number share their memory. */
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
  /** The elements in the order of their indices, in base64; null where there is no memory to read. */
  readonly data: string | null;
}

export interface VariableState extends TensorState {
  readonly grad: ({ readonly is: string | null } & TensorState) | null;
}

/** What a step gave: `result`, or `error` and `message`. */
export interface StepRecord {
  readonly changed: { readonly [name: string]: VariableState };
  /** Optimizers and schedulers that are no longer what they were. */
  readonly objects?: { readonly [name: string]: Wire };
  readonly result?: Wire;
  readonly error?: string;
  readonly message?: string;
  /** Category (null if PyTorch does not tell it) and text. */
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
