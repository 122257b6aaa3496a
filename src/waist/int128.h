// 128-bit integers, which every compiler we build with has. Depends on nothing.
#pragma once

namespace xlashape {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

}  // namespace xlashape
