// The checks of clips and their tracks.
#include <doctest/doctest.h>

#include "check/check.h"
#include "check/loops.h"
#include "check/redundancy.h"
#include "tools/character.h"
#include "tools/findings.h"

namespace marrow::tool {
namespace {

using test::Character;
using test::check;
using test::of;

TEST_CASE("clips of the same name are told, with the first") {
  Character character;
  character.clips.push_back(Character::make_wave());
  CHECK(of(check(character), Rule::duplicate_clip_name) == "/animations/1: \"Walk\", as /animations/0");
}

TEST_CASE("a clip that begins late is told, unless what is late never changes") {
  Character character;
  for (TrackKeys& track : character.clips[0].tracks) {
    for (float& time : track.times) time += 0.5f;
  }
  character.clips[0].duration = 1.5;
  character.clips[0].tracks.push_back({0, Property::translation, Interpolation::linear, {0}, {0, 0, 1}});
  CHECK(of(check(character), Rule::late_start) == "/animations/0: \"Walk\" begins at 0.5 s of 1.5 s");
  character = Character();
  character.clips[0].tracks.push_back({0, Property::translation, Interpolation::linear, {0.5f}, {0, 0, 1}});
  CHECK(check(character).empty());
}

TEST_CASE("keys at equal times and keys that nearly are have their track told") {
  Character character;
  std::vector<float>& times = character.clips[0].tracks[1].times;
  times[4] = times[5];
  CHECK(of(check(character), Rule::equal_times) ==
        "/animations/0/channels/1: 1 key of \"chest\" rotation, the first at 0.5 s");
  CHECK(of(check(character), Rule::short_interval).empty());
  times[4] = times[5] - 1e-4f;
  CHECK(of(check(character), Rule::equal_times).empty());
  CHECK(of(check(character), Rule::short_interval) ==
        "/animations/0/channels/1: 1 key of \"chest\" rotation, the first at 0.5 s");
}

TEST_CASE("the channel that is told is the file's where it is known") {
  Character character;
  character.clips[0].tracks[1].times[4] = character.clips[0].tracks[1].times[5];
  CHECK(of(check(character, {{{7, 0, 100}, {9, 1, 100}}}), Rule::equal_times).starts_with("/animations/0/channels/9"));
}

TEST_CASE("single poses are told unless they are named so") {
  Character character;
  ClipKeys pose{"Jump", 0, {{2, Property::rotation, Interpolation::linear, {0}, {1, 0, 0, 0}}}};
  character.clips.push_back(pose);
  CHECK(of(check(character), Rule::no_length) == "/animations/1: \"Jump\"");
  for (const char* const name : {"T-Pose", "Armature|TPose", "Sit_Chair_Pose", "RESET"}) {
    character.clips[1].name = name;
    CAPTURE(name);
    CHECK(check(character).empty());
  }
}

TEST_CASE("a clip in which nothing changes is told") {
  Character character;
  character.clips.push_back(
      {"Jump", 2, {{2, Property::rotation, Interpolation::linear, {0, 2}, {1, 0, 0, 0, 1, 0, 0, 0}}}});
  const Findings findings = check(character);
  CHECK(findings.size() == 1);
  CHECK(of(findings, Rule::still_clip) == "/animations/1: \"Jump\", 2 s");
}

TEST_CASE("names of loops are known, and of what only begins with one") {
  for (const char* const name : {"Walk", "walk", "Armature|Run", "A|B|Idle", "RunFast", "run_left", "Idle2",
                                 "Walking_B", "JumpLoop", "fall-loop", "Swimming_Fast", "walk cycle"}) {
    CAPTURE(name);
    CHECK(is_named_like_a_loop(name));
  }
  for (const char* const name : {"Walk_Start", "IdleToWalk", "Run_Jump", "Attack", "Runway", "WalkStop", "",
                                 "Running|Jump", "Idle_HitReact", "loop_end"}) {
    CAPTURE(name);
    CHECK_FALSE(is_named_like_a_loop(name));
  }
}

TEST_CASE("a loop that ends in another pose is told, one that walks away is not") {
  Character character;
  TrackKeys& chest = character.clips[0].tracks[1];
  const Quat bent = from_axis_angle({0, 1, 0}, 1.5f);
  for (std::size_t k = 0; k < 11; ++k) {
    const Quat q = slerp({}, bent, static_cast<float>(k) / 10 * static_cast<float>(k) / 10);
    chest.values[4 * k] = q.x, chest.values[4 * k + 1] = q.y, chest.values[4 * k + 2] = q.z,
                     chest.values[4 * k + 3] = q.w;
  }
  CHECK(of(check(character), Rule::loop_seam).starts_with("/animations/0: \"Walk\": \"hand\" is 0.682 units away"));
  character.clips[0].name = "Bow";
  CHECK(of(check(character), Rule::loop_seam).empty());

  Character walker;
  TrackKeys hips{0, Property::translation, Interpolation::linear, {}, {}};
  for (int i = 0; i <= 20; ++i) {
    const float t = static_cast<float>(i) / 20;
    hips.times.push_back(t);
    hips.values.insert(hips.values.end(), {0, 3 * t, 0.9f + 0.02f * std::sin(12.566f * t)});
  }
  walker.clips[0].tracks.push_back(hips);
  CHECK(of(check(walker), Rule::loop_seam).empty());
  walker.joints.push_back({"left behind", -1, {}});
  CHECK(of(check(walker), Rule::loop_seam).empty());
}

TEST_CASE("a loop that leaves its last frame out is none the worse") {
  Character character;
  TrackKeys chest{1, Property::rotation, Interpolation::linear, {}, {}};
  for (int i = 0; i < 10; ++i) {  // 30 frames a second
    const Quat q = from_axis_angle({0, 1, 0}, std::sin(0.62831853f * static_cast<float>(i)));
    chest.times.push_back(static_cast<float>(i) / 30);
    chest.values.insert(chest.values.end(), {q.x, q.y, q.z, q.w});
  }
  character.clips = {{"Walk", 0.3, {chest}}};
  const Subject subject(character.model());
  SeamBudget budget;
  const std::optional<Seam> seam = measure_seam(subject, subject.model.clips()[0], budget);
  REQUIRE(seam.has_value());
  CHECK(seam->distance > 0.1 * subject.size);
  CHECK_FALSE(seam->jumps);
}

TEST_CASE("loops are looked at until the budget of the file is spent, and the others are counted") {
  Character character;
  const ClipKeys clean = character.clips[0];
  ClipKeys open{"Run", 1, {{1, Property::rotation, Interpolation::linear, {0, 1}, {0, 0, 0, 1}}}};
  const Quat bent = from_axis_angle({0, 1, 0}, 1.5f);
  open.tracks[0].values.insert(open.tracks[0].values.end(), {bent.x, bent.y, bent.z, bent.w});
  character.clips.assign(4, open);
  character.clips.insert(character.clips.begin(), clean);
  const Subject subject(character.model());
  CHECK(check_loops(subject).size() == 4);
  CHECK(of(check_loops(subject), Rule::more_loops).empty());
  // Three joints: two poses of the clean clip, then two and one for each of 30 frames.
  const Findings findings = check_loops(subject, {3 * (2 + 2 * 32 + 31)});
  CHECK(findings.size() == 3);
  CHECK(of(findings, Rule::loop_seam).starts_with("/animations/1: \"Run\""));
  CHECK(of(findings, Rule::more_loops) == "/animations/3: 2 clips, the first is \"Run\"");
  CHECK(check_loops(subject, {3 * (2 + 2 * 32 + 32)}).size() == 4);
}

// A track that stays at a place, or goes straight from it.
TrackKeys baked(std::uint32_t joint, Vec3 from, float step, int keys) {
  TrackKeys track{joint, Property::translation, Interpolation::linear, {}, {}};
  for (int i = 0; i < keys; ++i) {
    track.times.push_back(static_cast<float>(i) / static_cast<float>(keys - 1));
    track.values.insert(track.values.end(), {from.x + step * static_cast<float>(i), from.y, from.z});
  }
  return track;
}

TEST_CASE("tracks that never change are told with what they cost, those at rest apart") {
  Character character;
  character.clips[0].tracks.push_back(baked(0, {0, 0, 0.9f}, 0, 100));
  character.clips[0].tracks.push_back(baked(1, {0, 0, 0.6f}, 0, 100));
  const Findings findings = check(character);
  CHECK(of(findings, Rule::rest_track) == "/animations/0: \"Walk\": 1.2 KB in 1 of 4 tracks (1 translation)");
  CHECK(of(findings, Rule::constant_track) == "/animations/0: \"Walk\": 1.2 KB in 1 of 4 tracks (1 translation)");
  for (const Finding& finding : findings) {
    CHECK(finding.bytes == (finding.rule == Rule::rest_track ? 1200 : 1188));
  }
}

TEST_CASE("values that tracks share are counted once") {
  Character character;
  character.clips.push_back({"Jump", 1, {baked(0, {0, 0, 0.9f}, 0, 100), baked(1, {0, 0, 0.5f}, 0, 100)}});
  character.clips[1].tracks.push_back(Character::make_wave().tracks[0]);
  std::vector<std::vector<TrackSource>> sources = {{{0, 0, 176}, {1, 1, 176}},
                                                   {{0, 2, 1200}, {1, 2, 1200}, {2, 3, 176}}};
  CHECK(of(check(character, sources), Rule::rest_track) ==
        "/animations/1: \"Jump\": 1.2 KB in 2 of 3 tracks (2 translation)");
}

TEST_CASE("keys on a straight line are told") {
  Character character;
  character.clips[0].tracks.push_back(baked(0, {0, 0, 0.9f}, 0.001f, 100));
  CHECK(of(check(character), Rule::redundant_keys) == "/animations/0: \"Walk\": 1.1 KB in 98 of 122 keys");
}

TEST_CASE("keys are redundant where those that stay give the same") {
  const KeyTolerance tolerance{.translation = 1e-5};
  CHECK(count_redundant(baked(0, {}, 0.1f, 50), tolerance) == 48);
  CHECK(count_redundant(baked(0, {}, 0.1f, 2), tolerance) == 0);
  TrackKeys corner = baked(0, {}, 0.1f, 11);
  for (std::size_t k = 5; k < 11; ++k) corner.values[3 * k + 1] = static_cast<float>(k - 5);
  CHECK(count_redundant(corner, tolerance) == 8);  // the ends and the corner stay
  TrackKeys jump = baked(0, {}, 0.1f, 11);
  jump.times[5] = jump.times[6];
  CHECK(count_redundant(jump, tolerance) < 9);
  // A slow arc: each key is within the tolerance of its neighbours, not all together.
  TrackKeys arc = baked(0, {}, 0, 101);
  for (std::size_t k = 0; k <= 100; ++k) {
    const float x = static_cast<float>(k) / 100;
    arc.values[3 * k] = 0.001f * x * x;
  }
  CHECK(count_redundant(arc, tolerance) > 80);
  CHECK(count_redundant(arc, tolerance) < 98);
  TrackKeys steps = baked(0, {}, 0, 10);
  steps.interpolation = Interpolation::step;
  steps.values[3 * 5] = 1;
  CHECK(count_redundant(steps, tolerance) == 6);  // the first, the step up, the step down and the last stay
}

TEST_CASE("rotations are compared along the arc") {
  TrackKeys turn{0, Property::rotation, Interpolation::linear, {}, {}};
  for (int i = 0; i <= 20; ++i) {
    const Quat q = from_axis_angle({0, 0, 1}, 0.1f * static_cast<float>(i));
    turn.times.push_back(static_cast<float>(i));
    turn.values.insert(turn.values.end(), {q.x, q.y, q.z, q.w});
  }
  CHECK(count_redundant(turn, {.translation = 0}) == 19);
  const Quat off = from_axis_angle({0, 0, 1}, 1.01f);
  turn.values[40] = off.x, turn.values[41] = off.y, turn.values[42] = off.z, turn.values[43] = off.w;
  CHECK(count_redundant(turn, {.translation = 0}) == 18 - 2);
}

}  // namespace
}  // namespace marrow::tool
