/**
 * @file One row in one library, in a worker that has run nothing else: it is sent the row, and answers with the result's digest and the time.
 * @original
 */
import type { OpenOnDevice, Row } from "./rows.ts";

export interface Timed {
  /** Least ms of a call. */
  readonly ms: number;
  readonly calls: number;
  /** Sums over every 64th number of the result, and their count: what two libraries are compared by. */
  readonly digest: readonly number[];
}

const SUMS = 64;

function digest_of(numbers: ArrayLike<number>): number[] {
  const sums = new Array<number>(Math.min(SUMS, numbers.length)).fill(0);
  for (let i = 0; i < numbers.length; i++) sums[i % SUMS] += numbers[i];
  return [numbers.length, ...sums];
}

const WARM = 3;
const LEAST_CALLS = 5;
const MOST_CALLS = 300;
const MS = 2000;

async function timed(open: OpenOnDevice, row: Row): Promise<Timed> {
  const { ways, result } = (await open()).make(row);
  const digest = digest_of(await result());
  let [ms, calls] = [Number.POSITIVE_INFINITY, 0];
  for (const way of ways) {
    for (let i = 0; i < WARM; i++) await way();
    const until = performance.now() + MS;
    for (let i = 0; i < LEAST_CALLS || (i < MOST_CALLS && performance.now() < until); i++, calls++) {
      const start = performance.now();
      await way();
      ms = Math.min(ms, performance.now() - start);
    }
  }
  return { ms, calls, digest };
}

/** Answers the one message that the page sends. */
export function serve(open: OpenOnDevice): void {
  globalThis.onmessage = ({ data }: MessageEvent<Row>) =>
    void timed(open, data).then(
      (answer) => postMessage(answer),
      (error: Error) => postMessage({ failed: String(error.stack ?? error) }),
    );
}
