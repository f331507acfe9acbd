// The standard headers that most files include, precompiled where MARROW_FAST_BUILD is on. No file relies on it.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#if __has_include(<doctest/doctest.h>)
#include <doctest/doctest.h>
#endif
