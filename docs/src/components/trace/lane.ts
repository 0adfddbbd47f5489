/**
 * @file The class that gives a layer its colour.
 * @original
 */
export function laneClass(lane: string): string {
  return `lane-${lane.replace(/ /g, "-")}`;
}
