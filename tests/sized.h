// Structs of the C API as callers make them.
#pragma once

// Zero but for its size.
template <class T>
T sized() {
  T made{};
  made.struct_size = sizeof made;
  return made;
}
