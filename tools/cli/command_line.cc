// SPDX-License-Identifier: Apache-2.0
// The xlashape command, XLA's shapes and layouts at a terminal: what its subcommands are asked. It gets all its answers
// from the library, through the C++ binding.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/base/human.h"
#include "cli/base/number.h"
#include "cli/base/subcommands.h"
#include "cli/program/neighbour.h"
#include "cli/program/program.h"
#include "scan/options.h"

namespace xlashape::cli {
namespace {

// Up to an hour; CLI11's range takes what is no number at all.
CLI::Validator seconds_from(double least) {
  const CLI::Range range(least, 3600.0);
  const auto check = [range](std::string& text) {
    std::string wrong = range(text);
    if (wrong.empty() && std::isnan(std::strtod(text.c_str(), nullptr))) wrong = text + " is not a number of seconds";
    return wrong;
  };
  return {check, range.get_description()};
}

void add_options(CLI::App& command, ExplainOptions& options) {
  command
      .add_option("SHAPE-OR-FILE", options.texts,
                  "Shapes as XLA prints them, like 'bf16[128,256]{1,0:T(8,128)(2,1)}', or as others do: float32[2,3], "
                  "'f32[1,64,56,56]{nChw16c}', 'tensor<2x3xf32>'; - reads them from standard input, one per line. Or "
                  "files of arrays, of which only headers are read: .npy, .npz, .safetensors, FILE:NAME, what relayout "
                  "writes")
      ->required();
  command
      .add_option("--target", options.target,
                  "A machine like tpu:v5e: arrays without a layout get the one that its compiler chooses")
      ->type_name("TARGET");
  command.add_flag("--notations", options.notations,
                   "Also as other projects write it: oneDNN, linalg.pack, memref, CuTe, jax, NumPy");
  command.footer(
      "Example:\n  xlashape explain 's32[8388608,8,4]{2,1,0:T(8,128)}'\n"
      "  xlashape explain model.safetensors");
}

void add_options(CLI::App& command, LayoutForOptions& options) {
  command.add_option("TARGET", options.targets, joined(target_names(), ", ") + "; several with commas between them")
      ->required();
  command
      .add_option("SHAPE", options.texts,
                  "Shapes as XLA prints them; of one with a layout the order is kept, and only the tiles are chosen; - "
                  "reads them from standard input, one per line")
      ->required();
  command.footer("Example:\n  xlashape layout-for tpu:v5e 'f32[1000,3]' 'bf16[128,256]{0,1}'");
}

void add_options(CLI::App& command, IndexOptions& options) {
  command.add_option("SHAPE", options.shape, "A shape with its layout")->required();
  add_repeated(command, "--at", options.at, "An index: 3,1 or by dimension: x=1,y=3. May be repeated", "i,j,k");
  add_repeated(command, "--linear", options.linear, "A position: elements from the start of storage. May be repeated",
               "N");
  command.footer(
      "Without --at and --linear, one question per line is read from standard input: an index (3,1), or a\n"
      "position (7, or #7 where the array has one dimension).\n"
      "Example:\n  xlashape index 'f32[3,5]{1,0:T(2,2)}' --at 2,3 --linear 9");
}

// "-" is a standard stream.
void add_file(CLI::App& command, const char* name, std::string& path, const char* help) {
  const std::string stream = name == std::string_view("IN") ? "/dev/stdin" : "/dev/stdout";
  command.add_option(name, path, help)->required()->transform([stream](const std::string& given) {
    return given == "-" ? stream : given;
  });
}

// A plain decimal number: CLI11 takes 0352 as an octal one.
void add_count(CLI::App& command, const char* name, std::optional<int64_t>& value, const char* help) {
  command
      .add_option_function<std::string>(
          name,
          [name, &value](const std::string& text) {
            value = number(text);
            if (!value || *value < 0 || *value > int64_t{1} << 60)
              throw CLI::ValidationError(name, text + " is not a number of bytes");
          },
          help)
      ->type_name("N");
}

// Where in a file an array is.
void add_place(CLI::App& command, Reading& reading) {
  add_count(command, "--offset", reading.offset,
            "Bytes of IN before those of --shape, like a header of another format");
  add_count(command, "--bytes", reading.bytes, "How many bytes --shape has in IN; what follows them is not looked at");
}

// What becomes of values.
void add_values(CLI::App& command, ValueOptions& options) {
  command.add_flag(
      "--saturate", options.saturate,
      "What is beyond the range of --to's type becomes its nearest end: not infinity, NaN or the low bits");
  command
      .add_option("--scale", options.scale,
                  "Quantized values: real = (quantized - zero point) * scale. A number, or a file of f32 with one for "
                  "each index of --scale-dimension: .npy, file.npz:member, file.safetensors:member")
      ->type_name("FILE");
  command.add_option("--zero-point", options.zero_point, "That of --scale: a number, or a file of s32 (default: 0)")
      ->type_name("FILE");
  command
      .add_option("--scale-dimension", options.scale_dimension,
                  "The dimension of IN whose indices have a scale each: a number or a letter")
      ->type_name("DIM");
  command
      .add_option("--high-first", options.high_first,
                  "Where elements that share a byte start in its highest bits, as those of numpy.packbits do: source, "
                  "destination, both")
      ->check(CLI::IsMember({"source", "destination", "both"}))
      ->type_name("SIDE");
}

void add_options(CLI::App& command, RelayoutOptions& options) {
  add_file(command, "IN", options.in,
           ".npy, file.npz:member, file.safetensors:member, .png, raw bytes (with a sidecar IN.json or --shape), or a "
           "sidecar; - is standard input");
  add_file(command, "OUT", options.out,
           ".npy, .png or file.npz:name where they can hold the result, file.safetensors:name, else raw bytes and "
           "OUT.json; - is "
           "standard output, and gets "
           "the bytes alone");
  CLI::Option* to = command
                        .add_option("--to", options.to,
                                    "A layout like '{1,0:T(8,128)}', row, col, T(8,128), a tag (nChw16c), or another "
                                    "order of the dimensions: 2,0,1, 'NHWC->NCHW', 'h w c -> c h w'; an element type "
                                    "in front, or alone, converts values: 'bf16{1,0:T(8,128)(2,1)}', float16")
                        ->type_name("LAYOUT");
  // {2,0,1} would be a layout, which moves nothing; HLO writes dimensions so.
  const auto take_axes = [&options](std::string text) {
    for (char& c : text) c = c == '{' ? '(' : c == '}' ? ')' : c;
    options.to = text;
    options.to_option = "--transpose";
  };
  const auto are_axes = [](const std::string& text) {
    const bool are = text.find_first_not_of("0123456789-, ()[]{}") == text.npos;
    return are ? "" : fmt::format("'{}' is no order of dimensions, like 2,0,1: a layout is for --to", text);
  };
  command.add_option_function<std::string>("--transpose", take_axes, "The order of the dimensions, as in NumPy: 2,0,1")
      ->check(are_axes)
      ->excludes(to)
      ->type_name("AXES");
  command.add_option("--flip", options.flip, "Dimensions of IN that run backwards, as in NumPy: 0,2")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("AXES");
  command
      .add_option("--from", options.reading.layout,
                  "The layout IN's bytes have, whatever IN says: what --to takes, but no permutation")
      ->type_name("LAYOUT");
  command
      .add_option("--shape", options.reading.shape,
                  "What IN's bytes are: type, dimensions, maybe the layout: 'float32[64,3,7,7]{OIhw16o}'")
      ->type_name("SHAPE");
  command.add_option("--dtype", options.reading.dtype, "Element type of the same width, like bf16 for NumPy's V2")
      ->type_name("TYPE");
  add_place(command, options.reading);
  add_values(command, options.values);
  add_repeated(
      command, "--members", options.members,
      "Move all members of IN whose names match, copy the others: of .safetensors and .npz. 'GLOB rank 2' means "
      "those of two dimensions, 'GLOB = LAYOUT' has a --to of its own, 'GLOB = keep' copies. May be repeated: "
      "the first that fits a member holds",
      "RULE");
  for (const char* one : {"--from", "--shape", "--dtype", "--offset", "--bytes"})
    command.get_option("--members")->excludes(one);
  command.add_flag("--verify", options.verify,
                   "Check the result through the index maps, and by moving it back; converted values one by one");
  command.add_option("--backend", options.backend, "The backend to use; see xlashape backends")->type_name("NAME");
  command.add_option("--load", options.load, "Load a backend from this shared object")->type_name("PATH");
  command.add_option("--threads", options.threads, "Threads to use")->check(CLI::Range(1, 1024))->type_name("N");
  command
      .add_option("--fill", options.fill, "Positions without an element: fill (padding value), preserve, unspecified")
      ->check(CLI::IsMember({"fill", "preserve", "unspecified"}))
      ->type_name("POLICY");
  command
      .add_flag("--measure", options.measure,
                "First time the backend's ways to move these bytes, and take the fastest: 1 s, or --measure=SECONDS")
      ->transform([](const std::string& given) {
        std::string seconds = given == "true" ? "1" : given;  // CLI11's word for a flag without a value
        std::string text = seconds;
        if (const std::string wrong = seconds_from(0.001)(text); !wrong.empty()) throw CLI::ValidationError(wrong);
        return seconds;
      });
  command
      .add_option(
          "--wisdom", options.wisdom,
          "Which ways were the fastest: read from this file where it is there, and written to it after --measure")
      ->type_name("FILE");
  command.add_flag("--explain", options.explain, "Also print the plan: what the backend does, and why");
  command
      .add_option_function<std::string>(
          "--max-memory",
          [&options](const std::string& text) {
            options.max_memory = size_from(text);
            if (!options.max_memory)
              throw CLI::ValidationError("--max-memory", text + " is no size, like 200M, 1.5G or 4096");
          },
          "Move the array in parts, with no more than this for them: 200M, 1.5G, or bytes. For arrays larger than "
          "memory")
      ->type_name("SIZE");
  for (const char* one : {"--flip", "--measure", "--wisdom", "--explain"})
    command.get_option("--members")->excludes(one);
  // An empty text is a variable of the shell that is not set, not an option that is not given.
  const auto is_given = [](const std::string& text) { return text.empty() ? "nothing is given" : ""; };
  for (const char* one : {"--from", "--dtype", "--scale", "--zero-point", "--scale-dimension", "--flip", "--backend",
                          "--load", "--wisdom"})
    command.get_option(one)->check(is_given);
  command.footer(
      "Example:\n  xlashape relayout photo.npy planes.npy --transpose 2,0,1\n"
      "  xlashape relayout photo.png planar.bin --to '{1,0,2:T(8,128)(4,1)}' --verify\n"
      "  xlashape relayout planar.bin back.png --to row\n"
      "  xlashape relayout model.safetensors tpu.safetensors --members '*.weight' --to 'bf16{1,0:T(8,128)(2,1)}'\n"
      "  xlashape relayout model.safetensors tpu.safetensors --members '* rank 2 = bf16 tpu:v5e' --members '*.bias = "
      "f32'");
}

void add_options(CLI::App& command, TuneOptions& options) {
  command.add_option("--seconds", options.seconds, "How long to measure")
      ->check(seconds_from(0.01))
      ->capture_default_str()
      ->type_name("S");
  command.add_option("--threads", options.threads, "Threads to measure with")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str()
      ->type_name("N");
  command
      .add_option("-o,--out", options.out,
                  "Where to write the profile (default: where the library looks for it); - is standard output")
      ->type_name("FILE")
      ->transform([](const std::string& given) { return given == "-" ? "/dev/stdout" : given; });
  command.add_option("--load", options.load, "Load a backend from this shared object")->type_name("PATH");
  command.footer(
      "Close what else keeps the processor busy. Exit codes: 0 done, 1 it failed, 3 no backend measures anything, or\n"
      "there is no place for the profile.\n"
      "Example:\n  xlashape tune\n  xlashape tune --seconds 60 -o - >here.profile");
}

void add_options(CLI::App& command, PictureOptions& options) {
  add_file(command, "IN", options.in, "What relayout reads");
  add_file(command, "OUT", options.out, "The PNG to write");
  const CLI::Range most(int64_t{1}, int64_t{1} << 20);
  command.add_option("--width", options.width, "Bytes in a line (default: a tile's row, or the minor dimensions)")
      ->check(most)
      ->type_name("N");
  command.add_option("--columns", options.columns, "Columns to set long memory in")->check(most)->type_name("N");
  command.add_option("--scale", options.scale, "Pixels a byte, both ways")->check(CLI::Range(1, 64))->type_name("N");
  command
      .add_option("--tint", options.tint,
                  "Colour bytes by their index in this dimension (a number or a letter); "
                  "none; auto: the channels of u8 pixels")
      ->type_name("DIM");
  command.add_option("--from", options.reading.layout, "The layout IN's bytes have")->type_name("LAYOUT");
  command.add_option("--shape", options.reading.shape, "What IN's bytes are")->type_name("SHAPE");
  command.add_option("--dtype", options.reading.dtype, "Element type of the same width")->type_name("TYPE");
  add_place(command, options.reading);
  command.footer("Example:\n  xlashape picture planar.bin memory.png --columns 4");
}

void add_options(CLI::App& command, DrawShapesOptions& options) {
  command
      .add_option(
          "SHAPE", options.texts,
          "An array with its layout, like 'f32[8,128]{1,0:T(8,128)}'; with a second one of the same dimensions, "
          "or a layout alone: both, and what a relayout from one to the other does")
      ->required()
      ->expected(1, 2);
  command
      .add_option("-o,--out", options.out, "Write to this file: .svg and .html say the format; - is standard output")
      ->type_name("FILE");
  command.add_option("--as", options.as, "text, svg or html (default: as FILE is named, else text)")
      ->check(CLI::IsMember({"text", "svg", "html"}))
      ->type_name("FORMAT");
  command
      .add_option(
          "--show", options.show,
          "What stands in a cell: position in memory, index, byte, tile, lane (sublane.lane of a TPU's register), "
          "nothing")
      ->check(CLI::IsMember({"position", "index", "byte", "tile", "lane", "nothing"}))
      ->capture_default_str()
      ->type_name("WHAT");
  command
      .add_option("--color-by", options.color_by,
                  "What colours mean: position, tile, or a dimension (a number or a letter)")
      ->capture_default_str()
      ->type_name("WHAT");
  command
      .add_option("--zoom", options.zoom,
                  "0: a cell is an element; 1: a tile of the innermost level; 2: of the one around it")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str()
      ->type_name("N");
  add_repeated(command, "--at", options.at,
               "Only the elements with this index in some dimensions: 0=3,1=7 or x=3. May be repeated", "DIM=I");
  command
      .add_option(
          "--overlay", options.overlay,
          "Mark where blocks of memory end, and count those that a row touches: a number of bytes, line (64), page "
          "(4096), sublane (512) or register (4096)")
      ->type_name("BYTES");
  command
      .add_option("--target", options.target,
                  "A machine like tpu:v5e: a shape without a layout gets the one that its compiler chooses")
      ->type_name("TARGET");
  command.add_option("--max-cells", options.max_cells, "Cells to show at most (default: 1024 in text, else 4096)")
      ->check(CLI::Range(9, 1 << 20))
      ->type_name("N");
  command.add_option("--width", options.width, "Characters in a line of text (default: the terminal's, else 100)")
      ->check(CLI::Range(20, 10000))
      ->type_name("N");
  command.add_flag("--ascii", options.ascii, "Text of nothing but ASCII");
  command.footer(
      "Example:\n  xlashape draw 'bf16[16,256]{1,0:T(8,128)(2,1)}'\n"
      "  xlashape draw 'f32[4,6]' 'f32[4,6]{0,1}' -o relayout.html");
}

void add_options(CLI::App& command, BackendsOptions& options) {
  command.add_flag("--report", options.report, "Every place searched, and what was there");
  command.add_flag("--try", options.tries, "Load all backends first, so that each says whether it works here");
  command.add_option("--load", options.load, "Load a backend from this shared object")->type_name("PATH");
  command.footer("Example:\n  xlashape backends --report");
}

void add_options(CLI::App& command, SelfTestOptions& options) {
  command.add_option("--backend", options.backend, "The backend to test; see xlashape backends")->type_name("NAME");
  command.add_option("--load", options.load, "Load a backend from this shared object")->type_name("PATH");
  command.add_option("--count", options.count, "How many relayouts")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 40))
      ->capture_default_str()
      ->type_name("N");
  command.add_option("--seed", options.seed, "Where the random numbers start")
      ->check([](const std::string& text) {  // CLI11 reads a number that is too large as the largest one
        uint64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        return error == std::errc() && *end == 0 ? "" : text + " is not a number from 0 to 2^64 - 1";
      })
      ->capture_default_str()
      ->type_name("S");
  command.add_option("--first", options.first, "The first case's number")
      ->check(CLI::Range(int64_t{0}, int64_t{1} << 40))
      ->capture_default_str()
      ->type_name("CASE");
  command.add_option("--plugin", options.plugin, "Check a shared object for all that backends must do")
      ->excludes("--backend", "--load", "--first")
      ->type_name("PATH");
  command.add_option("--seconds", options.seconds, "How long it may take; the share of the huge ones grows with it")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 30))
      ->capture_default_str()
      ->type_name("S");
  command.footer(
      "Each case has random shapes, layouts (tiles of any kind, padding, tails, packed and widened elements),\n"
      "boxes, strides and fill policies. The expected result comes from index maps; the destination\n"
      "starts as noise, with guard bytes around it. Of 600 cases 516 are small (up to 128 KiB), 72 large\n"
      "(64 KiB to 64 MiB), 11 sparse (boxes in arrays of more than 2^31 elements, mapped and not filled) and one huge\n"
      "(more than 2^31 elements are moved). 1000 take some seconds and less than 300 MiB.\n"
      "Example:\n  xlashape self-test --backend simd --count 200\n  xlashape self-test --plugin ./blk.so");
}

void add_options(CLI::App& command, CompletionOptions& options) {
  command
      .add_option_function<std::string>(
          "SHELL",
          [&command, &options](const std::string& shell) {
            options.shell = shell;
            options.script = completion_for(shell, manual_of(*command.get_parent()));
          },
          "The shell that is to complete words: bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command.footer(
      "Where xlashape is installed the shells find their files by themselves.\n"
      "Example:\n  source <(xlashape completion bash)\n  xlashape completion fish | source");
}

#ifdef XLASHAPE_SCAN_INSIDE
constexpr auto scan = run_scan;
#else
// A program of its own, which takes the same words; its options are here for help and completions.
int scan(const ScanOptions&, const Common& common) { become("xlashape-scan", common.words); }
#endif

}  // namespace

std::variant<int, Command> read_command_line(int argc, char** argv) {
  CLI::App app("XLA's shapes and layouts without XLA.", "xlashape");
  set_up(app, version_text, "Print the version and the backends, and stop");
  app.require_subcommand(1);
  Command asked;
  std::vector<std::pair<const CLI::App*, std::function<int(const Common&)>>> commands;
  const auto add = [&]<class Options>(const char* name, const char* what, int (*run)(const Options&, const Common&)) {
    CLI::App* command = app.add_subcommand(name, what);
    const auto options = std::make_shared<Options>();
    add_options(*command, *options);
    add_options(*command, asked.common);
    commands.emplace_back(command, [options, run](const Common& common) { return run(*options, common); });
  };
  add("explain", "Show everything about shapes, or arrays in files: sizes, order, tiles, waste", run_explain);
  add("layout-for", "Show the layout that the compiler of a TPU, CPU or GPU chooses", run_layout_for);
  add("draw", "Draw a layout: cells, tiles and padding, as text, SVG or a page", run_draw);
  add("index", "Show the position of an element, or the element at a position", run_index);
  add("relayout", "Move a file's array from one layout to another", run_relayout);
  add("tune", "Measure this machine, for faster relayouts", run_tune);
  add("picture", "Draw a file's memory as a PNG: one pixel a byte, padding hatched", run_picture);
  add("scan", kScanWhat, scan);
  add("backends", "List the backends here, and why they are used or not", run_backends);
  add("self-test", "Check random relayouts element by element", run_self_test);
  add("completion", "Print what a shell needs to complete this command's words", run_completion);
  // Only now: subcommands would inherit it.
  app.footer(
      "Exit codes: 0 done, 1 a problem with the data, 2 with the command line, 3 the request has no answer.\n"
      "xlashape COMMAND --help tells more.");
  if (const std::optional<int> exit = parse(app, argc, argv)) return *exit;
  for (const auto& [command, run] : commands)
    if (command->parsed()) {
      asked.run = run;
      asked.common.words = std::find(argv + 1, argv + argc - 1, command->get_name()) + 1;
    }
  return asked;
}

}  // namespace xlashape::cli
