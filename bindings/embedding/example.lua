-- xlashape from LuaJIT by its ffi: luajit example.lua [LIBRARY]
local ffi = require("ffi")

-- From xlashape.h, what is used here. Handles are released when Lua no longer needs them.
ffi.cdef [[
typedef struct xlashape_shape xlashape_shape;
typedef struct {
  uint32_t struct_size; int32_t code; int64_t index, offset; uint32_t source, message_len; char message[480];
} xlashape_error;
typedef struct {
  uint32_t struct_size; int32_t element_bits;
  int64_t elements, storage_elements, logical_bytes, bytes, xla_bytes, data_bytes, dimension_padding, tail_padding;
} xlashape_sizes;
const char* xlashape_status_name(int32_t status);
int32_t xlashape_shape_parse(const char* text, int64_t text_len, uint32_t flags, xlashape_shape** shape,
                             xlashape_error* err);
int32_t xlashape_shape_print(const xlashape_shape* shape, uint32_t flags, char* text, int64_t capacity, int64_t* needed,
                             xlashape_error* err);
int32_t xlashape_shape_dimensions(const xlashape_shape* shape, int64_t* out, int64_t capacity, int64_t* needed,
                                  xlashape_error* err);
int32_t xlashape_shape_sizes(const xlashape_shape* shape, xlashape_sizes* sizes, xlashape_error* err);
void xlashape_shape_release(xlashape_shape* shape);
int32_t xlashape_relayout(void* runtime, const xlashape_shape* src_shape, const void* src, int64_t src_bytes,
                          const xlashape_shape* dst_shape, void* dst, int64_t dst_bytes, const void* options,
                          xlashape_error* err);
]]
local lib = ffi.load(arg[1] or "libxlashape.so.0.1")

-- Calls lib[name](..., err) and raises what it refuses.
local function call(name, ...)
  local err = ffi.new("xlashape_error")
  err.struct_size = ffi.sizeof(err)
  local arguments = { ... }
  arguments[select("#", ...) + 1] = err
  if lib[name](unpack(arguments, 1, select("#", ...) + 1)) ~= 0 then
    error({ code = ffi.string(lib.xlashape_status_name(err.code)), offset = tonumber(err.offset),
            message = ffi.string(err.message, err.message_len) }, 0)
  end
end

-- An int64 of the library as a number. Without the check LuaJIT would round it above 2^53, and cut sizes to 32 bits.
local kMost = 0x7ffffeff -- bytes of a string
local function number(int64, what, most)
  most = most or 2^53
  if int64 > most then
    error({ code = "OUT_OF_RANGE", message = ("%s: %s, LuaJIT takes no more than %.0f"):format(
            what, tostring(int64):gsub("LL$", ""), most) }, 0)
  end
  return tonumber(int64)
end

local Shape = {}
Shape.__index = Shape

function Shape.parse(text)
  local out = ffi.new("xlashape_shape*[1]")
  call("xlashape_shape_parse", text, #text, 0, out)
  return setmetatable({ handle = ffi.gc(out[0], lib.xlashape_shape_release) }, Shape)
end

function Shape:__tostring()
  local needed = ffi.new("int64_t[1]")
  call("xlashape_shape_print", self.handle, 0, nil, 0, needed)
  local size = number(needed[0], "bytes of a shape's text", kMost)
  local text = ffi.new("char[?]", size)
  call("xlashape_shape_print", self.handle, 0, text, size, needed)
  return ffi.string(text)
end

function Shape:dimensions()
  local needed = ffi.new("int64_t[1]")
  call("xlashape_shape_dimensions", self.handle, nil, 0, needed)
  local rank, list = number(needed[0], "dimensions of a shape", kMost / 8), {}
  local out = ffi.new("int64_t[?]", rank)
  call("xlashape_shape_dimensions", self.handle, out, rank, needed)
  for i = 0, rank - 1 do list[i + 1] = number(out[i], "a dimension of " .. tostring(self)) end
  return list
end

function Shape:sizes()
  local sizes = ffi.new("xlashape_sizes")
  sizes.struct_size = ffi.sizeof(sizes)
  call("xlashape_shape_sizes", self.handle, sizes)
  return sizes
end

-- Bytes in one layout to bytes in another.
function Shape:relayout(bytes, to)
  local size = number(to:sizes().bytes, "bytes of " .. tostring(to), kMost)
  local out = ffi.new("uint8_t[?]", size)
  call("xlashape_relayout", nil, self.handle, bytes, #bytes, to.handle, out, size, nil)
  return ffi.string(out, size)
end

local shape = Shape.parse("s32[100,30]{1,0:T(8,128)}")
local sizes = shape:sizes()
print(shape)
print(("  dimensions %s, %d bytes of data in %d"):format(table.concat(shape:dimensions(), " x "),
      number(sizes.logical_bytes, "bytes of data"), number(sizes.bytes, "bytes")))

local image, tiled = Shape.parse("u8[3,4]"), Shape.parse("u8[3,4]{0,1:T(2,2)}")
local there = image:relayout("abcdefghijkl", tiled)
local back = tiled:relayout(there, image)
assert(there == "aebfi\0j\0cgdhk\0l\0" and back == "abcdefghijkl")
print(("%s -> %s"):format(tostring(image), tostring(tiled)))
print(("  abcdefghijkl -> %s -> %s"):format((there:gsub("%z", ".")), back))

local ok, err = pcall(Shape.parse, "f32[2,x]")
assert(not ok)
print(("%s at byte %d: %s"):format(err.code, err.offset, err.message))
ok, err = pcall(image.relayout, image, "too short", tiled)
assert(not ok)
print(("%s: %s"):format(err.code, err.message))
