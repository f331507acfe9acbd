// A mixer with its own pose and scratch.
#include "marrow/mixer/player.h"

#include <doctest/doctest.h>

#include <limits>
#include <utility>

#include "anim/pose_difference.h"
#include "mixer/scene.h"

namespace marrow {
namespace {

using test::Character;

TEST_CASE("a player moves time and writes the pose; before the first update the pose is at rest") {
  const test::Dial dial;
  const Clip clip = dial.clip(2);
  Player player(dial.skeleton);
  const Action action = player.mixer().play(clip);
  CHECK(test::difference(player.pose(), Pose(dial.skeleton)) == "");
  CHECK(player.update(0.5));
  CHECK(player.pose().transform(0).translation.x == 0.5f);
  action.seek(1.25);
  CHECK(player.pose().transform(0).translation.x == 0.5f);
  player.evaluate();
  CHECK(player.pose().transform(0).translation.x == 1.25f);
}

TEST_CASE("a player refuses a time step that is not finite, and changes neither time nor pose") {
  const test::Dial dial;
  const Clip clip = dial.clip(2);
  Player player(dial.skeleton);
  const Action action = player.mixer().play(clip);
  CHECK(player.update(0.5));
  action.seek(1);  // which the pose does not show yet
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity}) {
    CAPTURE(bad);
    CHECK(!player.update(bad));
    CHECK(action.time() == 1);
    CHECK(player.pose().transform(0).translation.x == 0.5f);
  }
}

// Fades on the base layer, and a wave on top.
void play_all(Player& player, const Character& c) {
  Mixer& mixer = player.mixer();
  mixer.cross_fade_to(c.walk, 0.5);
  mixer.clip_action(c.run).value().set_weight(0.5f).play();
  mixer.add_layer({.weight = 0.75f}).value().play(c.wave);
}

TEST_CASE(
    "the capacity of a player can be raised while it plays, and then it plays as one that had it from the start") {
  const Character c;
  Player grown(c.skeleton, {.actions = 1, .layers = 1}), large(c.skeleton, {.actions = 4, .layers = 2});
  for (Player* player : {&grown, &large}) {
    player->mixer().play(c.idle);
    CHECK(player->update(0.25));
  }
  grown.mixer().reserve({.actions = 4, .layers = 2});
  for (Player* player : {&grown, &large}) {
    play_all(*player, c);
    CHECK(player->update(0.125));
  }
  CHECK(grown.mixer().actions().size() == 4);
  CHECK(test::difference(grown.pose(), large.pose()) == "");
  CHECK(grown.memory_bytes() >= large.memory_bytes());
}

TEST_CASE("a player that was moved goes on where it was, and its actions stay valid") {
  const Character c;
  Player stayed(c.skeleton), start(c.skeleton);
  const Action action = start.mixer().play(c.idle);
  stayed.mixer().play(c.idle);
  for (Player* player : {&stayed, &start}) {
    play_all(*player, c);
    CHECK(player->update(0.125));
  }
  Player moved(std::move(start));
  CHECK(test::difference(moved.pose(), stayed.pose()) == "");
  const test::Dial dial;
  Player assigned(dial.skeleton);
  assigned = std::move(moved);
  CHECK(action);
  CHECK(action.time() == 0.125);
  CHECK(assigned.mixer().action(action.handle()) == action);
  for (Player* player : {&stayed, &assigned}) CHECK(player->update(0.125));
  CHECK(test::difference(assigned.pose(), stayed.pose()) == "");
  CHECK(action.time() == 0.25);
}

}  // namespace
}  // namespace marrow
