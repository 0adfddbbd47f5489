/** @file Npm's `webgpu` with a device that can be told to fail, through a channel that reaches this thread while the caller's is blocked. */
import { create as create_gpu } from "webgpu";

export function create(flags) {
  const gpu = create_gpu(flags);
  return {
    gpu, // the process ends when it is collected
    async requestAdapter(options) {
      const adapter = await gpu.requestAdapter(options);
      const { features, limits, info } = adapter;
      return {
        features,
        limits,
        info,
        async requestDevice(descriptor) {
          const device = await adapter.requestDevice(descriptor);
          const channel = new BroadcastChannel("webgpu-test");
          channel.unref();
          channel.onmessage = ({ data }) => (data === "exit" ? process.exit() : device.destroy());
          return device;
        },
      };
    },
  };
}
