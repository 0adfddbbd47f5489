/**
 * @file A captured program as the check `ir` sees it, whatever system captured it.
 * @original
 */

/** A program that a pass changes. */
export interface CapturedProgram {
  /** The graph as its system prints it. */
  text(): string;
  /** The code that a call of the program runs. */
  code(): string;
  /** The code that belongs to the graph as it is now. */
  code_of_graph(): string;
  lint(): void;
  run(...args: readonly unknown[]): unknown;
  /** Names of parameters, with the values themselves. */
  parameters(): readonly (readonly [name: string, value: unknown])[];
}

/** The parts of a GraphModule that are used here. */
export interface CapturedModule {
  (...args: readonly unknown[]): unknown;
  readonly graph: { toString(): string; lint(): void; python_code(root: string): { readonly src: string } };
  readonly code: string;
  named_parameters(): Iterable<readonly [string, unknown]>;
}

export interface FxProgram extends CapturedProgram {
  readonly module: CapturedModule;
}

export function captured_module(module: CapturedModule): FxProgram {
  return {
    module,
    text: () => String(module.graph),
    code: () => module.code,
    code_of_graph: () => module.graph.python_code("self").src,
    lint: () => module.graph.lint(),
    run: (...args) => module(...args),
    parameters: () => [...module.named_parameters()].map(([name, value]) => [name, value] as const),
  };
}

export interface ScriptGraph extends CapturedProgram {
  readonly graph: unknown;
}

/**
 * A graph of TorchScript. It is its own code: what runs is a function that is made of it.
 * @param call runs a graph
 */
export function captured_graph(
  graph: unknown,
  call: (graph: unknown, args: readonly unknown[]) => unknown,
): ScriptGraph {
  return {
    graph,
    text: () => String(graph),
    code: () => "",
    code_of_graph: () => "",
    lint: () => (graph as { lint(): void }).lint(),
    run: (...args) => call(graph, args),
    parameters: () => [],
  };
}
