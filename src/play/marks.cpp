#include "marrow/play/marks.h"

#include <algorithm>

#include "marrow/core/names.h"
#include "src/play/imports.h"
#include "src/play/marks_data.h"
#include "src/play/time_arithmetic.h"

namespace marrow {
namespace {

constexpr std::size_t kMaxMarks = std::size_t{1} << 24;

bool is_earlier(const MarksData::Entry& a, const MarksData::Entry& b) { return a.time < b.time; }

// The marks of one pass of a way: [first, last) by time.
struct Passed {
  std::size_t first, last;
  bool ascending;
};

Passed marks_of_pass(const MarksData& marks, const Travel& way, Loop loop, std::int64_t pass) {
  const double duration = marks.clip.duration();
  const bool forward = way.direction > 0, is_first = pass == way.from.pass, is_last = pass == way.to.pass;
  const double begin = is_first ? way.from.rem : forward ? 0 : duration;
  const double end = is_last ? way.to.rem : forward ? duration : 0;
  // A pass covers [begin, end), and the end too if it is one of the clip. What an earlier way has covered is not
  // covered again.
  const bool with_begin = is_first ? !way.from_reached : loop != Loop::ping_pong;
  const bool with_end = !is_last || way.finishes || (!forward && end == 0) || duration == 0;

  // Compared by their place in the pass, not by time: a place just off a turn may have the time of the turn.
  const bool mirrored = runs_backward(loop, pass), ascending = forward != mirrored;
  const double low = forward ? begin : end, high = forward ? end : begin;
  const bool with_low = forward ? with_begin : with_end, with_high = forward ? with_end : with_begin;
  const auto count_while = [&](const auto& holds) {
    const auto at = std::partition_point(marks.by_time.begin(), marks.by_time.end(), [&](const MarksData::Entry& m) {
      return holds(mirrored ? duration - m.time : m.time);
    });
    return static_cast<std::size_t>(at - marks.by_time.begin());
  };
  const auto below = [&](double rem) { return with_low ? rem < low : rem <= low; };
  const auto above = [&](double rem) { return with_high ? rem > high : rem >= high; };
  const std::size_t first = mirrored ? count_while(above) : count_while(below);
  const std::size_t last = mirrored ? count_while([&](double rem) { return !below(rem); })
                                    : count_while([&](double rem) { return !above(rem); });
  return {first, std::max(first, last), ascending};
}

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > ~std::uint64_t{0} / b ? ~std::uint64_t{0} : a * b;
}
std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) { return a + b < a ? ~std::uint64_t{0} : a + b; }

std::uint64_t count_all(const MarksData& marks, const Travel& way, Loop loop) {
  const auto count = [&](std::int64_t pass) {
    const Passed passed = marks_of_pass(marks, way, loop, pass);
    return static_cast<std::uint64_t>(passed.last - passed.first);
  };
  std::uint64_t total = count(way.from.pass);
  if (way.to.pass == way.from.pass) return total;
  total += count(way.to.pass);
  // Between them all even passes are alike, and all odd ones.
  const std::uint64_t between =
      static_cast<std::uint64_t>(way.direction > 0 ? way.to.pass - way.from.pass : way.from.pass - way.to.pass) - 1;
  if (between > 0) {
    total = saturating_sum(total, saturating_product((between + 1) / 2, count(way.from.pass + way.direction)));
  }
  if (between > 1) {
    total = saturating_sum(total, saturating_product(between / 2, count(way.from.pass + 2 * way.direction)));
  }
  return total;
}

}  // namespace

std::uint64_t exact::passed_marks(const Marks& of, const Travel& way, Loop loop, std::size_t limit,
                                  std::vector<PassedMark>& out) {
  const MarksData& marks = *of.data();
  out.clear();
  if (way.direction == 0 || marks.by_time.empty()) return 0;
  const double duration = marks.clip.duration();
  bool complete = true;
  for (std::int64_t pass = way.from.pass;; pass += way.direction) {
    const Passed passed = marks_of_pass(marks, way, loop, pass);
    // Marks at one time go together, in the order given; more than `limit` of them cannot be kept.
    auto first = marks.by_time.begin() + static_cast<std::ptrdiff_t>(passed.first);
    auto last = marks.by_time.begin() + static_cast<std::ptrdiff_t>(passed.last);
    while (first != last) {
      const double time = (passed.ascending ? first : last - 1)->time;
      const auto [begin, end] = std::equal_range(first, last, MarksData::Entry{time, 0}, is_earlier);
      (passed.ascending ? first : last) = passed.ascending ? end : begin;
      const double distance =
          exact::distance_along(way, {pass, exact::clip_time(loop, {pass, time}, duration)}, duration);
      // At most two times come together, the end of a pass and the start of the next; more only by rounding.
      const bool enough = out.size() >= limit && (out.size() >= 2 * limit || distance != out.back().distance);
      if (enough) return count_all(marks, way, loop);
      const auto kept = std::min(end - begin, static_cast<std::ptrdiff_t>(limit));
      for (auto m = begin; m != begin + kept; ++m) out.push_back({m->mark, distance});
      complete = complete && kept == end - begin;
    }
    if (pass == way.to.pass) return complete ? out.size() : count_all(marks, way, loop);
  }
}

std::uint64_t passed_marks(const Marks& marks, const Travel& travel, Loop loop, std::size_t limit,
                           std::vector<PassedMark>& out) {
  return exactly([&] { return exact::passed_marks(marks, travel, loop, limit, out); });
}

Result<Marks> Marks::create(const Clip& clip, std::span<const Mark> marks) {
  return exactly([&]() -> Result<Marks> {
    if (marks.size() > kMaxMarks) return Error{ErrorCode::limit_exceeded, "there are more than 2^24 marks", "marks"};
    auto data = std::make_shared<MarksData>();
    data->clip = clip;
    for (std::size_t i = 0; i < marks.size(); ++i) {
      const Mark& mark = marks[i];
      if (!(mark.time_s >= 0 && mark.time_s <= clip.duration())) {
        return invalid_argument(clip, "a mark lies outside the clip", Place("marks", i) / "time");
      }
      data->by_time.push_back({mark.time_s, static_cast<std::uint32_t>(i)});
      data->times.push_back(mark.time_s);
      data->names.emplace_back(mark.name);
    }
    std::stable_sort(data->by_time.begin(), data->by_time.end(), is_earlier);
    return Marks(std::move(data));
  });
}

const Clip& Marks::clip() const { return data_->clip; }

std::uint32_t Marks::size() const { return static_cast<std::uint32_t>(data_->times.size()); }

double Marks::time(std::uint32_t mark) const {
  MARROW_ASSERT(mark < size(), "there is no such mark");
  return data_->times[mark];
}

std::string_view Marks::name(std::uint32_t mark) const {
  MARROW_ASSERT(mark < size(), "there is no such mark");
  return data_->names[mark];
}

Result<std::uint32_t> Marks::mark(std::string_view name) const {
  const auto found = std::find(data_->names.begin(), data_->names.end(), name);
  if (found != data_->names.end()) return static_cast<std::uint32_t>(found - data_->names.begin());
  return unknown_name("mark", name, data_->names, [](const std::string& own) { return std::string_view(own); });
}

}  // namespace marrow
