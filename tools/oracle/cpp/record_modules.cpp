// Every module: its text, its parameters after a seed, a forward pass and the gradients of its sum.
#include "recorder.h"

using namespace torch::nn;
namespace F = torch::nn::functional;

template <typename Make, typename Call>
void module_case(const char* text, const char* args, Make make, Call call) {
  torch::manual_seed(0);
  Line line("module", text);
  line.field("args", quoted(args));
  auto module = make();
  std::ostringstream printed;
  printed << *module;
  line.field("printed", quoted(printed.str()));
  line.field("parameters", json_dict(module->named_parameters()));
  line.field("buffers", json_dict(module->named_buffers()));
  try {
    auto output = call(module);
    line.field("output", json(output));
    auto total = first(output);
    if (total.requires_grad()) {
      total.mul(y(total.sizes().vec())).sum().backward();
      std::string gradients = "{";
      for (const auto& item : module->named_parameters())
        gradients += (gradients.size() > 1 ? "," : "") + quoted(item.key()) + ":" + json(item.value().defined() ? item.value().grad() : Tensor());
      line.field("gradients", gradients + "}");
    }
    line.field("after", json_dict(module->named_buffers()));
  } catch (const c10::Error& error) {
    line.field("error", quoted(error.what_without_backtrace()));
  }
  line.write();
}

#define MODULE(MAKE, ...) \
  module_case(#MAKE, #__VA_ARGS__, [&] { return MAKE; }, [&](auto& module) { return module(__VA_ARGS__); });
#define SEQUENTIAL(MAKE, ...) \
  module_case(#MAKE, #__VA_ARGS__, [&] { return MAKE; }, [&](auto& module) { return module->forward(__VA_ARGS__); });

void record_modules() {
#include "modules.inc"
}
