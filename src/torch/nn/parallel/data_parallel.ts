/**
 * @file `nn.DataParallel` where there are no cards: the module it was given, under the name `module`.
 * @mirrors torch/nn/parallel/data_parallel.py
 * @differs Batches are not spread over devices: there is at most one.
 */
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import { Module } from "#torch/nn/modules/module/index";

const DataParallel_init = new Init(
  "DataParallel.__init__(self, module, device_ids=None, output_device=None, dim=0)",
  types<[module: Module, device_ids: readonly unknown[] | null, output_device: unknown, dim: number]>,
);

/** Calls `module`. Its parameters have their names behind `module.`, as files that were saved on several cards have them. */
export class DataParallel extends Module {
  static readonly __module__: string = "torch.nn.parallel.data_parallel";

  declare readonly module: Module;
  /** The cards: none. */
  readonly device_ids: readonly number[];

  static {
    def_methods(DataParallel, { __init__: DataParallel_init, forward: "(self, *inputs, **kwargs)" });
  }

  constructor(...args: InitArgs<typeof DataParallel_init>) {
    const [module] = DataParallel_init.bind(args);
    super();
    this.module = module;
    this.device_ids = [];
  }

  override forward(...given: unknown[]): unknown;
  override forward(inputs: unknown[], kwargs: Record<string, unknown>): unknown {
    return Object.keys(kwargs).length === 0 ? this.module(...inputs) : this.module(...inputs, kwargs);
  }
}
