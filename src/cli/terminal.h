// What depends on where the output goes: colour, the progress bar.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace xlashape::cli {

struct Common {
  bool json = false;
  std::string color = "auto";
};

// Paints text for standard output, or leaves it alone.
class Paint {
 public:
  explicit Paint(const Common& common);
  std::string title(std::string_view text) const { return painted("1", text); }
  std::string label(std::string_view text) const { return painted("36", text); }
  std::string faint(std::string_view text) const { return painted("2", text); }
  std::string good(std::string_view text) const { return painted("32", text); }
  std::string fair(std::string_view text) const { return painted("33", text); }
  std::string bad(std::string_view text) const { return painted("31", text); }
  // Green to red by how many times too large something is.
  std::string by_waste(double ratio, std::string_view text) const;

 private:
  std::string painted(std::string_view code, std::string_view text) const;
  bool on_;
};

// A bar on standard error, only where that is a terminal, and only when the work takes longer than a moment.
class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();
  void show(double done);  // 0 to 1
  void clear();

 private:
  std::string what_;
  bool terminal_;
  bool shown_ = false;
  double started_, last_;
};

double seconds_now();

}  // namespace xlashape::cli
