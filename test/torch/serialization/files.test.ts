/**
 * @file `torch.save` and `torch.load` as they are called: places to write to and read from, devices, what is kept of a value.
 */
import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { afterAll, describe, expect, test, vi } from "vitest";
import { setWarningHandler } from "#c10/util/Exception";
import { PyTorchFileReader } from "#torch/_C";
import torch, { type Tensor } from "../../../src/index.ts";
import { OrderedDict } from "../../../src/torch/_collections.ts";
import { TypedStorage } from "../../../src/torch/storage/typed.ts";
import { vectors_everywhere } from "../../helpers/vectors.ts";

const recorded = JSON.parse(
  gunzipSync(readFileSync(new URL("../../fixtures/files/files.json.gz", import.meta.url))).toString(),
);
const folder = mkdtempSync(join(tmpdir(), "glasstorch-files-"));
afterAll(() => rmSync(folder, { recursive: true }));
const place = (name: string): string => join(folder, name);

function thrown(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was thrown");
}

/** A file as Python has it, in memory. */
class BytesIO {
  bytes = new Uint8Array(0);
  pos = 0;
  flushed = 0;

  write(data: Uint8Array): void {
    this.bytes = new Uint8Array(Buffer.concat([this.bytes.subarray(0, this.pos), data]));
    this.pos += data.length;
  }

  flush(): void {
    this.flushed++;
  }

  read(n: number): Uint8Array {
    const data = this.bytes.slice(this.pos, this.pos + n);
    this.pos += data.length;
    return data;
  }

  seek(offset: number, whence = 0): void {
    this.pos = whence === 2 ? this.bytes.length + offset : offset;
  }

  tell(): number {
    return this.pos;
  }
}

describe("a place to write to and to read from", () => {
  const x = torch.arange(6).reshape([2, 3]);

  test("a path; the folder in the archive has the file's name", () => {
    expect(torch.save(x, place("some.name.pt"))).toBeNull();
    expect(String(torch.load(place("some.name.pt")))).toBe(String(x));
    expect(readFileSync(place("some.name.pt"), "latin1")).toContain("some.name/data.pkl");
  });
  test("an address of a file, also with letters that are not ASCII", () => {
    const url = pathToFileURL(place("Gewicht ä.pt"));
    torch.save(x, url);
    expect(existsSync(place("Gewicht ä.pt"))).toBe(true);
    expect(String(torch.load(url))).toBe(String(x));
    expect(readFileSync(place("Gewicht ä.pt"), "latin1")).toContain("archive/data.pkl");
  });
  test("bytes, a part of a larger array, a buffer", () => {
    const bytes = torch.save(x);
    const larger = new Uint8Array(bytes.length + 7);
    larger.set(bytes, 3);
    expect(String(torch.load(larger.subarray(3, 3 + bytes.length)))).toBe(String(x));
    expect(String(torch.load(bytes.slice().buffer))).toBe(String(x));
  });
  test("an array that has room", () => {
    const bytes = torch.save(x);
    const room = new Uint8Array(10_000);
    const part = torch.save(x, room);
    expect(part.buffer).toBe(room.buffer);
    expect(Buffer.compare(part, bytes)).toBe(0);
    expect(() => torch.save(x, new Uint8Array(10))).toThrow(
      `the file has ${bytes.length} bytes, and there is room for 10`,
    );
  });
  test("a stream, which another file may follow", () => {
    const stream = new BytesIO();
    torch.save(x, stream, { _use_new_zipfile_serialization: false });
    torch.save("next", stream, { _use_new_zipfile_serialization: false });
    torch.save("last", stream);
    expect(stream.flushed).toBe(3);
    stream.seek(0);
    expect(String(torch.load(stream))).toBe(String(x));
    expect(torch.load(stream)).toBe("next");
    expect(torch.load(stream)).toBe("last");
  });
  test("what is no place", () => {
    expect(() => torch.save(x, 3 as never)).toThrow(
      "expected 'f' to be string, path, or a file-like object with a 'write' attribute",
    );
    expect(() => torch.load(3 as never)).toThrow(
      "'int' object has no attribute 'seek'. You can only torch.load from a file that is seekable. Please pre-load the data into a buffer like io.BytesIO and try to load from it instead.",
    );
    expect(thrown(() => torch.load(place("none.pt")))).toMatchObject({
      name: "FileNotFoundError",
      message: `[Errno 2] No such file or directory: '${place("none.pt")}'`,
    });
    expect(() => torch.save(x, place("no/x.pt"))).toThrow(`Parent directory ${place("no")} does not exist.`);
    expect(() => torch.save(x, place(".pt"))).toThrow("invalid file name");
    expect(thrown(() => torch.load(folder)).name).toBe("IsADirectoryError");
  });
  test("an error of the system is Python's, whatever its code", () => {
    const { serialization } = torch;
    const long = place("x".repeat(300));
    const raised = (run: () => unknown, type: new (...args: never[]) => Error, message: string): void => {
      const error = thrown(run);
      expect(error).toBeInstanceOf(type);
      expect(error).toMatchObject({ name: type.name, message });
    };
    for (const run of [() => torch.load(long), () => torch.save(x, long)])
      raised(run, serialization.OSError, `[Errno 36] File name too long: '${long}'`);
    raised(() => torch.load(folder), serialization.IsADirectoryError, `[Errno 21] Is a directory: '${folder}'`);
    raised(() => torch.save(x, folder), serialization.IsADirectoryError, `[Errno 21] Is a directory: '${folder}'`);
    raised(() => torch.save(x, "/dev/full"), serialization.OSError, "[Errno 28] No space left on device: '/dev/full'");
    torch.save(x, place("file"));
    const below = place("file/x.pt");
    raised(() => torch.load(below), serialization.NotADirectoryError, `[Errno 20] Not a directory: '${below}'`);
    symlinkSync("loop.pt", place("loop.pt"));
    raised(
      () => torch.load(place("loop.pt")),
      serialization.OSError,
      `[Errno 40] Too many levels of symbolic links: '${place("loop.pt")}'`,
    );
    raised(
      () => torch.load(place("none.safetensors")),
      serialization.FileNotFoundError,
      `[Errno 2] No such file or directory: '${place("none.safetensors")}'`,
    );
    const missing = thrown(() => torch.load("")) as InstanceType<typeof serialization.OSError>;
    expect(missing).toBeInstanceOf(serialization.OSError);
    expect(missing).toMatchObject({ errno: 2, strerror: "No such file or directory", filename: "" });
    expect(thrown(() => new PyTorchFileReader("none"))).toMatchObject({
      name: "RuntimeError",
      message: "open file failed because of errno 2 on fopen: No such file or directory, file path: none",
    });
  });
  test.each<[string, string, number, string]>([
    ["EMFILE", "too many open files", -24, "[Errno 24] Too many open files"],
    ["EROFS", "read-only file system", -30, "[Errno 30] Read-only file system"],
    ["EDQUOT", "disk quota exceeded", -122, "[Errno 122] Disk quota exceeded"],
    ["EIO", "i/o error", -5, "[Errno 5] Input/output error"],
    ["EREMOTEIO", "remote I/O error", -121, "[Errno 121] Remote I/O error"],
  ])("%s", (code, text, errno, message) => {
    for (const name of ["openSync", "readSync"] as const) {
      const spy = vi.spyOn(fs, name).mockImplementation(() => {
        throw Object.assign(new Error(`${code}: ${text}, ${name.slice(0, 4)} 'some path'`), { code, errno });
      });
      try {
        expect(thrown(() => torch.load(place("file")))).toMatchObject({ message: `${message}: '${place("file")}'` });
      } finally {
        spy.mockRestore();
      }
    }
  });
  test("a path that is none", () => {
    for (const nul of ["a\0b", new URL("file:///a%00b")])
      for (const run of [() => torch.load(nul), () => torch.save(x, nul), () => torch.safetensors.load_file(nul)])
        expect(thrown(run)).toMatchObject({ name: "ValueError", message: "embedded null byte" });
    for (const [url, why] of [
      ["file:///%ff.pt", "its percent-encoding is malformed"],
      ["file://host/x.pt", "the host of a file must be empty or localhost"],
      ["file:///a%2Fb.pt", "it must not contain an encoded slash"],
    ] as const)
      for (const run of [() => torch.load(new URL(url)), () => torch.save(x, new URL(url))])
        expect(thrown(run)).toMatchObject({ name: "ValueError", message: `${url} is no path: ${why}` });
  });
  test("a plain object with read or write is a file", () => {
    const { read, write, seek, tell, flush } = BytesIO.prototype;
    const file = { bytes: new Uint8Array(0), pos: 0, flushed: 0, read, write, seek, tell, flush };
    const bare = Object.assign(Object.create(null), file);
    for (const f of [file, bare]) {
      expect(torch.save(x, f)).toBe(null);
      expect(torch.save(x, f, { _use_new_zipfile_serialization: true })).toBe(null);
      f.pos = 0;
      expect((torch.load(f) as Tensor).equal(x)).toBe(true);
      f.pos = 0;
      expect((torch.load(f, { weights_only: true }) as Tensor).equal(x)).toBe(true);
      f.pos = 0;
      expect((torch.load({ f } as never) as Tensor).equal(x)).toBe(true);
      f.pos = 0;
      expect(torch.serialization.get_unsafe_globals_in_checkpoint(f)).toEqual([]);
    }
    const written: Uint8Array[] = [];
    const only_write = { write: (data: Uint8Array) => written.push(data) };
    expect(torch.save(x, only_write)).toBe(null);
    expect((torch.load(Buffer.concat(written)) as Tensor).equal(x)).toBe(true);
    const tensors = { bytes: torch.safetensors.save({ x }), pos: 0, read, seek, tell };
    expect(torch.safetensors.load_file(tensors)["x"]?.equal(x)).toBe(true);
    expect(torch.save(x, {})).toBeInstanceOf(Uint8Array);
    expect(thrown(() => torch.save(x, { write: 5 } as never)).message).toBe(
      "save() got an unexpected keyword argument 'write'",
    );
  });
  test("a file object that gives no bytes is refused", () => {
    const file = (read: () => unknown, tell: () => unknown = () => 0) => ({ read, tell, seek: () => 0 }) as never;
    for (const [given, type] of [
      ["abc", "str"],
      [null, "NoneType"],
      [Promise.resolve(new Uint8Array(4)), "Promise"],
    ] as const)
      expect(thrown(() => torch.load(file(() => given)))).toMatchObject({
        name: "AssertionError",
        message: `Expected bytes, got ${type}`,
      });
    expect(
      thrown(() =>
        torch.load(
          file(
            () => new Uint8Array(4),
            () => "0",
          ),
        ),
      ).message,
    ).toBe("'str' object cannot be interpreted as an integer");
  });
  test("a value that has no counterpart leaves the file that stood there", () => {
    torch.save("before", place("kept.pt"));
    const refused = thrown(() => torch.save({ x, f: () => 1 }, place("kept.pt")));
    expect(refused.name).toBe("PicklingError");
    expect(refused.message).toContain("Can't pickle <function f>: attribute lookup f on __main__ failed");
    expect(torch.load(place("kept.pt"))).toBe("before");
    expect(() => torch.save(new torch.nn.Linear(1, 1))).toThrow("save the state_dict()");
    expect(() => torch.save({ d: new Date() })).toThrow("cannot pickle 'Date' object");
  });
});

describe("a module and its optimizer", () => {
  test.skipIf(vectors_everywhere)("the file is PyTorch's, byte for byte", () => {
    torch.manual_seed(0);
    const layers = [
      new torch.nn.Linear(3, 4),
      new torch.nn.PReLU(4),
      new torch.nn.Sequential(new torch.nn.Linear(4, 4, { bias: false }), new torch.nn.Dropout(0.25)),
      new torch.nn.Linear(4, 2),
    ] as const;
    const net = new torch.nn.Sequential(...layers);
    net.register_buffer("steps", torch.tensor(7));
    const groups = [{ params: layers[0].parameters() }, { params: layers[1].parameters(), lr: 0.5 }];
    const optimizer = new torch.optim.SGD(groups, { lr: 0.1, momentum: 0.9 });
    for (let i = 0; i < 2; i++) {
      for (const p of net.parameters()) p.grad = torch.full_like(p, 0.5);
      optimizer.step();
    }
    const parts = [layers[3].state_dict(), layers[3].weight];
    const bytes = torch.save({ model: net.state_dict(), optimizer: optimizer.state_dict(), epoch: 12, parts });
    const theirs = Buffer.from(recorded.files.find(({ name }: { name: string }) => name === "seeded").file, "base64");
    expect(Buffer.compare(bytes, theirs)).toBe(0);
  });

  test("an optimizer whose second parameter had the first gradient", () => {
    const parameters = [torch.zeros([1], { requires_grad: true }), torch.zeros([1], { requires_grad: true })];
    const optimizer = new torch.optim.SGD(parameters, { momentum: 0.5 });
    const { param_groups } = optimizer.state_dict();
    const buffer = (value: number) => ({ momentum_buffer: torch.tensor([value], { dtype: torch.float32 }) });
    const state = new Map([
      [1, buffer(1)],
      [0, buffer(2)],
    ]);
    const loaded = torch.load(torch.save({ state, param_groups })) as { state: unknown };
    expect(loaded.state).toBeInstanceOf(Map); // an object would turn the order round
    optimizer.load_state_dict(loaded as never);
    expect(parameters.map((p) => (optimizer.state.get(p) as ReturnType<typeof buffer>).momentum_buffer.item())).toEqual(
      [2, 1],
    );
  });

  test("what was saved is what goes on", () => {
    const make = () => {
      const net = new torch.nn.Linear(2, 2);
      return { net, optimizer: new torch.optim.SGD(net.parameters(), { lr: 0.1, momentum: 0.9 }) };
    };
    const step = ({ net, optimizer }: ReturnType<typeof make>) => {
      optimizer.zero_grad();
      net(torch.ones([1, 2]))
        .mul(net(torch.ones([1, 2])))
        .sum()
        .backward();
      optimizer.step();
    };
    const first = make();
    step(first);
    torch.save({ net: first.net.state_dict(), optimizer: first.optimizer.state_dict() }, place("both.pt"));
    const second = make();
    const loaded = torch.load(place("both.pt")) as { net: Map<string, Tensor>; optimizer: never };
    expect(String(second.net.load_state_dict(loaded.net))).toBe("<All keys matched successfully>");
    second.optimizer.load_state_dict(loaded.optimizer);
    step(first);
    step(second);
    expect(second.net.weight.tolist()).toEqual(first.net.weight.tolist());
    expect(second.optimizer.state_dict().param_groups).toEqual(first.optimizer.state_dict().param_groups);
    expect(loaded.net).toBeInstanceOf(OrderedDict);
  });
});

describe("tensors", () => {
  test("a storage is written once, and shared again", () => {
    const base = torch.zeros([1000]);
    const bytes = torch.save({ base, part: base.at({ start: 10, stop: 12 }) });
    expect(bytes.length).toBeLessThan(6000);
    const { base: b, part } = torch.load(bytes) as { base: Tensor; part: Tensor };
    part.fill_(3);
    expect(b.at(10).item()).toBe(3);
    expect(part.untyped_storage()).toBe(b.untyped_storage());
    expect(base.at(10).item()).toBe(0);
  });
  test("a loaded tensor has memory of its own, at whatever offset the bytes stood", () => {
    const bytes = torch.save(torch.arange(3));
    const x = torch.load(bytes) as Tensor;
    x.add_(1);
    expect((torch.load(bytes) as Tensor).tolist()).toEqual([0, 1, 2]);
  });
  test("a leaf of the graph stays one", () => {
    const x = torch.load(torch.save(torch.ones([2], { requires_grad: true }).mul(2))) as Tensor;
    expect([x.requires_grad, x.is_leaf]).toEqual([true, true]);
  });
  test("a storage comes back with a dtype, as in PyTorch", () => {
    const bytes = torch.save(torch.tensor([1, 2], { dtype: torch.uint8 }).untyped_storage());
    const loaded = torch.load(bytes) as { tolist(): number[]; size(): number; nbytes(): number };
    expect([loaded.tolist(), loaded.size(), loaded.nbytes()]).toEqual([[1, 2], 2, 2]);
    expect(String(loaded)).toBe(" 1\n 2\n[torch.storage.TypedStorage(dtype=torch.uint8, device=cpu) of size 2]");
    const typed = TypedStorage.wrap(torch.tensor([1.5, 2, Number.NaN]).untyped_storage(), torch.float32);
    expect(String(typed)).toBe(
      " 1.5\n 2.0\n nan\n[torch.storage.TypedStorage(dtype=torch.float32, device=cpu) of size 3]",
    );
    expect(String(torch.load(torch.save(typed)))).toBe(String(typed));
  });
  test("one storage under two dtypes is refused", () => {
    const x = torch.zeros([2]);
    expect(() => torch.save([x, x.view(torch.int32)])).toThrow(
      "Cannot save multiple tensors or storages that view the same data as different types",
    );
  });
  test("a file of a machine whose bytes stand the other way round", () => {
    const file = torch.save(torch.tensor([1, 256], { dtype: torch.int16 }));
    const swapped = Buffer.from(file);
    // The same length, so that all places stay; the sums of what changes are taken out (0: not computed).
    swapped.write("   big", swapped.indexOf("little"), "latin1");
    expect(() => torch.load(swapped)).toThrow("CRC-32 check failed");
    const big = torch.load(Buffer.from(recorded.big_endian, "base64")) as Tensor;
    expect(big.tolist()).toEqual([
      [1, 2, -3],
      [0.5, 256, 65536],
    ]);
  });
});

describe("where tensors go", () => {
  const file = torch.save({ a: torch.ones([2]), p: new torch.nn.Parameter(torch.ones([3])) });
  test("to meta: nothing is read, and the place in the file is known", () => {
    const { a } = torch.load(file, { map_location: "meta" }) as { a: Tensor };
    expect([a.is_meta, a.shape]).toEqual([true, [2]]);
    expect(((a.untyped_storage() as { _checkpoint_offset?: number })._checkpoint_offset ?? 1) % 64).toBe(0);
  });
  test("a dict, a Map, a device, a function", () => {
    const seen: string[] = [];
    for (const map_location of [{ cpu: "meta" }, new Map([["cpu", "meta"]]), torch.device("meta")])
      expect((torch.load(file, { map_location }) as { a: Tensor }).a.is_meta).toBe(true);
    const { a } = torch.load(file, (_storage: unknown, location: string) => {
      seen.push(location);
      return null;
    }) as { a: Tensor };
    expect([a.is_cpu, seen]).toEqual([true, ["cpu", "cpu"]]);
  });
  test("a backend's own rule comes in its order", () => {
    torch.serialization.register_package(
      5,
      () => null,
      (storage, location) => (location === "elsewhere" ? storage : null),
    );
    expect((torch.load(file, { map_location: "elsewhere" }) as { a: Tensor }).a.tolist()).toEqual([1, 1]);
  });
});

describe("read when it is asked for", () => {
  test("with mmap a storage is read at its first element", () => {
    torch.save({ x: torch.arange(1000), y: torch.ones([3]) }, place("lazy.pt"));
    const { x, y } = torch.load(place("lazy.pt"), { mmap: true }) as { x: Tensor; y: Tensor };
    expect(x.shape).toEqual([1000]);
    expect(x.at(7).item()).toBe(7);
    x.add_(1); // as mapped for this process only: the file stays
    expect((torch.load(place("lazy.pt")) as { x: Tensor }).x.at(7).item()).toBe(7);
    writeFileSync(place("lazy.pt"), "other");
    expect(x.at(7).item()).toBe(8);
    // PyTorch's process ends with SIGBUS here: its page lies behind the end of the file.
    expect(() => y.sum()).toThrow("PytorchStreamReader failed reading file data/1: the file became shorter");
  });
  test("what is mapped has no checksum", () => {
    torch.save(torch.arange(4), place("damaged.pt"));
    const bytes = readFileSync(place("damaged.pt"));
    bytes[bytes.indexOf(Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 2]))] = 9;
    writeFileSync(place("damaged.pt"), bytes);
    const x = torch.load(place("damaged.pt"), { mmap: true }) as Tensor;
    expect(x.tolist()).toEqual([0, 9, 2, 3]); // as PyTorch 2.13.0
  });

  // The same steps in PyTorch 2.13.0, `m = torch.load(p, mmap=True)` of `{"x": torch.full((1000,), 1.0), "y": torch.arange(5.0)}`:
  //   os.chdir("/")                    m["y"] is [0, 1, 2, 3, 4], m["x"].sum() 1000
  //   os.rename(p, q); os.unlink(q)    the same
  //   os.unlink(p), then a new file    m still has the old values, a second load the new ones
  //   torch.save over it               the same inode is written again: m["x"].sum() is that of the new file
  //   a["x"].fill_(7) of two loads     b["x"] and the file keep 1
  interface Mapped {
    readonly x: Tensor;
    readonly y: Tensor;
  }
  const file = place("mapped.pt");
  const write = (value: number): void => {
    torch.save({ x: torch.full([1000], value, { dtype: torch.float32 }), y: torch.arange(5).to(torch.float32) }, file);
  };
  const mapped = (path = file): Mapped => torch.load(path, { mmap: true }) as Mapped;
  const sum = ({ x }: Mapped): unknown => x.sum().item();
  const as_written = (m: Mapped, value = 1000): void => {
    expect([m.y.tolist(), sum(m)]).toEqual([[0, 1, 2, 3, 4], value]);
  };
  test("a relative path may lead elsewhere later", () => {
    mkdirSync(place("inner"));
    torch.save({ x: torch.full([1000], 1, { dtype: torch.float32 }), y: torch.arange(5) }, place("inner/m.pt"));
    const m = mapped(relative(process.cwd(), place("inner/m.pt")));
    renameSync(place("inner"), place("other")); // a worker cannot change its directory
    as_written(m);
  });
  test("the file may be renamed and deleted", () => {
    write(1);
    const m = mapped();
    renameSync(file, `${file}2`);
    expect(m.y.tolist()).toEqual([0, 1, 2, 3, 4]);
    unlinkSync(`${file}2`);
    as_written(m);
  });
  test("a new file of the name is another file", () => {
    write(1);
    const m = mapped();
    unlinkSync(file);
    write(2);
    as_written(m);
    as_written(mapped(), 2000);
  });
  test("a file that is written over shows its new bytes", () => {
    write(1);
    const m = mapped();
    const before = readFileSync(file);
    write(3); // a save replaces the file: who has the old one open keeps it
    const after = readFileSync(file);
    as_written(mapped(), 3000);
    write(1);
    const again = mapped();
    expect(before.length).toBe(after.length);
    writeFileSync(file, after); // in place
    as_written(again, 3000);
    as_written(m, 1000);
  });
  test("two loads do not see each other's writes", () => {
    write(1);
    const [a, b] = [mapped(), mapped()];
    a.x.fill_(7);
    expect([sum(a), sum(b), sum(torch.load(file) as Mapped)]).toEqual([7000, 1000, 1000]);
  });
  test("a descriptor stays open until all is read", () => {
    // the descriptors of this file only: the process opens and closes others meanwhile
    const open = (): number => readdirSync("/proc/self/fd").filter((fd) => target(fd) === realpathSync(file)).length;
    const target = (fd: string): string | null => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return null; // closed meanwhile
      }
    };
    write(1);
    expect(open()).toBe(0);
    const m = mapped();
    expect(open()).toBe(1);
    as_written(m);
    expect(open()).toBe(0);
  });
});

describe("classes of a user", () => {
  class Config {
    rate = 0.5;
    layers: unknown = [1, { deep: new Map([[1, 2]]) }];
    constructor() {
      Config.made++;
    }
    static made = 0;
  }
  test("are refused, and allowed", () => {
    expect(() => torch.save({ config: new Config() })).toThrow("cannot pickle 'Config' object");
    const bytes = torch.serialization.safe_globals([Config], () => torch.save({ config: new Config() }));
    const refused = thrown(() => torch.load(bytes));
    expect(refused.name).toBe("UnpicklingError");
    expect(refused.message).toContain(
      "WeightsUnpickler error: Unsupported global: GLOBAL __main__.Config was not an allowed global by default.",
    );
    expect(torch.serialization.get_unsafe_globals_in_checkpoint(bytes)).toEqual(["__main__.Config"]);
    torch.serialization.add_safe_globals([Config]);
    const made = Config.made;
    const { config } = torch.load(bytes) as { config: Config };
    expect(config).toBeInstanceOf(Config);
    expect(config).toEqual({ rate: 0.5, layers: [1, { deep: { 1: 2 } }] });
    expect(Config.made).toBe(made); // as `__new__`: no constructor runs
    torch.serialization.clear_safe_globals();
    expect(() => torch.load(bytes)).toThrow("Unsupported global");
  });
  test("under the name that Python has for them", () => {
    torch.serialization.safe_globals([[Config, "project.config.Config"]], () => {
      const bytes = torch.save(new Config());
      expect(Buffer.from(bytes).includes("project.config\nConfig\n")).toBe(true);
      expect(torch.load(bytes)).toBeInstanceOf(Config);
    });
  });
});

describe("classes of tensors", () => {
  class Labelled extends torch.Tensor {
    label = "";
  }
  test("with their properties", () => {
    const x = torch.ones([2]).as_subclass(Labelled as never) as unknown as Labelled;
    x.label = "two";
    torch.serialization.safe_globals([Labelled], () => {
      const loaded = torch.load(torch.save(x)) as Labelled;
      expect(loaded).toBeInstanceOf(Labelled);
      expect([loaded.label, loaded.tolist()]).toEqual(["two", [1, 1]]);
    });
    expect(() => torch.save(x)).toThrow("Can't pickle <function Labelled>");
  });
  test("hooks are not saved, and that is said", () => {
    const said: string[] = [];
    const before = setWarningHandler(({ msg }) => said.push(msg));
    const x = torch.ones([1], { requires_grad: true });
    x.register_hook(() => undefined);
    torch.save(x);
    setWarningHandler(before);
    expect(said).toEqual([expect.stringContaining("on tensor will not be serialized.")]);
  });
});

describe("options", () => {
  test("a file that does not say how its bytes stand", () => {
    const { LoadEndianness, set_default_load_endianness } = torch.serialization;
    const bytes = torch.save(torch.tensor([1], { dtype: torch.int16 }), null, { _disable_byteorder_record: true });
    set_default_load_endianness(LoadEndianness.BIG);
    expect((torch.load(bytes) as Tensor).tolist()).toEqual([256]);
    set_default_load_endianness(null);
    expect((torch.load(bytes) as Tensor).tolist()).toEqual([1]);
  });
  test("shared memory", () => {
    const bytes = torch.save("text");
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    expect(torch.load(shared)).toBe("text");
  });
  test("weights_only=False allows nothing more", () => {
    const bytes = torch.serialization.safe_globals([BytesIO], () => torch.save(new BytesIO()));
    expect(thrown(() => torch.load(bytes, { weights_only: false })).message).toContain("Unsupported global");
  });
  test("no sums", () => {
    torch.serialization.set_crc32_options(false);
    const bytes = torch.save(torch.ones([2]));
    torch.serialization.set_crc32_options(true);
    expect((torch.load(bytes) as Tensor).tolist()).toEqual([1, 1]);
    expect(Buffer.from(bytes).includes("0561108523619670529")).toBe(false);
  });
  test("another protocol, another pickle", () => {
    expect(() => torch.save(1, null, { pickle_protocol: 4 as never })).toThrow("only 2 is built");
    expect(() => torch.load(torch.save(1), null, { pickle_module: {} } as never)).toThrow(
      "there is one pickle module here",
    );
    expect(() => torch.load(torch.save(1), { pickle_module: {}, weights_only: true } as never)).toThrow(
      "Can not safely load weights when explicit pickle_module is specified",
    );
  });
  test("a value too deep, or one inside itself in a tuple", () => {
    let deep: unknown[] = [];
    for (let i = 0; i < 2000; i++) deep = [deep];
    expect(() => torch.save(deep)).toThrow("maximum recursion depth exceeded while pickling an object");
  });
});
