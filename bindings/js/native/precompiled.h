// The headers that most files of explain include, compiled once; src/core/precompiled.h is the library's.
#pragma once
#include <fmt/core.h>

#include <optional>
#include <string>
#include <vector>
#include <xlashape/target.hpp>
