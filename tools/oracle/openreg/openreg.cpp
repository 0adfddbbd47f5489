// The fake device of test/openreg, for the real PyTorch: two devices over host memory, with streams and events that are done at once. It
// exists to be asked, by ../record_openreg.py, what PyTorch does with a backend that has all its parts. Everything asked of the guard is
// written into a journal.
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/autocast_mode.h>
#include <ATen/EmptyTensor.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <ATen/native/CPUFallback.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/_copy_from_and_resize.h>
#include <ATen/ops/_local_scalar_dense_native.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/set_native.h>
#include <ATen/ops/view_native.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <torch/extension.h>

#include <mutex>
#include <set>

namespace {

using c10::Device;
using c10::DeviceIndex;
using c10::Stream;
constexpr auto kType = c10::DeviceType::PrivateUse1;
constexpr DeviceIndex kCount = 2;

std::mutex mutex;
std::vector<std::string> journal;
std::vector<int64_t> streams(kCount, 0); // how many were made beside the default one
thread_local DeviceIndex current = 0;
thread_local std::array<int64_t, kCount> current_stream = {0, 0};

void note(const std::string& what) {
  std::lock_guard<std::mutex> lock(mutex);
  journal.push_back(what);
}

std::string name(const Stream& s) {
  return std::to_string(s.device_index()) + ":" + std::to_string(s.id());
}

void set_device(DeviceIndex index) {
  TORCH_CHECK(
      index >= 0 && index < kCount,
      "The device index is out of range. It must be in [0, ", int(kCount), "), but got ", int(index), ".");
  current = index;
}

DeviceIndex index_of(Device d) {
  return d.has_index() ? d.index() : current;
}

struct Mark {
  int64_t id;
};
std::atomic<int64_t> marks{0};

struct Guard final : c10::impl::DeviceGuardImplInterface {
  c10::DeviceType type() const override { return kType; }
  Device exchangeDevice(Device d) const override {
    note("exchangeDevice " + std::to_string(d.index()));
    auto previous = current;
    if (index_of(d) != previous) set_device(index_of(d));
    return Device(kType, previous);
  }
  Device getDevice() const override { return Device(kType, current); }
  void setDevice(Device d) const override {
    note("setDevice " + std::to_string(d.index()));
    set_device(index_of(d));
  }
  void uncheckedSetDevice(Device d) const noexcept override {
    note("uncheckedSetDevice " + std::to_string(d.index()));
    current = d.index();
  }
  Stream getStream(Device d) const override { return stream(index_of(d), current_stream[index_of(d)]); }
  Stream getDefaultStream(Device d) const override { return stream(index_of(d), 0); }
  Stream getStreamFromGlobalPool(Device d, bool) const override { return getNewStream(d, 0); }
  Stream getNewStream(Device d, int) const override { return stream(index_of(d), ++streams[index_of(d)]); }
  Stream exchangeStream(Stream s) const override {
    note("exchangeStream " + name(s));
    auto previous = stream(s.device_index(), current_stream[s.device_index()]);
    current_stream[s.device_index()] = s.id();
    return previous;
  }
  void record(void** event, const Stream& s, const DeviceIndex device_index, const c10::EventFlag) const override {
    TORCH_CHECK(
        device_index == -1 || device_index == s.device_index(),
        "Event device index ", int(device_index), " does not match recording stream's device index ", int(s.device_index()), ".");
    note("record " + name(s));
    if (*event == nullptr) *event = new Mark();
    static_cast<Mark*>(*event)->id = ++marks;
  }
  void block(void* event, const Stream& s) const override {
    if (event != nullptr) note("block " + name(s));
  }
  bool queryEvent(void*) const override { return true; }
  void destroyEvent(void* event, const DeviceIndex) const noexcept override { delete static_cast<Mark*>(event); }
  DeviceIndex deviceCount() const noexcept override { return kCount; }
  c10::DeviceCapability getDeviceCapability(Device) const override { return c10::DeviceCapability(); }
  bool queryStream(const Stream&) const override { return true; }
  void synchronizeStream(const Stream&) const override {}
  void synchronizeEvent(void*) const override {}
  void synchronizeDevice(const DeviceIndex) const override {}
  void recordDataPtrOnStream(const c10::DataPtr& p, const Stream& s) const override {
    note("recordDataPtrOnStream " + std::to_string(p.device().index()) + " " + name(s));
  }
  double elapsedTime(void* a, void* b, const DeviceIndex) const override {
    return 0.01 * double(static_cast<Mark*>(b)->id - static_cast<Mark*>(a)->id);
  }

 private:
  static Stream stream(DeviceIndex device, int64_t id) { return Stream(Stream::UNSAFE, Device(kType, device), id); }
};

C10_REGISTER_GUARD_IMPL(PrivateUse1, Guard);

void release(void* p) {
  free(p);
}

struct Allocator final : c10::DeviceAllocator {
  c10::DataPtr allocate(size_t n) override {
    Device device(kType, current);
    if (n == 0) return {nullptr, nullptr, &release, device};
    void* p = malloc(n);
    memset(p, 0xff, n);
    return {p, p, &release, device};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &release; }
  void copy_data(void* dest, const void* src, std::size_t count) const override { memcpy(dest, src, count); }
  bool initialized() override { return true; }
  void emptyCache(c10::MempoolId_t) override {}
  void recordStream(const c10::DataPtr&, Stream s) override { note("recordStream " + name(s)); }
  c10::CachingDeviceAllocator::DeviceStats getDeviceStats(DeviceIndex) override { return {}; }
  void resetAccumulatedStats(DeviceIndex) override {}
  void resetPeakStats(DeviceIndex) override {}
};

Allocator allocator;
REGISTER_ALLOCATOR(kType, &allocator);

std::set<std::pair<const char*, const char*>> pinned;

void unpin(void* p) {
  for (auto it = pinned.begin(); it != pinned.end(); ++it)
    if (it->first == p) {
      pinned.erase(it);
      break;
    }
  free(p);
}

struct HostAllocator final : c10::Allocator {
  c10::DataPtr allocate(size_t n) override {
    auto p = static_cast<char*>(malloc(std::max<size_t>(n, 1)));
    pinned.insert({p, p + std::max<size_t>(n, 1)});
    return {p, p, &unpin, at::kCPU};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &unpin; }
  void copy_data(void* dest, const void* src, std::size_t count) const override { memcpy(dest, src, count); }
};
HostAllocator host_allocator;

struct GeneratorImpl final : at::CPUGeneratorImpl {
  explicit GeneratorImpl(DeviceIndex index) : at::CPUGeneratorImpl(c10::detail::getNonDeterministicRandom()) {
    device_ = Device(kType, index);
    key_set_ = c10::DispatchKeySet(c10::DispatchKey::PrivateUse1);
  }
};

const at::Generator& default_generator(DeviceIndex index) {
  static std::vector<at::Generator> all = [] {
    std::vector<at::Generator> made;
    for (DeviceIndex i = 0; i < kCount; i++) {
      made.push_back(at::make_generator<GeneratorImpl>(i));
      made.back().set_current_seed(c10::default_rng_seed_val);
    }
    return made;
  }();
  return all.at(index == -1 ? current : index);
}

struct Hooks final : at::PrivateUse1HooksInterface {
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
  bool hasPrimaryContext(DeviceIndex) const override { return true; }
  DeviceIndex deviceCount() const override { return kCount; }
  void setCurrentDevice(DeviceIndex d) const override { set_device(d); }
  DeviceIndex getCurrentDevice() const override { return current; }
  DeviceIndex exchangeDevice(DeviceIndex d) const override {
    auto previous = current;
    set_device(d);
    return previous;
  }
  DeviceIndex maybeExchangeDevice(DeviceIndex d) const override { return d < 0 ? current : exchangeDevice(d); }
  bool isPinnedPtr(const void* data) const override {
    auto p = static_cast<const char*>(data);
    for (auto& [begin, end] : pinned)
      if (begin <= p && p < end) return true;
    return false;
  }
  c10::Allocator* getPinnedMemoryAllocator() const override { return &host_allocator; }
  const at::Generator& getDefaultGenerator(DeviceIndex index) const override { return default_generator(index); }
  at::Generator getNewGenerator(DeviceIndex index) const override {
    return at::make_generator<GeneratorImpl>(index == -1 ? current : index);
  }
  void resizePrivateUse1Bytes(const c10::Storage& storage, size_t newsize) const override {
    const c10::DeviceGuard guard(storage.device());
    at::native::resize_bytes_cpu(storage.unsafeGetStorageImpl(), newsize);
  }
};

const bool hooks_registered = [] {
  at::RegisterPrivateUse1HooksInterface(new Hooks());
  return true;
}();

// Kernels. The wrappers that torchgen would write open guards; so do these.

at::Tensor host(const at::Tensor& t) {
  if (t.is_cpu()) return t;
  return at::from_blob(t.data_ptr(), t.sizes(), t.strides(), t.options().device(at::kCPU));
}

at::Tensor empty(
    c10::IntArrayRef size,
    std::optional<c10::ScalarType> dtype,
    std::optional<c10::Layout>,
    std::optional<Device> device,
    std::optional<bool>,
    std::optional<c10::MemoryFormat> format) {
  const c10::DeviceGuard guard(c10::device_or_default(device));
  return at::detail::empty_generic(
      size, &allocator, c10::DispatchKeySet(c10::DispatchKey::PrivateUse1), c10::dtype_or_default(dtype), format);
}

at::Tensor empty_strided(
    c10::IntArrayRef size,
    c10::IntArrayRef stride,
    std::optional<c10::ScalarType> dtype,
    std::optional<c10::Layout>,
    std::optional<Device> device,
    std::optional<bool>) {
  const c10::DeviceGuard guard(c10::device_or_default(device));
  return at::detail::empty_strided_generic(
      size, stride, &allocator, c10::DispatchKeySet(c10::DispatchKey::PrivateUse1), c10::dtype_or_default(dtype));
}

at::Tensor as_strided(const at::Tensor& self, c10::SymIntArrayRef size, c10::SymIntArrayRef stride, std::optional<c10::SymInt> offset) {
  return at::native::as_strided_tensorimpl(
      self, C10_AS_INTARRAYREF_SLOW(size), C10_AS_INTARRAYREF_SLOW(stride),
      offset.has_value() ? std::make_optional(offset->expect_int()) : std::nullopt);
}

at::Tensor view(const at::Tensor& self, c10::SymIntArrayRef size) {
  return at::native::view(self, C10_AS_INTARRAYREF_SLOW(size));
}

at::Tensor reshape_alias(const at::Tensor& self, c10::SymIntArrayRef size, c10::SymIntArrayRef stride) {
  return at::native::_reshape_alias(self, C10_AS_INTARRAYREF_SLOW(size), C10_AS_INTARRAYREF_SLOW(stride));
}

const at::Tensor& resize(const at::Tensor& self, c10::SymIntArrayRef size, std::optional<c10::MemoryFormat> format) {
  const c10::OptionalDeviceGuard guard(at::device_of(self));
  return at::native::resize_(self, C10_AS_INTARRAYREF_SLOW(size), format);
}

at::Tensor copy_from(const at::Tensor& self, const at::Tensor& dst, bool) {
  const c10::OptionalDeviceGuard guard(at::device_of(self));
  host(dst).copy_(host(self));
  return dst;
}

at::Tensor copy_from_and_resize(const at::Tensor& self, const at::Tensor& dst) {
  const c10::OptionalDeviceGuard guard(at::device_of(self));
  dst.resize_(self.sizes());
  return dst.copy_(self);
}

at::Scalar local_scalar_dense(const at::Tensor& self) {
  const c10::OptionalDeviceGuard guard(at::device_of(self));
  return at::native::_local_scalar_dense_cpu(host(self));
}

at::Tensor& set_source_Tensor(at::Tensor& self, const at::Tensor& source) {
  return at::native::set_tensor_(self, source);
}

at::Tensor& set_source_Storage(at::Tensor& self, at::Storage source) {
  return at::native::set_(self, source);
}

at::Tensor& set_source_Storage_offset(at::Tensor& result, at::Storage storage, int64_t offset, c10::IntArrayRef size, c10::IntArrayRef stride) {
  return at::native::set_storage_cpu_(result, storage, offset, size, stride);
}

void record_stream(at::Tensor& self, c10::Stream s) {
  const c10::OptionalDeviceGuard guard(at::device_of(self));
  allocator.recordStream(self.storage().data_ptr(), s);
}

bool equal(const at::Tensor& self, const at::Tensor& other) {
  const c10::OptionalDeviceGuard guard(at::device_of(self));
  return host(self).equal(host(other));
}

void fallback(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  at::native::cpu_fallback(op, stack);
}

TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl("empty.memory_format", &empty);
  m.impl("empty_strided", &empty_strided);
  m.impl("as_strided", &as_strided);
  m.impl("view", &view);
  m.impl("_reshape_alias", &reshape_alias);
  m.impl("resize_", &resize);
  m.impl("_copy_from", &copy_from);
  m.impl("_copy_from_and_resize", &copy_from_and_resize);
  m.impl("_local_scalar_dense", &local_scalar_dense);
  m.impl("set_.source_Tensor", &set_source_Tensor);
  m.impl("set_.source_Storage", &set_source_Storage);
  m.impl("set_.source_Storage_storage_offset", &set_source_Storage_offset);
  m.impl("record_stream", &record_stream);
  m.impl("equal", &equal);
}

TORCH_LIBRARY_IMPL(_, PrivateUse1, m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&fallback>());
}

TORCH_LIBRARY_IMPL(_, AutocastPrivateUse1, m) {
  m.fallback(torch::CppFunction::makeFallthrough());
}

TORCH_LIBRARY_IMPL(aten, AutocastPrivateUse1, m) {
  using at::autocast::CastPolicy;
  KERNEL_PRIVATEUSEONE(bmm, lower_precision_fp)
  KERNEL_PRIVATEUSEONE(addmm, lower_precision_fp)
  KERNEL_PRIVATEUSEONE(linear, lower_precision_fp)
  KERNEL_PRIVATEUSEONE(asin, fp32)
  KERNEL_PRIVATEUSEONE(softmax, int, fp32)
  KERNEL_PRIVATEUSEONE(mse_loss, fp32)
  KERNEL_PRIVATEUSEONE(cat, promote)
}

} // namespace

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("journal", [] {
    std::lock_guard<std::mutex> lock(mutex);
    return journal;
  });
  m.def("clear", [] {
    std::lock_guard<std::mutex> lock(mutex);
    journal.clear();
  });
  m.def("device_count", [] { return int(kCount); });
  m.def("current_device", [] { return int(current); });
  m.def("set_device", [](int index) { set_device(DeviceIndex(index)); });
  m.def("exchange_device", [](int index) {
    auto previous = current;
    set_device(DeviceIndex(index));
    return int(previous);
  });
  m.def("default_generator", [](int index) { return default_generator(DeviceIndex(index)); });
  m.def("init", [] { at::globalContext().lazyInitDevice(kType); });
}
