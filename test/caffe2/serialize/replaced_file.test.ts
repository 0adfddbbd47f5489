/**
 * Saving over a file: whatever goes wrong, the old file is complete until the new one is. See Note [A save is all or nothing].
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import torch from "glasstorch";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { WITH_LIBRARY } from "../../../tools/module_loader/with_library.ts";

const folder = fs.mkdtempSync(join(tmpdir(), "glasstorch-save-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

const path = join(folder, "model.pt");
const listing = (): string[] => fs.readdirSync(folder).sort();
const value = (at = path): number => (torch.load(at) as { item(): number }[])[0]!.item();

beforeEach(() => {
  for (const name of listing()) fs.rmSync(join(folder, name));
  torch.save([torch.tensor(1)], path);
});

const savers: Readonly<Record<string, (at: string) => unknown>> = {
  "torch.save": (at) => torch.save([torch.tensor(2), torch.ones([20_000])], at),
  "torch.save, legacy": (at) => torch.save([torch.tensor(2)], at, { _use_new_zipfile_serialization: false }),
  "safetensors.save_file": (at) => torch.safetensors.save_file({ x: torch.tensor([2]) }, at),
};

/** The calls that a save makes to the file system. */
const CALLS = ["openSync", "fchmodSync", "writeSync", "fsyncSync", "closeSync", "renameSync", "rmSync"] as const;

/** Lets the calls fail from the `first` on: one of them, as an error does, or all, as the end of the process does. */
function fail(first: number, how: "once" | "from then on"): void {
  let calls = 0;
  for (const name of CALLS) {
    const real = fs[name] as (...args: unknown[]) => unknown;
    vi.spyOn(fs, name as "rmSync").mockImplementation((...args: unknown[]) => {
      const at = calls++;
      if (how === "once" ? at === first : at >= first)
        throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", errno: -28 });
      return real(...args) as undefined;
    });
  }
}

describe.each(Object.keys(savers))("%s", (name) => {
  const save = savers[name]!;
  const is_archive = name !== "safetensors.save_file";

  test.each(["once", "from then on"] as const)(
    "a failure at any call, %s, leaves the old file or the new one",
    (how) => {
      const before = fs.readFileSync(path);
      let finished = 0;
      for (let first = 0; finished < 2; first++) {
        fs.writeFileSync(path, before);
        fail(first, how);
        let error: unknown = null;
        try {
          save(path);
        } catch (thrown) {
          error = thrown;
        }
        vi.restoreAllMocks();
        const now = fs.readFileSync(path);
        if (error === null) {
          finished++;
          expect(now.equals(before)).toBe(false);
          if (is_archive) expect(value()).toBe(2);
        } else {
          expect(error).toBeInstanceOf(torch.serialization.OSError);
          expect((error as Error).message).toBe(`[Errno 28] No space left on device: '${path}'`);
          if (!now.equals(before) && is_archive) expect(value()).toBe(2);
        }
        if (how === "once" && first > 0) expect(listing()).toEqual(["model.pt"]);
        for (const left of listing()) if (left !== "model.pt") fs.rmSync(join(folder, left));
      }
    },
  );

  test("permissions stay, and nothing is left beside", () => {
    fs.chmodSync(path, 0o640);
    save(path);
    expect(fs.statSync(path).mode & 0o777).toBe(0o640);
    expect(listing()).toEqual(["model.pt"]);
  });

  test("a new file has the permissions of any new file", () => {
    save(join(folder, "new.pt"));
    fs.writeFileSync(join(folder, "other"), "");
    expect(fs.statSync(join(folder, "new.pt")).mode).toBe(fs.statSync(join(folder, "other")).mode);
  });

  test("a symbolic link stays one, and its file is replaced", () => {
    for (const [link, target] of [
      ["relative.pt", "model.pt"],
      ["absolute.pt", path],
      ["twice.pt", "relative.pt"],
      ["dangling.pt", "made.pt"],
    ] as const) {
      fs.symlinkSync(target, join(folder, link));
      save(join(folder, link));
      expect(fs.readlinkSync(join(folder, link))).toBe(target);
    }
    if (is_archive) expect([value(), value(join(folder, "made.pt"))]).toEqual([2, 2]);
  });

  test("a device is written to", () => {
    expect(() => save("/dev/null")).not.toThrow();
    expect(fs.statSync("/dev/null").isCharacterDevice()).toBe(true);
    expect(() => save("/dev/full")).toThrow("[Errno 28] No space left on device: '/dev/full'");
  });

  test.skipIf(process.getuid?.() === 0)("a file that must not be written is refused", () => {
    fs.chmodSync(path, 0o400);
    expect(() => save(path)).toThrow(torch.serialization.PermissionError);
    expect(value()).toBe(1);
  });

  test("where nothing can be created beside it, the file is written into", () => {
    const real = fs.openSync;
    vi.spyOn(fs, "openSync").mockImplementation((file, flags, mode) => {
      if (flags === "wx") throw Object.assign(new Error("EACCES: permission denied, open"), { code: "EACCES" });
      return real(file, flags, mode);
    });
    save(path);
    if (is_archive) expect(value()).toBe(2);
  });

  test("a file that is mounted by itself is written into", () => {
    const { ino } = fs.statSync(path);
    vi.spyOn(fs, "renameSync").mockImplementation(() => {
      throw Object.assign(new Error("EBUSY: resource busy or locked, rename"), { code: "EBUSY" });
    });
    save(path);
    expect(fs.statSync(path).ino).toBe(ino);
    expect(listing()).toEqual(["model.pt"]);
    if (is_archive) expect(value()).toBe(2);
  });
});

test("a value that cannot be pickled leaves the old file alone", () => {
  expect(() => torch.save([torch.ones([2]), () => 1], path)).toThrow("pickle");
  expect(value()).toBe(1);
  expect(listing()).toEqual(["model.pt"]);
});

test("names as long as the file system allows can be saved to", () => {
  const name = `${"ä".repeat(126)}.p`;
  torch.save([torch.tensor(2)], join(folder, name));
  expect(value(join(folder, name))).toBe(2);
});

test("a process that is killed at any call leaves the old file or the new one", { timeout: 300_000 }, () => {
  const run = (kill_before?: number) =>
    spawnSync(process.execPath, [...WITH_LIBRARY, "test/helpers/save_child.ts", path, String(kill_before ?? "never")], {
      encoding: "utf8",
    });
  const before = fs.readFileSync(path);
  const whole = run();
  expect(whole.stderr).toBe("");
  const after = fs.readFileSync(path);
  const calls = Number(whole.stdout);
  // Before the first write, between two, before the flush, before the rename, and after it.
  for (const at of [1, 2, Math.floor(calls / 2), calls - 6, calls - 5, calls - 4, calls - 1]) {
    fs.writeFileSync(path, before);
    const killed = run(at);
    expect(killed.signal, `call ${at} of ${calls}`).toBe("SIGKILL");
    const now = fs.readFileSync(path);
    expect(now.equals(before) || now.equals(after), `call ${at} of ${calls}`).toBe(true);
  }
});
