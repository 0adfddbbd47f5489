// Values that both sides make in the same way, and a writer of JSON.
#pragma once
#include <torch/torch.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

using torch::Tensor;

// Tensors without random numbers: waves, integers, signs, numbers between 0 and 1.
inline Tensor wave(std::vector<int64_t> sizes, double factor, double shift) {
  int64_t n = 1;
  for (auto size : sizes) n *= size;
  std::vector<float> values(n);
  for (int64_t i = 0; i < n; i++) values[i] = static_cast<float>(std::round(std::sin(i * factor + shift) * 1000) / 1000);
  return torch::tensor(values).reshape(sizes);
}
inline Tensor x(std::vector<int64_t> sizes) { return wave(sizes, 0.7, 0.3); }
inline Tensor y(std::vector<int64_t> sizes) { return wave(sizes, 1.1, 1.9); }
inline Tensor pos(std::vector<int64_t> sizes) { return wave(sizes, 1.7, 0.9).mul(0.4).add(0.5); }
inline Tensor sign(std::vector<int64_t> sizes) { return wave(sizes, 2.1, 0.4).sign(); }
/// Integers 0, `step`, 2 * step ... modulo `limit`, then `plus` is added.
inline Tensor counting(std::vector<int64_t> sizes, int64_t step, int64_t limit = 5, int64_t plus = 0) {
  int64_t n = 1;
  for (auto size : sizes) n *= size;
  std::vector<int64_t> values(n);
  for (int64_t i = 0; i < n; i++) values[i] = i * step % limit + plus;
  return torch::tensor(values, torch::kLong).reshape(sizes);
}
inline std::vector<int64_t> ints(std::vector<int64_t> values) { return values; }
inline std::vector<double> dbls(std::vector<double> values) { return values; }
inline std::vector<double> dbls2(double a, double b) { return {a, b}; }
inline std::vector<Tensor> ps() { return {x({2}).set_requires_grad(true)}; }
inline Tensor scalar() { return torch::tensor(0.5f).set_requires_grad(true); }
inline Tensor nonleaf() { return x({2}).set_requires_grad(true).mul(2); }
inline Tensor nan_grad() {
  auto parameter = x({2}).set_requires_grad(true);
  parameter.mutable_grad() = torch::full({2}, NAN);
  return parameter;
}

inline std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') (out += '\\') += c;
    else if (c == '\n') out += "\\n";
    else out += c;
  }
  return out + "\"";
}

inline std::string json(const Tensor& tensor) {
  if (!tensor.defined()) return "null";
  std::ostringstream out;
  out << "{\"dtype\":" << quoted(c10::toString(tensor.scalar_type())) << ",\"sizes\":[";
  for (int64_t i = 0; i < tensor.dim(); i++) out << (i ? "," : "") << tensor.size(i);
  out << "],\"values\":[";
  auto flat = tensor.detach().to(torch::kDouble).reshape({-1});
  char text[40];
  for (int64_t i = 0; i < flat.numel(); i++) {
    double value = flat[i].item<double>();
    std::snprintf(text, sizeof text, std::isfinite(value) ? "%.8g" : "\"%g\"", value);
    out << (i ? "," : "") << text;
  }
  out << "]}";
  return out.str();
}
template <typename... T>
std::string json(const std::tuple<T...>& values) {
  std::string out = "[";
  std::apply([&](const auto&... value) { ((out += (out.size() > 1 ? "," : "") + json(value)), ...); }, values);
  return out + "]";
}
inline std::string json(const torch::nn::ASMoutput& value) {
  return "[" + json(value.output) + "," + json(torch::tensor(value.loss)) + "]";
}
template <typename D>
std::string json_dict(const D& dict) {
  std::string out = "{";
  for (const auto& item : dict) out += (out.size() > 1 ? "," : "") + quoted(item.key()) + ":" + json(item.value());
  return out + "}";
}

inline Tensor first(const Tensor& value) { return value; }
template <typename... T>
Tensor first(const std::tuple<T...>& value) { return std::get<0>(value); }
inline Tensor first(const torch::nn::ASMoutput& value) { return value.output; }

/// Writes {"text": ..., field: value, ...} as one line.
class Line {
  std::ostringstream out_;

 public:
  Line(const char* kind, const std::string& text) { out_ << "{\"kind\":" << quoted(kind) << ",\"text\":" << quoted(text); }
  void field(const char* name, const std::string& value) { out_ << "," << quoted(name) << ":" << value; }
  void write() { std::cout << out_.str() << "}" << std::endl; }
};

void record_modules();
void record_functions();
void record_files(const std::string& folder);
int check_files(const std::string& folder);
