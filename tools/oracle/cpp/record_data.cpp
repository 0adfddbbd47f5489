// Datasets: MNIST from files that the caller wrote, and datasets of chunks.
#include "recorder.h"

namespace ds = torch::data::datasets;
namespace sm = torch::data::samplers;

/// Chunks of these sizes; their examples are counted through. A size of -1 is a chunk that cannot be read.
class Chunks : public ds::ChunkDataReader<int> {
  std::vector<int> sizes_;

 public:
  using BatchType = std::vector<int>;
  explicit Chunks(std::vector<int> sizes) : sizes_(std::move(sizes)) {}
  std::vector<int> read_chunk(size_t index) override {
    if (sizes_[index] < 0) throw std::runtime_error("unreadable");
    int first = 0;
    for (size_t i = 0; i < index; i++) first += std::max(sizes_[i], 0);
    std::vector<int> chunk(sizes_[index]);
    for (size_t i = 0; i < chunk.size(); i++) chunk[i] = first + static_cast<int>(i);
    return chunk;
  }
  size_t chunk_count() override { return sizes_.size(); }
  void reset() override {}
};

std::string numbers(const std::vector<int>& values) {
  std::string out = "[";
  for (int value : values) out += (out.size() > 1 ? "," : "") + std::to_string(value);
  return out + "]";
}

/// The batches of two epochs. An error takes the place of its batch.
template <typename Dataset>
std::string epochs(Dataset& dataset) {
  std::string out = "[";
  for (int epoch = 0; epoch < 2; epoch++) {
    dataset.reset();
    std::string batches = "[";
    for (;;) {
      std::string batch;
      try {
        auto got = dataset.get_batch();
        if (!got) break;
        batch = numbers(*got);
      } catch (const std::exception& error) {
        batch = quoted(error.what());
      }
      batches += (batches.size() > 1 ? "," : "") + batch;
    }
    out += (epoch ? "," : "") + batches + "]";
  }
  return out + "]";
}

template <typename Sampler>
void chunk_case(const char* samplers, const std::vector<int>& sizes, int batch, int together) {
  torch::manual_seed(0);
  ds::ChunkDataset<Chunks, Sampler, Sampler> dataset(Chunks(sizes), Sampler(0), Sampler(0), ds::ChunkDatasetOptions(1, batch, 2048, together));
  Line line("chunks", samplers);
  line.field("sizes", numbers(sizes));
  line.field("batch", std::to_string(batch));
  line.field("together", std::to_string(together));
  line.field("epochs", epochs(dataset));
  line.write();
}

template <typename Call>
void refused(const std::string& kind, const std::string& text, Call call) {
  Line line(kind.c_str(), text);
  try {
    call();
    line.field("error", "null");
  } catch (const c10::Error& error) {
    line.field("error", quoted(error.what_without_backtrace()));
  }
  line.write();
}
#define REFUSED(...) refused("refused", #__VA_ARGS__, [&] { (void)(__VA_ARGS__); });

/// `record` runs in a folder with one folder for each case of MNIST; `whole` has the complete test set.
int main() {
  torch::set_num_threads(1);
  for (const char* root : {"nowhere", "nowhere/", "images_only", "magic", "count", "rows", "columns", "target_magic", "target_count"})
    refused("mnist", root, [&] { ds::MNIST(root, ds::MNIST::Mode::kTest); });
  refused("mnist", "train", [&] { ds::MNIST("whole"); });
  ds::MNIST mnist("whole", ds::MNIST::Mode::kTest);
  Line line("mnist", "whole");
  line.field("size", std::to_string(*mnist.size()));
  line.field("is_train", mnist.is_train() ? "true" : "false");
  line.field("image", json(mnist.get(9999).data.slice(1, 13, 15)));
  line.field("targets", json(mnist.targets().slice(0, 9980)));
  line.field("sum", json(mnist.images().to(torch::kDouble).sum()));
  auto batch = mnist.map(torch::data::transforms::Normalize<>(0.1307, 0.3081)).map(torch::data::transforms::Stack<>()).get_batch({3, 1});
  line.field("batch", json(std::make_tuple(batch.data.slice(2, 5, 6), batch.target)));
  line.write();

  for (const auto& sizes : std::vector<std::vector<int>>{{3, 0, 5, 1, 4}, {7}, {1, 1, 1, 1}, {}, {2, 6, 0, 3, 3, 1}})
    for (int batch : {1, 2, 4, 5})
      for (int together : {1, 2, 3}) {
        chunk_case<sm::SequentialSampler>("SequentialSampler", sizes, batch, together);
        chunk_case<sm::RandomSampler>("RandomSampler", sizes, batch, together);
      }
  using Dataset = ds::ChunkDataset<Chunks, sm::SequentialSampler, sm::SequentialSampler>;
  Dataset chunks(Chunks({3}), sm::SequentialSampler(0), sm::SequentialSampler(0), ds::ChunkDatasetOptions(1, 2));
  REFUSED(chunks.get_batch())
  REFUSED(chunks.get_batch(2))
  REFUSED((chunks.reset(), chunks.get_batch(3)))
  REFUSED(ds::ChunkDatasetOptions(0, 1))
  REFUSED(ds::ChunkDatasetOptions(1, 0))
  REFUSED(ds::ChunkDatasetOptions(1, 1, 0))
  REFUSED(ds::ChunkDatasetOptions(1, 4, 3))
  REFUSED(ds::ChunkDatasetOptions(1, 4, 4, 0))
  Dataset broken(Chunks({-1}), sm::SequentialSampler(0), sm::SequentialSampler(0), ds::ChunkDatasetOptions(1, 2));
  Line unreadable("unreadable", "Chunks({-1})");
  unreadable.field("epochs", epochs(broken));
  unreadable.write();
  return 0;
}
