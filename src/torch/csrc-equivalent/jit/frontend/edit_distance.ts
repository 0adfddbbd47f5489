/**
 * @file The number of edits between two words, for suggestions in messages.
 * @mirrors torch/csrc/jit/frontend/edit_distance.cpp
 */

/**
 * The least number of insertions, deletions and replacements that make `b` of `a`. A result above `maxEditDistance` says only that it is
 * larger; 0 for `maxEditDistance` means no limit.
 */
export function ComputeEditDistance(a: string, b: string, maxEditDistance = 0): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j] + 1, next[j - 1] + 1));
    }
    row = next;
    if (maxEditDistance > 0 && Math.min(...row) > maxEditDistance) return maxEditDistance + 1;
  }
  return row[b.length];
}
