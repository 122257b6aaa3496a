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

constexpr int kMostLinks = 40;  // as the system has it

template <class Id>
bool holds(const std::vector<Id>& ids, Id id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

bool holds_library(const Trust& trust, const std::string& folder) {
  return trust.library.size() > folder.size() && trust.library.compare(0, folder.size(), folder) == 0 &&
         (folder == "/" || trust.library[folder.size()] == '/');
}

// Whether an access list lets somebody else write: then the group's bits are its mask, and say nothing of whom.
bool lists_others(const Trust& trust, const std::string& path) {
#if defined(__linux__)
  struct Entry {
    uint16_t tag, permissions;
    uint32_t id;
  };
  constexpr uint16_t kUser = 2, kGroup = 8, kWrite = 2;  // linux/posix_acl.h
  struct {
    uint32_t version;
    Entry entries[1024];
  } list;
  const ssize_t bytes = lgetxattr(path.c_str(), "system.posix_acl_access", &list, sizeof list);
  if (bytes < 0) return errno == ERANGE;  // longer than anybody's, or none
  const size_t count =
      static_cast<size_t>(bytes) < sizeof list.version ? 0 : (static_cast<size_t>(bytes) - 4) / sizeof(Entry);
  for (size_t i = 0; i < count; ++i) {
    const Entry& e = list.entries[i];
    if ((e.permissions & kWrite) == 0) continue;
    if ((e.tag == kUser && !holds(trust.owners, UserId{e.id})) ||
        (e.tag == kGroup && !holds(trust.groups, GroupId{e.id})))
      return true;
  }
#else
  static_cast<void>(trust), static_cast<void>(path);
#endif
  return false;
}

// Why a step of the way cannot be trusted; "" where it can.
std::string distrust(const Trust& trust, const std::string& path, const struct stat& status, bool is_last) {
  if (!is_last && holds_library(trust, path)) return {};
  if (!holds(trust.owners, status.st_uid))
    return cat({path, " belongs to user ", std::to_string(status.st_uid),
                ", and neither to root nor to the user of this process"});
  if (S_ISLNK(status.st_mode)) return {};  // the bits of links mean nothing
  // In a sticky folder such as /tmp nobody moves what belongs to others: what lies in it is looked at next.
  if (!is_last && S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0) return {};
  if ((status.st_mode & S_IWOTH) != 0) return cat({path, " can be written by everybody"});
  if ((status.st_mode & S_IWGRP) != 0 && lists_others(trust, path))
    return cat({path, " can be written by users or groups of its access list"});
  if ((status.st_mode & S_IWGRP) != 0 && !holds(trust.groups, status.st_gid))
    return cat({path, " can be written by group ", std::to_string(status.st_gid),
                ", which is neither root's nor that of this process"});
  return {};
}

}  // namespace

Trust own_trust(const Location& location) {
  // The saved ids are what a process can come back to, whatever it is for the moment.
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
      at = folder_of(at);  // looked at on the way here
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
    if (length <= 0 || length == ssize_t{sizeof target} || ++links > kMostLinks) {
      fails(next, length < 0 ? errno : links > kMostLinks ? ELOOP : ENAMETOOLONG);
      break;
    }
    rest = cat({std::string_view(target, static_cast<size_t>(length)), "/", rest});
    if (rest[0] == '/') at = "/";
  }
  // The end, once it is known which it is.
  if (reason->empty() && lstat(at.c_str(), &status) != 0) fails(at, errno);
  if (reason->empty()) *reason = distrust(trust, at, status, true);
  return reason->empty() ? at : "";
}

}  // namespace xlashape::core
