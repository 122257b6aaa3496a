// SPDX-License-Identifier: Apache-2.0
// Windows has no modes: each file and folder has an owner and a list of who may do what to it. Only the path without
// links is checked, as that is what gets loaded.
#include "platform/trust.h"

#include "platform/win32/text.h"
// after windows.h
#include <aclapi.h>
#include <sddl.h>

#include <algorithm>

#include "base/cat.h"
#include "platform/files.h"

namespace xlashape::core {
namespace {

constexpr const char* kSystem = "S-1-5-18";
constexpr const char* kAdministrators = "S-1-5-32-544";
constexpr const char* kInstaller = "S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464";

// The rights to replace a file with another one, and the rights to change it or to add to a folder.
constexpr DWORD kReplace = DELETE | WRITE_DAC | WRITE_OWNER | FILE_DELETE_CHILD | GENERIC_ALL;
constexpr DWORD kChange = FILE_WRITE_DATA | FILE_APPEND_DATA | GENERIC_WRITE;

struct LocalFreeDeleter {
  void operator()(void* memory) const { LocalFree(memory); }
};
template <class T>
using Local = std::unique_ptr<T, LocalFreeDeleter>;

std::string text_of(PSID sid) {
  char* text = nullptr;
  if (!ConvertSidToStringSidA(sid, &text)) return "nobody known";
  const Local<char> freed(text);
  return text;
}

bool contains(const std::vector<UserId>& ids, const UserId& id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

// Why a step of the way cannot be trusted; "" if it can.
std::string distrust(const Trust& trust, const std::string& path, bool is_last) {
  const std::wstring name = wide(path);
  PSID owner = nullptr;
  PACL list = nullptr;
  PSECURITY_DESCRIPTOR all = nullptr;
  const DWORD error =
      GetNamedSecurityInfoW(name.c_str(), SE_FILE_OBJECT, OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION,
                            &owner, nullptr, &list, nullptr, &all);
  if (error != ERROR_SUCCESS) return cat({path, ": ", reason_of(error)});
  const Local<void> freed(all);
  if (const UserId user = text_of(owner); !contains(trust.owners, user))
    return cat({path, " belongs to ", user, ", and neither to the system nor to the user of this process"});
  if (list == nullptr) return cat({path, " can be written by everybody"});
  for (DWORD i = 0; i < list->AceCount; ++i) {
    void* entry = nullptr;
    if (!GetAce(list, i, &entry)) return cat({path, ": ", reason_of(GetLastError())});
    const auto& ace = *static_cast<const ACCESS_ALLOWED_ACE*>(entry);
    const BYTE type = ace.Header.AceType;
    if (type == ACCESS_DENIED_ACE_TYPE || (ace.Header.AceFlags & INHERIT_ONLY_ACE) != 0) continue;
    if ((ace.Mask & (is_last ? kReplace | kChange : kReplace)) == 0) continue;
    if (type != ACCESS_ALLOWED_ACE_TYPE) return cat({path, " has an access list of a kind that is not understood"});
    const UserId user = text_of(const_cast<DWORD*>(&ace.SidStart));
    if (!contains(trust.owners, user)) return cat({path, " can be written by ", user});
  }
  return {};
}

}  // namespace

Trust own_trust(const Location&) {
  Trust trust{{kSystem, kAdministrators, kInstaller}, {}, ""};
  HANDLE token = nullptr;
  if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token)) return trust;
  const Handle closing(token);
  alignas(TOKEN_USER) char user[sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE];
  DWORD size = 0;
  if (GetTokenInformation(token, TokenUser, user, sizeof user, &size))
    trust.owners.push_back(text_of(reinterpret_cast<const TOKEN_USER*>(user)->User.Sid));
  return trust;
}

std::string trusted_path(const Trust& trust, const std::string& folder, std::string_view path, std::string* reason) {
  reason->clear();
  const std::string whole = is_absolute(path) ? std::string(path) : in_folder(folder, path);
  if (!is_absolute(whole)) {
    *reason = cat({path, " is not an absolute path"});
    return {};
  }
  const std::string real = real_path(whole, reason);
  if (real.empty()) {
    *reason = cat({whole, ": ", *reason});
    return {};
  }
  *reason = distrust(trust, real, true);
  for (std::string at = real; reason->empty();) {
    const std::string above = folder_of(at);
    if (above.size() >= at.size() || above == "\\\\" || above == "\\") break;  // the drive, or a server's share
    at = above;
    *reason = distrust(trust, at, false);
  }
  return reason->empty() ? real : "";
}

}  // namespace xlashape::core
