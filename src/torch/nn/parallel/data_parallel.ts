/**
 * @file `nn.DataParallel` on a machine without CUDA devices: a wrapper with the given module as its member `module`.
 * @mirrors torch/nn/parallel/data_parallel.py
 * @differs Ours never splits a batch over devices, since there is at most one; PyTorch splits it over all CUDA devices.
 */
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import { Module } from "#torch/nn/modules/module/index";

const DataParallel_init = new Init(
  "DataParallel.__init__(self, module, device_ids=None, output_device=None, dim=0)",
  types<[module: Module, device_ids: readonly unknown[] | null, output_device: unknown, dim: number]>,
);

/** Calls `module`. The names of its parameters begin with `module.`, as in files saved from several devices. */
export class DataParallel extends Module {
  static readonly __module__: string = "torch.nn.parallel.data_parallel";

  declare readonly module: Module;
  /** The CUDA devices; always empty. */
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
