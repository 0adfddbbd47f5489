/**
 * @file The allocator's statistics as a table for readers.
 * @mirrors torch/cuda/memory.py#memory_summary
 */

type Stats = Readonly<Record<string, number>>;

/** A format of a number. `of_all` chooses the unit, so that all parts of a row have the unit of their sum. */
type Format = (count: number, of_all: number) => string;

const format_size: Format = (sz, pref_sz) =>
  scaled(sz, pref_sz, 1024, 768 * 1024, ["B  ", "KiB", "MiB", "GiB", "TiB", "PiB"], 6);
const format_count: Format = (cnt, pref_cnt) => `${scaled(cnt, pref_cnt, 1000, 750 * 1000, [" ", "K", "M"], 7)} `;

function scaled(
  count: number,
  of_all: number,
  step: number,
  enough: number,
  prefixes: readonly string[],
  width: number,
): string {
  let unit = 0;
  for (let rest = of_all; unit + 1 < prefixes.length && rest >= enough; rest /= step) unit++;
  return `${String(Math.floor(count / step ** unit)).padStart(width)} ${prefixes[unit]}`;
}

const METRICS: readonly (readonly [key: string, name: string, format: Format])[] = [
  ["allocated_bytes", "Allocated memory", format_size],
  ["active_bytes", "Active memory", format_size],
  ["requested_bytes", "Requested memory", format_size],
  ["reserved_bytes", "GPU reserved memory", format_size],
  ["inactive_split_bytes", "Non-releasable memory", format_size],
  ["allocation", "Allocations", format_count],
  ["active", "Active allocs", format_count],
  ["segment", "GPU reserved segments", format_count],
  ["inactive_split", "Non-releasable allocs", format_count],
];
const OVERSIZE: typeof METRICS = [
  ["oversize_allocations", "Oversize allocations", format_count],
  ["oversize_segments", "Oversize GPU segments", format_count],
];
const POOLS = [
  ["large_pool", "      from large pool"],
  ["small_pool", "      from small pool"],
] as const;
const COLUMNS = ["current", "peak", "allocated", "freed"] as const;

const WIDTH = 75;
const RULE = "-".repeat(WIDTH);
const DOUBLE_RULE = "=".repeat(WIDTH);

/** The table. `backend` and `retries`: the name of the device in the first lines, and of its allocation call. */
export function memory_summary_of(
  stats: Stats,
  device: number,
  abbreviated: boolean,
  backend: string,
  retries: string,
): string {
  const lines: string[] = [];
  const row = (prefix: string, name: string, of_all: string, format: Format): void => {
    const cells = COLUMNS.map((column) => format(stats[`${prefix}.${column}`], stats[`${of_all}.${column}`]));
    lines.push(` ${name.padEnd(21)} | ${cells.join(" | ")} `);
  };
  const title = ` PyTorch ${backend} memory summary, device ID ${String(device).padEnd(17)} `;
  const ooms = ` ${backend} OOMs: ${String(stats["num_ooms"]).padEnd(12)} `;
  const again = ` ${retries} retries: ${String(stats["num_alloc_retries"]).padEnd(8)}  `;
  lines.push(DOUBLE_RULE, title.padStart(WIDTH), RULE);
  lines.push(`${ooms.padStart(36)}|${again.padStart(WIDTH - 37)}`, DOUBLE_RULE);
  lines.push("        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  ");
  for (const [key, name, format] of METRICS) {
    const all = `${key}.all`;
    lines.push(RULE);
    row(all, name, all, format);
    if (!abbreviated) for (const [pool, from] of POOLS) row(`${key}.${pool}`, from, all, format);
  }
  for (const [key, name, format] of OVERSIZE) {
    lines.push(RULE);
    row(key, name, key, format);
  }
  lines.push(DOUBLE_RULE);
  return `|${lines.join("|\n|")}|\n`;
}
