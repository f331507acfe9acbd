// The reader's warnings as findings. They come as sentences; what a sentence says decides the rule, and check_test.cpp
// has the reader say them.
#include "check.h"
#include "text.h"

namespace marrow::tool {
namespace {

struct Sentence {
  std::string_view part;
  Rule rule;
  std::string_view detail_end = "; ";  // what follows is in the words of the rule
};

constexpr Sentence kSentences[] = {
    {"not finite or beyond", Rule::not_finite},
    {"the image is left out", Rule::missing_image},
    {"neither a uri nor a buffer view", Rule::missing_image},
    {"moves the same property of the same node", Rule::duplicate_channel, "another channel"},
    {"do not sum to 1", Rule::weights_sum},
    {"have no weights", Rule::no_weights, " have no weights"},
    {"have weights below zero", Rule::negative_weights, " have weights below"},
    {"vertices of its mesh have no joints", Rule::skin_without_weights, "the node has"},
    {"but the node has no skin", Rule::weights_without_skin, "the mesh of"},
    {"the channel is left out", Rule::lost_channel},
    {"the animation moves nothing", Rule::moves_nothing, "the animation"},
    {"not of unit length", Rule::rotation_length},
    {"the matrix has shear", Rule::shear, "the matrix"},
    {"on the other side of the one before", Rule::rotation_flip, " are on"},
    {"the extension", Rule::extension, " is "},
    {"joints have no names", Rule::unnamed_joint, " have no names"},
    {"the animation has no name", Rule::unnamed_clip},
    {"more warnings", Rule::more_warnings},
    {"more notes", Rule::more_notes},
};

std::string detail_of(const std::string& message, const Sentence& sentence) {
  constexpr std::string_view kCalled = "it is called ";
  if (const std::size_t called = message.find(kCalled); called != std::string::npos) {
    return "called " + message.substr(called + kCalled.size());
  }
  return message.substr(0, message.find(sentence.detail_end));
}

}  // namespace

Findings reader_findings(std::span<const Warning> warnings) {
  Findings out;
  for (const Warning& warning : warnings) {
    Finding finding{Rule::other, warning.place, warning.message};
    for (const Sentence& sentence : kSentences) {
      if (warning.message.find(sentence.part) == std::string::npos) continue;
      finding.rule = sentence.rule;
      finding.detail = detail_of(warning.message, sentence);
      break;
    }
    finding.detail = printable(finding.detail);
    out.push_back(std::move(finding));
  }
  return out;
}

}  // namespace marrow::tool
