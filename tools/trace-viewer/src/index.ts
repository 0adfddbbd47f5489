/**
 * @file The viewer as a library: the component, and its projections.
 * @original
 */

export { compare } from "./model/compare.ts";
export { type Choice, choiceOf } from "./model/dispatch.ts";
export { type DispatchTables, readTable } from "./model/dispatchTable.ts";
export { graphOf } from "./model/graph.ts";
export { openText, openValue, textOf } from "./model/open.ts";
export { formatPlace, type Place, parsePlace, type View } from "./model/permalink.ts";
export { move, project } from "./model/projection.ts";
export { type Recording, TraceModel } from "./model/TraceModel.ts";
export type { PlaceFinder, SourceLoader } from "./view/SourcePane.tsx";
export { TraceViewer, type TraceViewerProps } from "./view/TraceViewer.tsx";
