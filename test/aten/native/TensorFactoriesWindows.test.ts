import torch from "glasstorch";
import { describe, expect, it } from "vitest";
import { assert_close } from "#torch/testing/index";

const windows = {
  bartlett_window: torch.bartlett_window,
  blackman_window: torch.blackman_window,
  hamming_window: torch.hamming_window,
  hann_window: torch.hann_window,
  kaiser_window: torch.kaiser_window,
};

describe.each(Object.entries(windows))("%s", (name, window) => {
  it("is the symmetric one of a point more, without its last", () => {
    assert_close(window(8), window(9, false).narrow(0, 0, 8));
    assert_close(window(9, false).flip([0]), window(9, false));
  });

  it("is 1 in the middle, and of one point", () => {
    assert_close(window(9, false).select(0, 4), torch.tensor(1, { dtype: torch.float32 }));
    expect([window(1).tolist(), window(0).tolist()]).toEqual([[1], []]);
  });

  it("refuses integers and less than nothing", () => {
    expect(() => window(4, { dtype: torch.int64 })).toThrow(`${name} expects floating point dtypes`);
    expect(() => window(-1)).toThrow(`${name} requires non-negative window_length, got window_length=-1`);
  });
});

it("Hann's on Meta is a decomposition, which converts at its end", () => {
  const options = { device: "meta", dtype: torch.int64 };
  expect(torch.hann_window(5, options).dtype).toBe(torch.int64);
});
