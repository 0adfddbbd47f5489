/**
 * @file Recordings that are part of the page.
 * @original
 */
export interface Sample {
  readonly path: string;
  readonly title: string;
  readonly note: string;
}

export const samples: readonly Sample[] = [
  { path: "samples/prelu.json", title: "nn.PReLU()(x)", note: "forward, from the module down to the loop" },
  { path: "samples/prelu-backward.json", title: "y.backward(gradient)", note: "the engine runs four nodes" },
  {
    path: "samples/prelu-torch.json",
    title: "nn.PReLU in PyTorch itself",
    note: "a Chrome trace that torch.profiler wrote",
  },
];

/** Side file with the dispatch tables of the samples' operators. */
export const sampleTables = "samples/tables.json";
