// SPDX-License-Identifier: Apache-2.0
#include "shape/tuples.h"

#include <map>
#include <vector>

#include "base/checked.h"
#include "shape/extents.h"
#include "xlashape_xla.h"

namespace xlashape::core {
namespace {

Status not_a_tuple(const Shape& shape, Error* err) {
  return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "tuple is %s, it must be a tuple", noun(shape));
}

// Lists the shapes along a path, the root first; false where the path leads to no shape.
bool descend(const Shape& root, std::span<const int64_t> path, SmallVec<const Shape*, 16>* along) {
  along->push_back(&root);
  for (const int64_t step : path) {
    const Shape* at = along->back();
    if (!at->is_tuple() || step < 0 || step >= at->elements.ssize()) return false;
    along->push_back(at->elements[static_cast<size_t>(step)]);
  }
  return true;
}

struct Visit {
  SmallVec<int64_t, 16>* path;
  SmallVec<const Shape*, 16> along;

  void enter(int64_t step) {
    along.push_back(along.back()->elements[static_cast<size_t>(step)]);
    path->push_back(step);
  }
  void leave() {
    along.pop_back();
    path->pop_back();
  }
  void enter_first_leaf() {
    while (along.back()->is_tuple() && !along.back()->elements.empty()) enter(0);
  }
  // Moves to the next sibling of this shape or, with `or_above`, of the nearest shape above it that has one.
  bool enter_sibling(bool or_above) {
    while (!path->empty()) {
      const int64_t next = path->back() + 1;
      leave();
      if (next < along.back()->elements.ssize()) {
        enter(next);
        return true;
      }
      if (!or_above) return false;
    }
    return false;
  }
  bool advance(bool post_order) {
    if (!post_order) {
      if (along.back()->is_tuple() && !along.back()->elements.empty()) {
        enter(0);
        return true;
      }
      return enter_sibling(true);
    }
    if (path->empty()) return false;
    if (enter_sibling(false)) enter_first_leaf();
    return true;  // without a sibling the tuple itself is next
  }
};

}  // namespace

Status put_back(const Shape& leaf, Ref<Shape> array, Ref<Shape>* result, Error* err) {
  if (leaf.is_buffer()) return make_buffer(std::move(array), result, err);
  *result = std::move(array);
  return XLASHAPE_STATUS_OK;
}

Status map_leaves(const Shape& root, const Shape* beside, const ChangeLeaf& change, Ref<Shape>* result, Error* err) {
  struct OpenNode {
    const Shape *node, *beside;
    size_t next;
  };
  // Nested tuples may share a shape many times: each pair is changed only once.
  std::map<std::pair<const Shape*, const Shape*>, Ref<Shape>> known;
  std::vector<OpenNode> open;
  std::vector<Ref<Shape>> done;
  open.push_back({&root, beside, 0});
  while (!open.empty()) {
    OpenNode& at = open.back();
    const Shape& node = *at.node;
    Ref<Shape> made;
    if (at.next == 0) {
      const auto found = known.find({at.node, at.beside});
      if (found != known.end()) {
        made = found->second;
      } else if (!node.is_tuple()) {
        if (at.beside != nullptr && at.beside->is_tuple())
          return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "the two shapes are made of different tuples");
        XLASHAPE_TRY(change(node, at.beside, &made, err));
      } else if (at.beside != nullptr &&
                 (!at.beside->is_tuple() || at.beside->elements.size() != node.elements.size())) {
        return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "the two shapes are made of different tuples");
      }
    }
    if (!made && at.next < node.elements.size()) {
      const size_t i = at.next++;
      const Shape* other = at.beside == nullptr ? nullptr : at.beside->elements[i];
      open.push_back({node.elements[i], other, 0});  // invalidates `at`
      continue;
    }
    if (!made) {
      const size_t first = done.size() - node.elements.size();
      SmallVec<Shape*, 8> elements;
      bool changed = false;
      for (size_t i = 0; i < node.elements.size(); ++i) {
        elements.push_back(done[first + i].get());
        changed |= elements[i] != node.elements[i];
      }
      if (changed) {
        XLASHAPE_TRY(make_tuple(elements, &made, err));
      } else {
        made = Ref<Shape>::share(const_cast<Shape*>(&node));
      }
      done.resize(first);
    }
    known.insert({{at.node, at.beside}, made});
    done.push_back(std::move(made));
    open.pop_back();
  }
  *result = std::move(done.back());
  return XLASHAPE_STATUS_OK;
}

Status map_arrays(const Shape& root, const ChangeArray& change, Ref<Shape>* result, Error* err) {
  return map_leaves(
      root, nullptr,
      [&change](const Shape& leaf, const Shape*, Ref<Shape>* made, Error* error) -> Status {
        const Shape* array = leaf.array();
        if (array == nullptr) {
          *made = Ref<Shape>::share(const_cast<Shape*>(&leaf));
          return XLASHAPE_STATUS_OK;
        }
        Ref<Shape> changed;
        XLASHAPE_TRY(change(*array, &changed, error));
        if (changed.get() == array) {
          *made = Ref<Shape>::share(const_cast<Shape*>(&leaf));
          return XLASHAPE_STATUS_OK;
        }
        return put_back(leaf, std::move(changed), made, error);
      },
      result, err);
}

Status next_subshape(const Shape& root, uint32_t flags, bool started, SmallVec<int64_t, 16>* path, const Shape** found,
                     Error* err) {
  const bool post_order = (flags & XLASHAPE_VISIT_POST_ORDER) != 0;
  Visit visit{path, {}};
  if (!descend(root, *path, &visit.along))
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "the path of %zu steps leads to no element of the shape",
                path->size());
  bool there = true;
  if (started) {
    there = visit.advance(post_order);
  } else if (post_order) {
    visit.enter_first_leaf();
  }
  const auto is_wanted = [flags](const Shape& node) {
    if ((flags & XLASHAPE_VISIT_LEAVES) && node.is_tuple()) return false;
    const Shape* array = node.array();
    return (flags & XLASHAPE_VISIT_MISSING_LAYOUTS) == 0 || (array != nullptr && !array->layout);
  };
  while (there && !is_wanted(*visit.along.back())) there = visit.advance(post_order);
  if (!there)
    return fail(err, XLASHAPE_STATUS_NOT_FOUND, "there is no further shape inside%s",
                (flags & XLASHAPE_VISIT_MISSING_LAYOUTS) ? " that lacks a layout" : "");
  *found = visit.along.back();
  return XLASHAPE_STATUS_OK;
}

int64_t subshape_count(const Shape& shape) {
  int64_t count = 0;
  walk(shape, [&count](const Shape&, std::span<const int64_t>) {
    ++count;
    return true;
  });
  return count;
}

bool is_prefix(const Shape& prefix, const Shape& shape, uint32_t mask) {
  struct PrefixPair {
    const Shape *prefix, *shape;
    size_t next;
  };
  SmallVec<PrefixPair, 16> open;
  open.push_back({&prefix, &shape, 0});
  while (!open.empty()) {
    PrefixPair& at = open.back();
    if (at.prefix == at.shape) {  // shapes may be shared
      open.pop_back();
      continue;
    }
    if (!at.prefix->is_tuple()) {
      if ((mask & XLASHAPE_EQUAL_STRUCTURE_ONLY) == 0 && !equal(*at.prefix, *at.shape, mask)) return false;
      open.pop_back();
      continue;
    }
    const size_t elements = at.prefix->elements.size();
    if (elements > (at.shape->is_tuple() ? at.shape->elements.size() : 0)) return false;
    if (at.next == elements) {
      open.pop_back();
      continue;
    }
    const size_t i = at.next++;
    open.push_back({at.prefix->elements[i], at.shape->elements[i], 0});  // invalidates `at`
  }
  return true;
}

bool has_element_type(const Shape& shape, xlashape_element_type type) {
  return !walk(shape, [type](const Shape& node, std::span<const int64_t>) { return node.element_type != type; });
}

bool leaves_have_classes(const Shape& shape, uint32_t classes) {
  return walk(shape, [classes](const Shape& node, std::span<const int64_t>) {
    if (node.is_tuple()) return true;
    return node.array() != nullptr && (element_type_info(node.element_type).classes & classes) == classes;
  });
}

Status element_count_recursive(const Shape& shape, int64_t* elements, Error* err) {
  int64_t total = 0;
  Status status = XLASHAPE_STATUS_OK;
  walk(shape, [&](const Shape& node, std::span<const int64_t>) {
    if (node.array() == nullptr) return true;
    int64_t count;
    status = element_count(node, &count, err);
    if (!status && !checked_add(total, count, &total))
      status = fail(err, XLASHAPE_STATUS_OVERFLOW, "the number of elements inside does not fit 64 bits");
    return status == XLASHAPE_STATUS_OK;
  });
  if (!status) *elements = total;
  return status;
}

Status slice_tuple(const Shape& tuple, int64_t first, int64_t limit, Ref<Shape>* result, Error* err) {
  if (!tuple.is_tuple()) return not_a_tuple(tuple, err);
  if (first < 0 || limit < first || limit > tuple.elements.ssize())
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "elements [%lld, %lld) are not in a tuple of %zu", ll(first),
                ll(limit), tuple.elements.size());
  return make_tuple({tuple.elements.data() + first, static_cast<size_t>(limit - first)}, result, err);
}

Status append_to_tuple(const Shape& tuple, const Shape& element, Ref<Shape>* result, Error* err) {
  if (!tuple.is_tuple()) return not_a_tuple(tuple, err);
  SmallVec<Shape*, 8> elements(std::span<Shape* const>(tuple.elements.data(), tuple.elements.size()));
  const Ref<Shape> last = Ref<Shape>::share(&element);
  elements.push_back(last.get());
  return make_tuple(elements, result, err);
}

Status replace_subshape(const Shape& shape, std::span<const int64_t> path, const Shape& subshape, Ref<Shape>* result,
                        Error* err) {
  SmallVec<const Shape*, 16> along;
  if (!descend(shape, path, &along))
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "the path of %zu steps leads to no element of the shape",
                path.size());
  Ref<Shape> made = Ref<Shape>::share(&subshape);
  for (size_t i = path.size(); i-- > 0;) {
    SmallVec<Shape*, 8> elements(std::span<Shape* const>(along[i]->elements.data(), along[i]->elements.size()));
    elements[static_cast<size_t>(path[i])] = made.get();
    Ref<Shape> tuple;
    XLASHAPE_TRY(make_tuple(elements, &tuple, err));
    made = std::move(tuple);
  }
  *result = std::move(made);
  return XLASHAPE_STATUS_OK;
}

Status flatten_tuple(const Shape& shape, Ref<Shape>* result, Error* err) {
  SmallVec<Shape*, 8> leaves;
  walk(shape, [&leaves](const Shape& node, std::span<const int64_t>) {
    if (!node.is_tuple()) leaves.push_back(const_cast<Shape*>(&node));
    return true;
  });
  return make_tuple(leaves, result, err);
}

}  // namespace xlashape::core
