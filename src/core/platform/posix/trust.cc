// SPDX-License-Identifier: Apache-2.0
#include "platform/trust.h"

#include <sys/stat.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/xattr.h>
#endif

#include <algorithm>
#include <cerrno>
#include <climits>

#include "base/cat.h"
#include "platform/files.h"
#include "platform/posix/reason.h"

namespace xlashape::core {
namespace {

constexpr int kMaxLinks = 40;  // the system's limit

template <class Id>
bool contains(const std::vector<Id>& ids, Id id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

bool contains_library(const Trust& trust, const std::string& folder) {
  return trust.library.size() > folder.size() && trust.library.compare(0, folder.size(), folder) == 0 &&
         (folder == "/" || trust.library[folder.size()] == '/');
}

// Whether an access list lets somebody else write. The group's bits are then the list's mask, and do not say who may.
bool list_lets_others_write(const Trust& trust, const std::string& path) {
#if defined(__linux__)
  struct AclEntry {
    uint16_t tag, permissions;
    uint32_t id;
  };
  constexpr uint16_t kUser = 2, kGroup = 8, kWrite = 2;  // linux/posix_acl.h
  struct {
    uint32_t version;
    AclEntry entries[1024];
  } list;
  const ssize_t bytes = lgetxattr(path.c_str(), "system.posix_acl_access", &list, sizeof list);
  if (bytes < 0) return errno == ERANGE;  // too long to be checked, or there is none
  const size_t count =
      static_cast<size_t>(bytes) < sizeof list.version ? 0 : (static_cast<size_t>(bytes) - 4) / sizeof(AclEntry);
  for (size_t i = 0; i < count; ++i) {
    const AclEntry& e = list.entries[i];
    if ((e.permissions & kWrite) == 0) continue;
    if ((e.tag == kUser && !contains(trust.owners, UserId{e.id})) ||
        (e.tag == kGroup && !contains(trust.groups, GroupId{e.id})))
      return true;
  }
#else
  static_cast<void>(trust), static_cast<void>(path);
#endif
  return false;
}

// Why a step of the way cannot be trusted; "" if it can.
std::string distrust(const Trust& trust, const std::string& path, const struct stat& status, bool is_last) {
  if (!is_last && contains_library(trust, path)) return {};
  if (!contains(trust.owners, status.st_uid))
    return cat({path, " belongs to user ", std::to_string(status.st_uid),
                ", and neither to root nor to the user of this process"});
  if (S_ISLNK(status.st_mode)) return {};  // the mode of a link has no meaning
  // In a sticky folder such as /tmp nobody can move the files of others; what is inside it is checked next.
  if (!is_last && S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0) return {};
  if ((status.st_mode & S_IWOTH) != 0) return cat({path, " can be written by everybody"});
  if ((status.st_mode & S_IWGRP) != 0 && list_lets_others_write(trust, path))
    return cat({path, " can be written by users or groups of its access list"});
  if ((status.st_mode & S_IWGRP) != 0 && !contains(trust.groups, status.st_gid))
    return cat({path, " can be written by group ", std::to_string(status.st_gid),
                ", which is neither root's nor that of this process"});
  return {};
}

}  // namespace

Trust own_trust(const Location& location) {
  // The saved ids are those that a process can return to, whatever its ids are now.
  uid_t user = geteuid();
  gid_t group = getegid();
#if defined(__linux__)
  uid_t real, effective;
  gid_t real_group, effective_group;
  if (getresuid(&real, &effective, &user) != 0) user = effective = 0;
  if (getresgid(&real_group, &effective_group, &group) != 0) group = 0;
#endif
  Trust trust{{0, user}, {0, group}, ""};
  if (location.verified) {
    trust.owners.push_back(location.owner);
    if ((location.mode & S_IWGRP) != 0) trust.groups.push_back(location.group);
    trust.library = location.file;
  }
  return trust;
}

std::string trusted_path(const Trust& trust, const std::string& folder, std::string_view path, std::string* reason) {
  std::string at = folder, rest(path);
  int links = 0;
  struct stat status;
  reason->clear();
  const auto fails = [&](const std::string& step, int error) { *reason = cat({step, ": ", reason_of(error)}); };
  if (rest[0] == '/') at = "/";
  if (at.empty()) *reason = rest + " is not an absolute path";
  if (at == "/" && lstat("/", &status) == 0) *reason = distrust(trust, at, status, false);
  while (reason->empty() && !rest.empty()) {
    const size_t slash = rest.find('/');
    const std::string name = rest.substr(0, slash);
    rest.erase(0, slash == std::string::npos ? slash : slash + 1);
    if (name.empty() || name == ".") continue;
    if (name == "..") {
      at = folder_of(at);  // checked on the way here
      continue;
    }
    const std::string next = in_folder(at, name);
    if (lstat(next.c_str(), &status) != 0) {
      fails(next, errno);
      break;
    }
    *reason = distrust(trust, next, status, false);
    if (!S_ISLNK(status.st_mode)) {
      at = next;
      continue;
    }
    char target[PATH_MAX];
    const ssize_t length = readlink(next.c_str(), target, sizeof target);
    if (length <= 0 || length == ssize_t{sizeof target} || ++links > kMaxLinks) {
      fails(next, length < 0 ? errno : links > kMaxLinks ? ELOOP : ENAMETOOLONG);
      break;
    }
    rest = cat({std::string_view(target, static_cast<size_t>(length)), "/", rest});
    if (rest[0] == '/') at = "/";
  }
  // The last step, which is known only now.
  if (reason->empty() && lstat(at.c_str(), &status) != 0) fails(at, errno);
  if (reason->empty()) *reason = distrust(trust, at, status, true);
  return reason->empty() ? at : "";
}

}  // namespace xlashape::core
