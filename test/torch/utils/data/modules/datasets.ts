/** Datasets that workers build: what a program gives the address of. */
import torch from "glasstorch";

const { data } = torch.utils;
type Tensor = InstanceType<typeof torch.Tensor>;

/** i -> [[i, i * i], i + 0.5, "item i"] */
export class Squares extends data.Dataset {
  readonly n: number;
  readonly scale: number;

  constructor(n: number, options: { scale: number } = { scale: 1 }) {
    super();
    this.n = n;
    this.scale = options.scale;
  }

  __len__(): number {
    return this.n;
  }

  override __getitem__(i: number): [Tensor, number, string] {
    return [torch.tensor([i, i * i]).mul(this.scale), i + 0.5, `item ${i}`];
  }
}

/** Whole batches at a time, of a tensor that was given. */
export class Rows extends data.Dataset {
  readonly rows: Tensor;

  constructor(rows: Tensor) {
    super();
    this.rows = rows;
  }

  __len__(): number {
    return this.rows.size(0);
  }

  override __getitem__(i: number): Tensor {
    return this.rows.at(i);
  }

  __getitems__(indices: number[]): Tensor[] {
    return indices.map((i) => this.rows.at(i).neg());
  }
}

/** Each sample: who read it. */
export class Asking extends data.Dataset {
  __len__(): number {
    return 8;
  }

  override __getitem__(i: number): unknown {
    const info = data.get_worker_info();
    return {
      i,
      id: info?.id ?? -1,
      of: info?.num_workers ?? 0,
      seed: info?.seed ?? -1,
      own: info?.dataset === this,
      drawn: torch.rand(1),
    };
  }
}

/** 0 .. n - 1; a worker takes its share. */
export class Count extends data.IterableDataset<number> {
  readonly n: number;

  constructor(n: number) {
    super();
    this.n = n;
  }

  *__iter__(): IterableIterator<number> {
    const info = data.get_worker_info();
    for (let i = info?.id ?? 0; i < this.n; i += info?.num_workers ?? 1) yield i;
  }
}

/** A function, which gives what has no class. */
export function letters(word: string): string[] {
  return [...word];
}

/** Neither class nor function. */
export const three = [7, 8, 9];

/** Values of every kind. */
export class Kinds extends data.Dataset {
  __len__(): number {
    return 2;
  }

  override __getitem__(i: number): unknown {
    return {
      columns: torch.arange(6).view(2, 3).t(),
      half: torch.ones(2, { dtype: torch.bfloat16 }),
      none: null,
      float: new torch.Float(2),
      map: new Map([["a", [i, true]]]),
      bytes: new Uint8Array([1, 2]).subarray(1),
      big: 2n ** 60n,
    };
  }
}

/** Samples 1, 2 and 3 cannot be had, each for another reason. */
export class Failing extends data.Dataset {
  constructor(how: string) {
    super();
    if (how === "build") throw new RangeError("no such data");
  }

  __len__(): number {
    return 5;
  }

  override __getitem__(i: number): unknown {
    if (i === 1) torch.ones(2).view(3);
    if (i === 2) return three[i + 5].toFixed();
    return i === 3 ? Symbol("s") : i;
  }
}

export class Leaving extends data.Dataset {
  readonly how: string;

  constructor(how: string) {
    super();
    this.how = how;
  }

  __len__(): number {
    return 4;
  }

  override __getitem__(i: number): unknown {
    if (i === 2 && this.how === "exit") process.exit(3);
    if (i === 2 && this.how === "sleep") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5000);
    return i;
  }
}

let begun = -1;
export function remember(worker_id: number): void {
  begun = worker_id;
}
export class Remembering extends data.Dataset {
  __len__(): number {
    return 4;
  }
  override __getitem__(_i: number): number {
    return begun;
  }
}
export function refuse(worker_id: number): void {
  throw Object.assign(new Error(`not ${worker_id}`), { name: "ValueError" });
}

export function doubled(batch: number[]): number[] {
  return batch.map((x) => x * 2);
}
