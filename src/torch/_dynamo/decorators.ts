/**
 * @file `graph_break`, which a program calls to end a graph.
 * @mirrors torch/_dynamo/decorators.py
 */
import { def } from "#torch/_signature";

/** Ends the graph where it is called; outside of a compiled function it does nothing. */
export const graph_break = def("graph_break(msg='')", (_msg: string): void => {});
