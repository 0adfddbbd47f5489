// Functions, optimizers, refused calls, and files that torch::save writes.
#include "recorder.h"

using namespace torch::nn;
using namespace torch::optim;
namespace F = torch::nn::functional;

template <typename Call>
void function_case(const char* text, Call call) {
  torch::manual_seed(0);
  Line line("function", text);
  try {
    line.field("output", json(call()));
  } catch (const c10::Error& error) {
    line.field("error", quoted(error.what_without_backtrace()));
  }
  line.write();
}
#define FUNCTION(...) function_case(#__VA_ARGS__, [&] { return __VA_ARGS__; });

template <typename M>
void printed_case(const char* text, const M& module) {
  Line line("printed", text);
  std::ostringstream printed;
  printed << module;
  line.field("printed", quoted(printed.str()));
  line.write();
}
#define PRINTED(...) printed_case(#__VA_ARGS__, __VA_ARGS__);

template <typename Call>
void refused_case(const char* text, Call call) {
  Line line("refused", text);
  try {
    call();
    line.field("error", "null");
  } catch (const c10::Error& error) {
    line.field("error", quoted(error.what_without_backtrace()));
  } catch (const std::exception& error) {
    line.field("error", quoted(error.what()));
  }
  line.write();
}
#define REFUSED(...) refused_case(#__VA_ARGS__, [&] { (void)(__VA_ARGS__); });

std::vector<Tensor> parameters() {
  return {x({2, 3}).set_requires_grad(true), y({3}).set_requires_grad(true)};
}

/// A quartic of the parameters, so that every step has another gradient.
template <typename O>
void four_steps(const std::vector<Tensor>& p, O& optimizer) {
  for (int i = 0; i < 4; i++) {
    optimizer.step([&] {
      torch::AutoGradMode grad(true);
      optimizer.zero_grad();
      auto loss = (p[0] * p[1]).pow(2).sum() + p[0].sub(1).pow(4).sum() + p[1].pow(2).sum();
      loss.backward();
      return loss;
    });
  }
}

template <typename Make>
void optimizer_case(const char* text, const std::vector<Tensor>& p, Make make) {
  auto optimizer = make();
  four_steps(p, optimizer);
  Line line("optimizer", text);
  line.field("output", json(std::make_tuple(p[0], p[1])));
  line.write();
}
#define OPTIMIZER(...)                                        \
  {                                                           \
    auto p = parameters();                                    \
    optimizer_case(#__VA_ARGS__, p, [&] { return __VA_ARGS__; }); \
  }

void record_functions() {
#include "functional.inc"
#include "optimizers.inc"
#include "errors.inc"
}

/// The modules and optimizers whose files are exchanged.
Sequential network() {
  return Sequential(Conv2d(1, 2, 2), BatchNorm2d(2), ReLU(), Flatten(), Linear(8, 2));
}

template <typename O>
void save_optimizer(const std::string& folder, const char* name, O optimizer, const std::vector<Tensor>& p) {
  four_steps(p, optimizer);
  torch::save(optimizer, folder + "/" + name + ".pt");
  // One step more: whoever loads the file and makes this step must come to the same parameters.
  torch::save(p, folder + "/" + name + ".before.pt");
  four_steps(p, optimizer);
  Line line("loaded", name);
  line.field("output", json(std::make_tuple(p[0], p[1])));
  line.write();
}

void record_files(const std::string& folder) {
  torch::manual_seed(0);
  auto net = network();
  net->forward(x({2, 1, 3, 3}));
  torch::save(net, folder + "/net.pt");
  net->eval();
  Line line("loaded", "net");
  line.field("output", json(net->forward(x({2, 1, 3, 3}))));
  line.write();
  torch::save(x({2, 3}), folder + "/tensor.pt");
  torch::save(std::vector<Tensor>{x({2}), counting({3}, 2), y({1, 2}).to(torch::kDouble)}, folder + "/tensors.pt");
  auto pickled = torch::pickle_save(torch::IValue(x({2})));
  std::ofstream(folder + "/pickled.pt", std::ios::binary).write(pickled.data(), pickled.size());
#define SAVE(NAME, ...)                              \
  {                                                  \
    auto p = parameters();                           \
    save_optimizer(folder, NAME, __VA_ARGS__, p);    \
  }
  SAVE("sgd", SGD(p, SGDOptions(0.1).momentum(0.9)))
  SAVE("adam", Adam(p, AdamOptions(0.05).amsgrad(true)))
  SAVE("adamw", AdamW(p, AdamWOptions(0.05)))
  SAVE("adagrad", Adagrad(p, AdagradOptions(0.1).lr_decay(0.1)))
  SAVE("rmsprop", RMSprop(p, RMSpropOptions(0.05).centered(true).momentum(0.5)))
  SAVE("lbfgs", LBFGS(p, LBFGSOptions(0.5).max_iter(3).history_size(2)))
}

template <typename O>
void check_optimizer(const std::string& folder, const char* name, O optimizer, std::vector<Tensor>& p) {
  torch::load(optimizer, folder + "/" + name + ".pt");
  std::vector<Tensor> before;
  torch::load(before, folder + "/" + name + ".before.pt");
  torch::NoGradGuard no_grad;
  for (size_t i = 0; i < p.size(); i++) p[i].copy_(before[i]);
  {
    torch::AutoGradMode grad(true);
    four_steps(p, optimizer);
  }
  Line line("loaded", name);
  line.field("output", json(std::make_tuple(p[0], p[1])));
  line.write();
}

/// Reads files that another library wrote and prints the lines that `record_files` would print.
int check_files(const std::string& folder) {
  auto net = network();
  torch::load(net, folder + "/net.pt");
  net->eval();
  Line line("loaded", "net");
  line.field("output", json(net->forward(x({2, 1, 3, 3}))));
  line.write();
  Tensor tensor;
  torch::load(tensor, folder + "/tensor.pt");
  std::vector<Tensor> tensors;
  torch::load(tensors, folder + "/tensors.pt");
  Line values("loaded", "tensors");
  values.field("output", json(std::make_tuple(tensor, tensors.at(0), tensors.at(1), tensors.at(2))));
  values.write();
  std::ifstream file(folder + "/pickled.pt", std::ios::binary);
  std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  Line pickled("loaded", "pickled");
  pickled.field("output", json(torch::pickle_load(bytes).toTensor()));
  pickled.write();
#define CHECK_FILE(NAME, ...)                        \
  {                                                  \
    auto p = parameters();                           \
    check_optimizer(folder, NAME, __VA_ARGS__, p);   \
  }
  CHECK_FILE("sgd", SGD(p, SGDOptions(0.5)))
  CHECK_FILE("adam", Adam(p))
  CHECK_FILE("adamw", AdamW(p))
  CHECK_FILE("adagrad", Adagrad(p))
  CHECK_FILE("rmsprop", RMSprop(p))
  CHECK_FILE("lbfgs", LBFGS(p))
  return 0;
}

/// `record FOLDER` writes files there and prints all cases; `record --check FOLDER` reads files from there.
int main(int argc, char** argv) {
  torch::set_num_threads(1);
  if (argc == 3 && std::string(argv[1]) == "--check") return check_files(argv[2]);
  record_modules();
  record_functions();
  record_files(argv[1]);
  return 0;
}
