# xlashape from Ruby by fiddle: ruby example.rb [LIBRARY]
require "fiddle"
require "fiddle/import"

# From xlashape.h, what is used here.
module C
  extend Fiddle::Importer
  dlload ARGV[0] || "libxlashape.so.0.1"
  Error = struct ["uint32_t struct_size", "int32_t code", "int64_t index", "int64_t offset", "uint32_t source",
                  "uint32_t message_len", "char message[480]"]
  Sizes = struct ["uint32_t struct_size", "int32_t element_bits", "int64_t elements", "int64_t storage_elements",
                  "int64_t logical_bytes", "int64_t bytes", "int64_t xla_bytes", "int64_t data_bytes",
                  "int64_t dimension_padding", "int64_t tail_padding"]
  extern "const char* xlashape_status_name(int32_t status)"
  extern "int32_t xlashape_shape_parse(const char* text, int64_t text_len, uint32_t flags, void** shape, void* err)"
  extern "int32_t xlashape_shape_print(void* shape, uint32_t flags, char* text, int64_t capacity, void* needed, " \
         "void* err)"
  extern "int32_t xlashape_shape_dimensions(void* shape, void* out, int64_t capacity, void* needed, void* err)"
  extern "int32_t xlashape_shape_sizes(void* shape, void* sizes, void* err)"
  extern "void xlashape_shape_release(void* shape)"
  extern "int32_t xlashape_relayout(void* runtime, void* src_shape, void* src, int64_t src_bytes, void* dst_shape, " \
         "void* dst, int64_t dst_bytes, void* options, void* err)"
end

class XlashapeError < StandardError
  attr_reader :code, :offset

  def initialize(record)
    super(record.to_ptr[32, record.message_len].force_encoding("UTF-8"))
    @code = C.xlashape_status_name(record.code).to_s
    @offset = record.offset
  end

  # Calls C.name(..., err) and raises what it refuses.
  def self.check(name, *arguments)
    record = C::Error.malloc(Fiddle::RUBY_FREE)
    record.struct_size = C::Error.size
    raise new(record) unless C.public_send(name, *arguments, record).zero?
  end
end

class Shape
  attr_reader :handle

  def initialize(text)
    out = Fiddle::Pointer.malloc(Fiddle::SIZEOF_VOIDP, Fiddle::RUBY_FREE)
    XlashapeError.check(:xlashape_shape_parse, text, text.bytesize, 0, out)
    @handle = out.ptr
    @handle.free = C["xlashape_shape_release"] # with the object
  end

  def to_s
    needed = counter
    XlashapeError.check(:xlashape_shape_print, @handle, 0, nil, 0, needed)
    text = Fiddle::Pointer.malloc(number(needed), Fiddle::RUBY_FREE)
    XlashapeError.check(:xlashape_shape_print, @handle, 0, text, text.size, needed)
    text.to_s
  end

  def dimensions
    needed = counter
    XlashapeError.check(:xlashape_shape_dimensions, @handle, nil, 0, needed)
    out = Fiddle::Pointer.malloc(8 * number(needed) + 1, Fiddle::RUBY_FREE)
    XlashapeError.check(:xlashape_shape_dimensions, @handle, out, number(needed), needed)
    out[0, 8 * number(needed)].unpack("q*")
  end

  def sizes
    sizes = C::Sizes.malloc(Fiddle::RUBY_FREE)
    sizes.struct_size = C::Sizes.size
    XlashapeError.check(:xlashape_shape_sizes, @handle, sizes)
    sizes
  end

  # Bytes in one layout to bytes in another.
  def relayout(bytes, to)
    size = to.sizes.bytes
    out = Fiddle::Pointer.malloc(size + 1, Fiddle::RUBY_FREE)
    XlashapeError.check(:xlashape_relayout, nil, @handle, bytes, bytes.bytesize, to.handle, out, size, nil)
    out[0, size]
  end

  private

  def counter = Fiddle::Pointer.malloc(8, Fiddle::RUBY_FREE)
  def number(pointer) = pointer[0, 8].unpack1("q")
end

shape = Shape.new("s32[100,30]{1,0:T(8,128)}")
puts shape
puts "  dimensions #{shape.dimensions.join(" x ")}, #{shape.sizes.logical_bytes} bytes of data in #{shape.sizes.bytes}"

image = Shape.new("u8[3,4]")
tiled = Shape.new("u8[3,4]{0,1:T(2,2)}")
there = image.relayout("abcdefghijkl", tiled)
back = tiled.relayout(there, image)
raise "wrong answer" unless there == "aebfi\0j\0cgdhk\0l\0" && back == "abcdefghijkl"
puts "#{image} -> #{tiled}"
puts "  abcdefghijkl -> #{there.tr("\0", ".")} -> #{back}"

begin
  Shape.new("f32[2,x]")
  raise "no error"
rescue XlashapeError => e
  puts "#{e.code} at byte #{e.offset}: #{e.message}"
end
begin
  image.relayout("too short", tiled)
  raise "no error"
rescue XlashapeError => e
  puts "#{e.code}: #{e.message}"
end
