#include "allocation_count.h"

#include <cstdlib>
#include <new>

namespace hyperscale::load {
namespace {

bool counting = false;
std::uint64_t count = 0;

void* counted(std::size_t size) {
  if (counting) ++count;
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) std::abort();
  return memory;
}

}  // namespace

Counting::Counting() {
  counting = true;
}
Counting::~Counting() {
  counting = false;
}
std::uint64_t Counting::total() {
  return count;
}

void* counted_new(std::size_t size) {
  return counted(size);
}

}  // namespace hyperscale::load

void* operator new(std::size_t size) {
  return hyperscale::load::counted_new(size);
}
void* operator new[](std::size_t size) {
  return hyperscale::load::counted_new(size);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}
