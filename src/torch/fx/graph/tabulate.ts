/**
 * @file A table as text, with a line below the heads.
 * @original PyTorch uses the package `tabulate`.
 */
export function tabulate(rows: readonly (readonly string[])[], headers: readonly string[]): string {
  const widths = headers.map((head, i) =>
    Math.max(head.length, ...rows.map((row) => Math.max(...(row[i] ?? "").split("\n").map((line) => line.length)))),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] as number))
      .join("  ")
      .trimEnd();
  return [line(headers), widths.map((width) => "-".repeat(width)).join("  "), ...rows.map(line)].join("\n");
}
