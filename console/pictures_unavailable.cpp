// What stands in for pictures.cpp where marrow was built without what it draws with.
#include "pictures.h"

namespace marrow::console {

struct Pictures::Impl {};

Pictures::Pictures(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Pictures::Pictures(Pictures&&) noexcept = default;
Pictures::~Pictures() = default;

Result<Pictures> Pictures::make(const std::string&, std::uint32_t, std::uint32_t) {
  return Error{ErrorCode::unsupported, "this console was built without pictures", {}};
}
Result<void> Pictures::add(const GuestHost&, bool) { return {}; }
void Pictures::abandon() {}
Result<void> Pictures::finish() { return {}; }

}  // namespace marrow::console
