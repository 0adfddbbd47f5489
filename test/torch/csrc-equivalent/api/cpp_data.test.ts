/** Datasets of the C++ front end against what libtorch recorded (tools/oracle/cpp/record_data.py): MNIST's files, datasets of chunks. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { torch } from "../../../../src/cpp.ts";
import { readFixture } from "../../../helpers/recorded.ts";
import { distance, type RecordedTensor, recorded } from "./cpp_cases.ts";

type Tensor = InstanceType<typeof torch.Tensor>;
const { datasets, samplers, transforms } = torch.data;
const { Mode } = datasets.MNIST;

interface Case {
  readonly kind: "mnist" | "chunks" | "refused" | "unreadable";
  readonly text: string;
  readonly error?: string | null;
}
interface Whole extends Case {
  readonly size: number;
  readonly is_train: boolean;
  readonly image: RecordedTensor;
  readonly targets: RecordedTensor;
  readonly sum: RecordedTensor;
  readonly batch: readonly RecordedTensor[];
}
interface ChunkCase extends Case {
  readonly text: "SequentialSampler" | "RandomSampler";
  readonly sizes: readonly number[];
  readonly batch: number;
  readonly together: number;
  readonly epochs: readonly (readonly (number[] | string)[])[];
}
const { cases, folders } = readFixture<{
  readonly cases: readonly Case[];
  readonly folders: Readonly<Record<string, Readonly<Record<string, readonly [readonly number[], boolean]>>>>;
}>(new URL("../../../fixtures/cpp/cpp_data.json.gz", import.meta.url));
const of_kind = <C extends Case>(kind: Case["kind"]): C[] => cases.filter((each) => each.kind === kind) as C[];

/** C++ adds the place of a failed assertion, which is another one here. */
const without_place = (text: string): string => text.split(" INTERNAL")[0];

describe("MNIST", () => {
  const root = mkdtempSync(join(tmpdir(), "mnist-"));
  beforeAll(() => {
    const pixels = Uint8Array.from({ length: 10000 * 784 }, (_, i) => (i * 7 + Math.floor(i / 784)) % 256);
    const labels = Uint8Array.from({ length: 10000 }, (_, i) => (i * 3) % 10);
    for (const [name, files] of Object.entries(folders)) {
      mkdirSync(join(root, name));
      for (const [file, [header, data]] of Object.entries(files)) {
        const bytes = new DataView(new ArrayBuffer(4 * header.length));
        for (const [i, value] of header.entries()) bytes.setUint32(4 * i, value);
        const body = file.includes("images") ? pixels : labels;
        writeFileSync(
          join(root, name, file),
          Buffer.concat([Buffer.from(bytes.buffer), data ? body : Buffer.alloc(0)]),
        );
      }
    }
  });
  afterAll(() => rmSync(root, { recursive: true }));

  test("is what C++ reads", () => {
    const whole = of_kind<Whole>("mnist").find(({ text }) => text === "whole") as Whole;
    const mnist = new datasets.MNIST(join(root, "whole"), Mode.kTest);
    expect([mnist.size(), mnist.is_train()]).toEqual([whole.size, whole.is_train]);
    const same = (mine: Tensor, theirs: RecordedTensor): void => {
      expect(distance(recorded(mine), theirs)).toBeLessThan(2e-6);
    };
    same(mnist.get(9999).data.slice_Tensor(1, 13, 15), whole.image);
    same(mnist.targets().slice_Tensor(0, 9980), whole.targets);
    same(mnist.images().to_dtype(torch.kDouble).sum(), whole.sum);
    const batches = mnist.map(new transforms.Normalize(0.1307, 0.3081)).map(new transforms.Stack());
    const { data, target } = batches.get_batch([3, 1]);
    same(data.slice_Tensor(2, 5, 6), whole.batch[0]);
    same(target, whole.batch[1]);
  });

  test("files that are missing or are something else are refused in C++'s words", () => {
    for (const { text, error } of of_kind("mnist").filter(({ text }) => text !== "whole")) {
      const [folder, mode] = text === "train" ? ["whole", Mode.kTrain] : [text, Mode.kTest];
      let said: string | null = null;
      try {
        new datasets.MNIST(`${root}/${folder}`, mode);
      } catch (thrown) {
        said = (thrown as Error).message.replace(`${root}/`, "");
      }
      expect([text, said]).toEqual([text, error]);
    }
  });
});

class Chunks extends datasets.ChunkDataReader<number> {
  private readonly sizes: readonly number[];

  constructor(sizes: readonly number[]) {
    super();
    this.sizes = sizes;
  }
  override read_chunk(index: number): number[] {
    if (this.sizes[index] < 0) throw new Error("unreadable");
    const first = this.sizes.slice(0, index).reduce((sum, size) => sum + Math.max(size, 0), 0);
    return Array.from({ length: this.sizes[index] }, (_, i) => first + i);
  }
  override chunk_count(): number {
    return this.sizes.length;
  }
  override reset(): void {}
}

type ChunkDataset = InstanceType<typeof datasets.ChunkDataset<number>>;

/** The batches of two epochs. An error takes the place of its batch. */
function epochs(dataset: ChunkDataset): (number[] | string)[][] {
  return [0, 1].map(() => {
    dataset.reset();
    const batches: (number[] | string)[] = [];
    for (;;) {
      try {
        const batch = dataset.get_batch();
        if (batch === null) return batches;
        batches.push(batch);
      } catch (error) {
        batches.push((error as Error).message);
      }
    }
  });
}

function chunk_dataset({ text, sizes, batch, together }: Pick<ChunkCase, "text" | "sizes" | "batch" | "together">) {
  const sampler = (): InstanceType<typeof samplers.RandomSampler | typeof samplers.SequentialSampler> =>
    new samplers[text](0);
  const options = datasets.ChunkDatasetOptions(1, batch, 2048, together);
  return new datasets.ChunkDataset<number>(new Chunks(sizes), sampler(), sampler(), options);
}

describe("datasets of chunks", () => {
  test("give C++'s batches, in order and in random order", () => {
    for (const entry of of_kind<ChunkCase>("chunks")) {
      torch.manual_seed(0);
      expect({ ...entry, epochs: epochs(chunk_dataset(entry)) }).toEqual(entry);
    }
  });

  const small = { text: "SequentialSampler", sizes: [3], batch: 2, together: 1 } as const;

  test("refuse in C++'s words", () => {
    const chunks = chunk_dataset(small);
    for (const { text, error } of of_kind("refused")) {
      const run = new Function("ds", "chunks", `return ${text.replaceAll("::", ".")}`);
      let said: string | null = null;
      try {
        run(datasets, chunks);
      } catch (thrown) {
        said = (thrown as Error).message;
      }
      expect([text, said === null ? null : without_place(said)]).toEqual([text, error]);
    }
  });

  test("a chunk that cannot be read is reported in its batch's place", () => {
    const [unreadable] = of_kind<ChunkCase>("unreadable");
    expect(epochs(chunk_dataset({ ...small, sizes: [-1] }))).toEqual(unreadable.epochs);
  });

  test("go through a loader, also mapped and shared; an epoch that was saved goes on", () => {
    const options = torch.data.DataLoaderOptions(2);
    const sums = new transforms.BatchLambda((batch: number[]) => batch.reduce((a, b) => a + b, 0));
    const entry = { ...small, sizes: [3, 2, 1] };
    expect([...torch.data.make_data_loader(chunk_dataset(entry), options)]).toEqual([
      [0, 1],
      [2, 3],
      [4, 5],
    ]);
    expect([...torch.data.make_data_loader(chunk_dataset(entry).map(sums), options)]).toEqual([1, 5, 9]);
    const shared = datasets.make_shared_dataset(chunk_dataset(entry));
    expect([...torch.data.make_data_loader(shared, options)].length).toBe(3);

    const first = chunk_dataset(entry);
    first.reset();
    first.get_batch();
    const archive = new torch.serialize.OutputArchive();
    first.save(archive);
    const parts: Uint8Array[] = [];
    archive.save_to((data) => void parts.push(data.slice()));
    const bytes = Buffer.concat(parts);
    const second = chunk_dataset(entry);
    const read = new torch.serialize.InputArchive();
    read.load_from(bytes);
    second.reset(); // gives the sampler its size
    second.load(read);
    second.reset();
    expect(second.get_batch()).toEqual([3, 4]); // the first chunk has been given out
  });
});
