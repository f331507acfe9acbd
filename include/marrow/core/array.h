// Array: a vector that may also borrow its elements from something else, such as a file in memory.
//
// Read like a std::vector, and changed like one: what is borrowed is copied before its first change, so what it was
// borrowed from never changes. Borrowed elements live as long as any array that has them, or a copy of it: each keeps
// its owner alive.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace marrow {

template <typename T>
class Array {
 public:
  using value_type = T;
  using const_iterator = const T*;
  using iterator = T*;

  Array() = default;
  Array(std::vector<T> elements) : elements_(std::move(elements)) {}  // NOLINT: an array is a vector, and more
  Array(std::initializer_list<T> elements) : elements_(elements) {}
  explicit Array(std::size_t count, const T& value = T()) : elements_(count, value) {}

  // Borrows `elements`, which live as long as `owner`.
  Array(std::span<const T> elements, std::shared_ptr<const void> owner)
      : borrowed_(elements), owner_(std::move(owner)) {}

  [[nodiscard]] bool is_borrowed() const { return owner_ != nullptr; }

  [[nodiscard]] std::size_t size() const { return is_borrowed() ? borrowed_.size() : elements_.size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] const T* data() const { return is_borrowed() ? borrowed_.data() : elements_.data(); }
  [[nodiscard]] const T& operator[](std::size_t index) const { return data()[index]; }
  [[nodiscard]] const T& front() const { return data()[0]; }
  [[nodiscard]] const T& back() const { return data()[size() - 1]; }
  [[nodiscard]] const T* begin() const { return data(); }
  [[nodiscard]] const T* end() const { return data() + size(); }

  // Whatever changes it goes to a vector of its own.
  [[nodiscard]] std::vector<T>& own() {
    if (is_borrowed()) {
      elements_.assign(borrowed_.begin(), borrowed_.end());
      borrowed_ = {};
      owner_ = nullptr;
    }
    return elements_;
  }
  [[nodiscard]] T* data() { return own().data(); }
  [[nodiscard]] T& operator[](std::size_t index) { return own()[index]; }
  [[nodiscard]] T& front() { return own().front(); }
  [[nodiscard]] T& back() { return own().back(); }
  [[nodiscard]] T* begin() { return own().data(); }
  [[nodiscard]] T* end() { return own().data() + own().size(); }
  void push_back(T value) { own().push_back(std::move(value)); }
  void pop_back() { own().pop_back(); }
  void resize(std::size_t count) { own().resize(count); }
  void resize(std::size_t count, const T& value) { own().resize(count, value); }
  void reserve(std::size_t count) { own().reserve(count); }
  void assign(std::size_t count, const T& value) { own().assign(count, value); }
  template <std::input_iterator Iterator>
  void assign(Iterator first, Iterator last) {
    own().assign(first, last);
  }
  template <std::input_iterator Iterator>
  void append(Iterator first, Iterator last) {
    own().insert(own().end(), first, last);
  }
  void append(std::initializer_list<T> elements) { append(elements.begin(), elements.end()); }
  void clear() { *this = Array(); }

  friend bool operator==(const Array& a, const Array& b) {
    const std::span<const T> x = a, y = b;
    if (x.size() != y.size()) return false;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!(x[i] == y[i])) return false;
    }
    return true;
  }

 private:
  std::vector<T> elements_;      // unless borrowed
  std::span<const T> borrowed_;  // and then what they are
  std::shared_ptr<const void> owner_;
};

}  // namespace marrow
