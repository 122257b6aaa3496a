# SPDX-License-Identifier: Apache-2.0
"""The Layout Explorer, and the pages of `draw`, in a real browser.
Usage: explorer_test.py BROWSER XLASHAPE SITE [--keep FOLDER] [--shapes N].

BROWSER is a Chromium or a Firefox; SITE is the built site, which is served at a loopback address; XLASHAPE the command,
whose answers the page's must equal. Ends with `N passed, M failed`."""

import functools
import gzip
import http.server
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "oracle"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import browser  # noqa: E402
import texts  # noqa: E402

BROWSER = XLASHAPE = SITE = None
KEEP = None  # the folder for screenshots
SHAPES = 1000
FIRST_LOAD = 270_000  # bytes, compressed
# As compilers wrote them until 2025; some lines behind the prefix of a log.
OUT_OF_MEMORY = """RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. Used 41.74G of 16.00G hbm.

  Largest program allocations in hbm:

  1. Size: 32.00G
     Operator: op_name="jit(step)/add" source_file="model.py" source_line=12
     Shape: s32[8388608,8,4]{2,1,0:T(8,128)}
     Unpadded size: 1.00G
     Extra memory due to padding: 31.00G (32.0x expansion)
     XLA label: %copy.7 = s32[8388608,8,4]{2,1,0:T(8,128)} copy(s32[8388608,8,4]{0,2,1:T(4,128)} %x)
     ==========================
2020-05-04 09:05:40.721128: E    1578 xla_util.cc:76]      Shape: f32[6,1024,1024]{2,1,0:T(8,128)}
     Shape: f32[6,1024,1024]{2,1,0:T(8,128)}
     Shape: bf16[32000,4096]
"""
ERRORS = "[...document.querySelectorAll('.error')].filter((e) => !e.hidden)"  # that the page shows


class Server:
    """The site at a loopback address; remembers what was asked for."""

    def __init__(self):
        server = self
        self.asked = []

        class Handler(http.server.SimpleHTTPRequestHandler):
            extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map,
                              ".wasm": "application/wasm", ".mjs": "text/javascript"}

            def log_message(self, *_):
                server.asked.append(self.path)

        handler = functools.partial(Handler, directory=str(SITE))
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.origin = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def close(self):
        self.http.shutdown()
        self.http.server_close()


def command(*arguments, text=None):
    done = subprocess.run([XLASHAPE, *arguments], capture_output=True, text=True, input=text, check=False)
    return done.stdout


class Explorer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.browser = browser.started(BROWSER)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.server.close()

    def open(self, state=""):
        self.browser.requests()
        self.browser.go(f"{self.server.origin}/explorer/index.html{state}")
        self.browser.wait_for("document.documentElement?.dataset.ready === 'yes'")

    def text(self, selector):
        return self.browser.evaluate(f"document.querySelector({json.dumps(selector)}).textContent")

    def keep(self, name):
        if KEEP:
            self.browser.screenshot(pathlib.Path(KEEP) / f"{name}.png")

    def tearDown(self):
        self.assertEqual(self.browser.errors(), [], "what the page threw and logged")

    def test_typing_explains_and_draws_and_changes_the_address(self):
        self.open()
        self.browser.type_into("#shape-field", "s32[3,5]{1,0:T(2,2)}")
        self.browser.wait_for("document.querySelector('#explanation h2').textContent === 's32[3,5]{1,0:T(2,2)}'")
        is_drawn = self.browser.evaluate("document.querySelectorAll('#picture rect[data-index]').length > 15")
        self.assertEqual(is_drawn, True)
        self.browser.wait_for("location.hash === '#shape=' + encodeURIComponent('s32[3,5]{1,0:T(2,2)}')")
        self.keep("typed")

    def test_a_link_shows_what_its_sender_saw(self):
        self.open()
        self.browser.type_into("#shape-field", "f32[6,8]")
        self.browser.type_into("#with-field", "f32[6,8]{0,1}")
        self.browser.evaluate("(() => { const f = document.querySelector('[name=show]'); f.value = 'byte'; "
                              "f.dispatchEvent(new Event('input', {bubbles: true})); })()")
        self.browser.click("#picture rect[data-index='2,3']")
        picture = "document.querySelector('#picture').innerHTML.replaceAll(' class=\"\"', '')"
        shown = self.browser.wait_for(f"location.hash.includes('position=19') && {picture}")
        place, address = self.text("#place-text"), self.browser.evaluate("location.href")
        self.assertIn("[2,3]: position 19, byte 76", place)
        self.assertIn("in the other: position 20, byte 80, 4 bytes behind", place)
        self.browser.go(address)
        self.browser.wait_for("document.documentElement?.dataset.ready === 'yes'")
        self.assertEqual(self.browser.evaluate(picture), shown)
        self.assertEqual(self.text("#place-text"), place)
        self.keep("link")

    def test_a_shape_alone_is_an_address(self):
        for address in ("#f32[16,256]{1,0:T(8,128)}", "#f32%5B16%2C256%5D%7B1%2C0%3AT(8%2C128)%7D"):
            self.open(address)
            self.assertEqual(self.text("#explanation h2"), "f32[16,256]{1,0:T(8,128)}")

    def test_pointer_and_fields_and_slider_agree(self):
        self.open("#shape=" + "bf16[20,200]{1,0:T(8,128)(2,1)}")
        self.browser.move_to("#picture rect[data-index='9,1']")
        self.browser.wait_for("document.querySelector('#index-field').value === '9,1'")
        position = json.loads(command("index", "bf16[20,200]{1,0:T(8,128)(2,1)}", "--at", "9,1", "--json"))[0]["linear"]
        self.assertEqual(self.browser.evaluate("document.querySelector('#position-field').value"), str(position))
        self.browser.type_into("#position-field", str(position + 2))
        self.browser.wait_for("document.querySelector('#index-field').value === '9,2'")
        self.assertEqual(self.browser.evaluate("document.querySelector('#picture rect.on').dataset.index"), "9,2")
        self.browser.type_into("#index-field", "9,3")
        self.browser.wait_for(f"document.querySelector('#position-field').value === '{position + 4}'")
        self.browser.evaluate("(() => { const f = document.querySelector('#memory-slider'); f.value = '1'; "
                              "f.dispatchEvent(new Event('input', {bubbles: true})); })()")
        self.assertIn("[1,0]: position 1, byte 2", self.text("#place-text"))
        self.browser.type_into("#index-field", "20,0")
        self.browser.wait_for("!document.querySelector('#place-error').hidden")
        self.assertIn("20", self.text("#place-error"))

    def test_keys_go_from_cell_to_cell(self):
        self.open("#shape=f32[4,6]")
        self.browser.evaluate("document.querySelector('#picture').focus()")
        for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
            self.browser.key(key)
        self.browser.wait_for("document.querySelector('#index-field').value === '1,2'")
        for key in ("ArrowLeft", "ArrowUp"):
            self.browser.key(key)
        self.browser.wait_for("document.querySelector('#index-field').value === '0,1'")
        for key, place in (("End", "0,5"), ("Home", "0,0")):
            self.browser.key(key)
            self.browser.wait_for(f"document.querySelector('#index-field').value === '{place}'")

    def test_an_error_is_shown_at_its_place(self):
        self.open()
        self.browser.type_into("#shape-field", "f32[2,3]{1,q}")
        self.browser.wait_for("!document.querySelector('#shape-error').hidden")
        self.assertEqual(self.text("#shape-error mark"), "q")
        is_invalid = self.browser.evaluate("document.querySelector('#shape-field').getAttribute('aria-invalid')")
        self.assertEqual(is_invalid, "true")
        self.keep("error")
        self.browser.type_into("#shape-field", "f32[2,3]{1,0}")
        self.browser.wait_for("document.querySelector('#shape-error').hidden")
        self.browser.type_into("#with-field", "f32[2,4]")
        self.browser.wait_for("!document.querySelector('#with-error').hidden")
        self.assertIn("dimension 1", self.text("#with-error"))
        self.assertEqual(self.browser.evaluate(ERRORS + ".length"), 1)

    def test_one_error_at_a_time(self):
        self.open("#shape=token[]&at=x=9")
        self.assertEqual(self.browser.evaluate(ERRORS + ".length"), 1)
        self.browser.type_into("#shape-field", "f32[99999999999,99999999999]{1,q}")
        self.browser.wait_for("document.querySelector('#shape-error mark')?.textContent === 'q'")
        self.assertEqual(self.browser.evaluate(ERRORS + ".length"), 1)
        self.assertEqual(self.browser.evaluate("document.title"), "Layout Explorer - xlashape")

    def rows(self):
        return self.browser.evaluate("[...document.querySelectorAll('#found tbody tr')].map((row) => "
                                     "[...row.cells].map((cell) => cell.textContent))")

    def test_shapes_in_a_pasted_error(self):
        rows = [["s32[8388608,8,4]{2,1,0:T(8,128)}", "", "32.0 GiB", "32x"], ["bf16[32000,4096]", "", "250 MiB", ""],
                ["f32[6,1024,1024]{2,1,0:T(8,128)}", "2x", "24.0 MiB", ""]]
        shown = "document.querySelector('#explanation h2')?.textContent"
        self.open()
        self.browser.type_into("#shape-field", OUT_OF_MEMORY)
        self.browser.wait_for("document.querySelectorAll('#found tbody tr').length === 3")
        self.assertEqual(self.rows(), rows)
        self.assertEqual(self.text("#summary"),
                         "32.0 GiB for 1.00 GiB of data (32x); {0,2,1:T(4,128)} would take 1.00 GiB")
        self.keep("out-of-memory")
        self.browser.click("#found tbody tr:nth-child(2) a")
        self.browser.wait_for(f"{shown} === 'bf16[32000,4096]{{1,0}}'")
        self.browser.wait_for("location.hash.includes('pick=bf16')")
        self.assertNotIn("hbm", self.browser.evaluate("location.hash"))  # of the text the address has the shapes alone
        self.assertEqual(self.browser.evaluate("document.querySelector('#shape-field').value"), OUT_OF_MEMORY)
        address = self.browser.evaluate("location.href")
        self.browser.evaluate("history.back()")
        self.browser.wait_for(f"{shown} === 's32[8388608,8,4]{{2,1,0:T(8,128)}}'")
        self.assertEqual(self.browser.evaluate("document.querySelector('#shape-field').value"), OUT_OF_MEMORY)
        self.browser.go(address)
        self.browser.wait_for(f"{shown} === 'bf16[32000,4096]{{1,0}}'")
        self.assertEqual(self.rows(), rows)
        self.browser.evaluate("(() => { const f = document.querySelector('#target-field'); f.value = 'tpu:v5e'; "
                              "f.dispatchEvent(new Event('input', {bubbles: true})); })()")
        self.assertEqual([row[-1] for row in self.rows()], ["1.00 GiB", "250 MiB", "24.0 MiB"])

    def test_shapes_in_other_texts(self):
        self.open()
        for text, wanted in (
                ("f32[8,128]{1,0}\nf32[3]", ["f32[8,128]{1,0}", "f32[3]"]),
                ("{ lambda ; a:f32[8,128] b:i32[]. let c:bf16[8,128] = add a b in (c,) }",
                 ["f32[8,128]", "bf16[8,128]", "s32[]"]),
                ('%g = f32[4,4]{1,0} all-gather(f32[2,4]{1,0} %x), replica_groups=[2,2]<=[2,2]T(1,0), '
                 'metadata={op_name="jit(f)/f32[77]"}\nROOT %r = f32[4]{0} add(), backend_config={"a":"s8[9]"}',
                 ["f32[4,4]{1,0}", "f32[2,4]{1,0}", "f32[4]{0}"])):
            self.browser.type_into("#shape-field", text)
            self.browser.wait_for(f"document.querySelector('#shape-field').value === {json.dumps(text)}")
            self.assertEqual([row[0] for row in self.rows()], wanted)
        self.browser.type_into("#shape-field", "RESOURCE_EXHAUSTED: Ran out of memory\nin memory space hbm")
        self.browser.wait_for("!document.querySelector('#shape-error').hidden")
        self.assertEqual(self.browser.evaluate("document.querySelector('#shape-error a').pathname"), "/scan.html")
        self.browser.wait_for("location.hash === '#shape='")

    def test_back_goes_to_the_shape_before(self):
        shown = "document.querySelector('#explanation h2').textContent"
        self.open("#shape=f32[9]")
        for text in ("f32[2,3]", "f32[4,5]"):
            for part in (text[:-2] + "1]", text):  # of what is typed only the end is kept
                self.browser.type_into("#shape-field", part)
                self.browser.wait_for(f"location.hash === '#shape=' + encodeURIComponent('{part}')")
            self.browser.key("Enter")
        for text in ("f32[2,3]{1,0}", "f32[9]{0}"):
            self.browser.evaluate("history.back()")
            self.browser.wait_for(f"{shown} === '{text}'")

    def test_a_frame_to_embed(self):
        self.open("#shape=f32[4,6]")
        self.browser.click("#embed")
        frame = self.browser.evaluate("document.querySelector('#embed-text').value")
        self.assertIn('title="f32[4,6]{1,0} - Layout Explorer"', frame)
        self.browser.go(re.search('src="([^"]+)"', frame).group(1))
        self.browser.wait_for("document.documentElement?.dataset.ready === 'yes'")
        seen = "['shape-field', 'summary', 'targets', 'picture'].filter((id) => " \
               "document.getElementById(id).checkVisibility())"
        self.assertEqual(self.browser.evaluate(seen), ["summary", "picture"])
        self.keep("embedded")

    def test_the_first_page_leads_to_the_explorer(self):
        self.server.asked.clear()
        self.browser.go(f"{self.server.origin}/index.html")
        self.browser.wait_for("document.readyState === 'complete' && document.querySelector('#to-explorer') !== null")
        self.keep("first-page")
        self.browser.type_into("#to-explorer", OUT_OF_MEMORY)
        self.browser.click(".to-explorer button")
        self.browser.wait_for("document.documentElement?.dataset.ready === 'yes'")
        self.assertEqual(len(self.rows()), 3)
        queries = [path for path in self.server.asked if "?" in path and not path.startswith("/_static/")]
        self.assertEqual(queries, [])

    def test_search_finds_what_people_look_for(self):
        for words, page in (("out of memory", "scan"), ("OOM", "scan"), ("RESOURCE_EXHAUSTED", "scan"),
                            ("write a backend", "backends"), ("convert weights", "command"), ("offline", "howto"),
                            ("safetensors", "command")):
            self.browser.go(f"{self.server.origin}/search.html?q={words.replace(' ', '+')}")
            self.browser.wait_for("/found/.test(document.querySelector('.search-summary')?.textContent)")
            hits = self.browser.evaluate("[...document.querySelectorAll('#search-results li > a')].slice(0, 5)"
                                         ".map((a) => a.pathname)")
            self.assertIn(f"/{page}.html", hits, words)

    def test_a_layout_alone_and_chosen_indices(self):
        self.open("#shape=f32[4,6]&with={0,1}&at=x=2")
        self.browser.wait_for("document.querySelector('#other-explanation h2').textContent === 'f32[4,6]{0,1}'")
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('#picture g rect[data-position]').length"), 4)
        for text, why in (("x=6", "dimension 1 has the size 6"), ("2=0", "no such dimension"),
                          ("0=1,y=2", "given twice"), ("w=1", "no such"), ("1", "write a dimension")):
            self.browser.type_into("#at-field", text)
            self.browser.wait_for("!document.querySelector('#at-error').hidden")
            self.assertIn(why, self.text("#at-error"))
        self.browser.type_into("#with-field", " {0,q}")
        self.browser.wait_for("!document.querySelector('#with-error').hidden")
        self.assertEqual(self.text("#with-error mark"), "q")
        self.open("#shape=f32[4,6]&show=zzz&overlay=abc&target=nope&zoom=9&color=77&position=x")
        self.assertEqual(self.browser.evaluate(ERRORS + ".length"), 0)
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('#picture rect').length > 24"), True)

    def test_words_of_other_projects(self):
        shown = "document.querySelector('#explanation h2').textContent"
        self.open()
        for text, wanted in (("float32[1,64,56,56]{nChw16c}", "f32[1,64,56,56]{3,2,1,0:T(16,1,1)}"),
                             ("tensor<2x3xf32>", "f32[2,3]{1,0}"),
                             ("f32 ((8,2),(128,3)):((128,3072),(1,1024))", "f32[16,384]{1,0:T(8,128)}")):
            self.browser.type_into("#shape-field", text)
            self.browser.wait_for(f"{shown} === {json.dumps(wanted)}")
            self.assertEqual(self.text("#shape-note"), f"in XLA's text: {wanted}")
        self.keep("words")
        # XLA's own text needs no note, and a wrong one has none.
        self.browser.type_into("#shape-field", "f32[2,3]")
        self.browser.wait_for(f"{shown} === 'f32[2,3]{{1,0}}'")
        self.assertEqual(self.browser.evaluate("document.querySelector('#shape-note').hidden"), True)
        self.browser.type_into("#shape-field", "flaot32[2,3]")
        self.browser.wait_for("!document.querySelector('#shape-error').hidden")
        self.assertIn("did you mean f32?", self.text("#shape-error"))
        self.assertEqual(self.text("#shape-error mark"), "f")
        self.assertEqual(self.browser.evaluate("document.querySelector('#shape-note').hidden"), True)
        self.browser.type_into("#shape-field", "f32[2,3]{rwo}")
        self.browser.wait_for("document.querySelector('#shape-error mark')?.textContent === 'r'")
        # A target's compiler chooses where the text has no layout, and only there.
        self.open("#shape=float32[1000,4]&target=tpu:v5e")
        self.assertEqual((self.text("#explanation h2"), self.text("#shape-note code")),
                         ("f32[1000,4]{0,1:T(4,128)}", "f32[1000,4]"))
        self.open("#shape=float32[1000,4]{row}&target=tpu:v5e")
        self.assertEqual((self.text("#explanation h2"), self.text("#shape-note code")),
                         ("f32[1000,4]{1,0}", "f32[1000,4]{1,0}"))

    def test_a_layout_in_words_beside_a_shape(self):
        self.open("#shape=u8[1,4,6,3]")
        beside = "document.querySelector('#other-explanation h2')?.textContent"
        for words, wanted, note in (
                ("NHWC->NCHW", "u8[1,4,6,3]{2,1,3,0}", "u8[1,4,6,3]{2,1,3,0}, the bytes of u8[1,3,4,6]{3,2,1,0}"),
                ("channels_last", "u8[1,4,6,3]{1,3,2,0}", "u8[1,4,6,3]{1,3,2,0}"),
                ("{0,1,2,3}", "u8[1,4,6,3]{0,1,2,3}", ""),
                ("uint8[1,4,6,3]{F}", "u8[1,4,6,3]{0,1,2,3}", "u8[1,4,6,3]{0,1,2,3}"),
                ("u8[1,4,6,3]", "u8[1,4,6,3]{3,2,1,0}", "")):
            self.browser.type_into("#with-field", words)
            self.browser.wait_for(f"{beside} === {json.dumps(wanted)}")
            self.assertEqual(self.text("#with-note"), f"in XLA's text: {note}" if note else "")
            self.assertEqual(self.browser.evaluate(ERRORS + ".length"), 0, words)
        self.browser.type_into("#with-field", "colum")
        self.browser.wait_for("!document.querySelector('#with-error').hidden")
        self.assertIn("did you mean column?", self.text("#with-error"))

    def test_other_notations(self):
        rows = "Object.fromEntries([...document.querySelectorAll('#notations tr')].map((r) => " \
               "[r.cells[0].textContent, r.cells[1].textContent]))"
        self.open("#shape=f32[1,64,56,56]{3,2,1,0:T(16,1,1)}")
        told = self.browser.evaluate(rows)
        self.assertEqual((told["oneDNN's tag"], told["CuTe"]), ("aBcd16b", "(1,(16,4),56,56):(0,(1,50176),896,16)"))
        self.assertNotIn("NumPy", told)
        self.browser.click("#notations summary")
        self.browser.type_into("#shape-field", "f32[2,3]")
        self.browser.wait_for(f"{rows}['NumPy'] !== undefined")
        self.assertEqual(self.browser.evaluate(rows)["memref"], "memref<2x3xf32>")
        self.assertEqual(self.browser.evaluate("document.querySelector('#notations details').open"), True)
        self.keep("notations")
        self.browser.type_into("#shape-field", "(f32[2,3], s32[])")
        self.browser.wait_for("document.querySelector('#notations').hidden")

    def test_tuples_and_targets_and_examples_are_links_that_work(self):
        self.open("#shape=" + "(f32[8]{0}, (bf16[16,128]{1,0}, s32[]))")
        self.browser.click("#picture li:nth-child(2) a")
        self.browser.wait_for("document.querySelector('#explanation h2').textContent === 'bf16[16,128]{1,0}'")
        self.browser.click("#targets tbody tr:last-child a")
        self.browser.wait_for("document.querySelector('#explanation h2').textContent.includes(':T(')")
        for i in range(1, 1 + self.browser.evaluate("document.querySelectorAll('#example-list a').length")):
            self.browser.evaluate("document.querySelector('#examples').open = true")
            wanted = self.text(f"#example-list li:nth-child({i}) code")
            self.browser.click(f"#example-list li:nth-child({i}) a")
            self.browser.wait_for(f"document.querySelector('#shape-field').value === {json.dumps(wanted)}")
            self.assertEqual(self.browser.evaluate(ERRORS + ".length"), 0, wanted)
            self.keep(f"example-{i}")

    def test_hostile_texts_are_text(self):
        bad = "<img src=x onerror=\"window.pwned=1\"><script>window.pwned=1</script>&amp;\u202e'\"`${1}"
        address = "".join(f"%{byte:02X}" for byte in bad.encode())
        fields = ("with", "at", "show", "zoom", "color", "overlay", "target", "position")
        for state in (f"#{address}", f"#shape={address}",
                      "#shape=f32[2]" + "".join(f"&{field}={address}" for field in fields),
                      "#shape=%E0%A4%A&x=%", "#__proto__=1&shape=f32[2]",
                      "#shape=f32[2]%00", "#shape=" + "(" * 3000, "#shape=f32[" + "9" * 30 + "]"):
            self.open(state)
            self.assertEqual(self.browser.evaluate("typeof window.pwned"), "undefined")
            self.assertEqual(self.browser.evaluate("document.querySelectorAll('img').length"), 0)
            self.assertEqual(self.browser.evaluate("document.querySelectorAll('script').length"), 1)
        self.open()
        self.browser.type_into("#shape-field", bad)
        self.browser.wait_for("!document.querySelector('#shape-error').hidden")
        self.assertEqual(self.browser.evaluate("typeof window.pwned"), "undefined")
        for text in ('"' + '\\"' * 200_000, "f32[1]{" * 50_000, "tensor<<a>" * 50_000, "]  " * 200_000,
                     "9x " * 90_000):
            self.browser.type_into("#shape-field", text)
            self.browser.wait_for(f"document.querySelector('#shape-field').value.length === {len(text)}")
            self.assertLessEqual(self.browser.evaluate(ERRORS + ".length"), 1)

    def test_only_its_own_files_are_asked_for(self):
        self.open("#shape=f32[8,128]{1,0:T(8,128)}")
        asked = self.browser.requests()
        self.assertGreater(len(asked), 5)
        for url in asked:
            self.assertTrue(url.startswith((f"{self.server.origin}/explorer/", "data:", "about:")), url)
        size = 0
        for url in {url for url in asked if url.startswith("http")}:
            path = pathlib.Path(SITE) / url[len(self.server.origin) + 1:].split("#")[0]
            size += len(gzip.compress(path.read_bytes(), 9))
        print(f"first load: {size} bytes compressed")
        self.assertLess(size, FIRST_LOAD)

    def test_without_a_network(self):
        self.open("#shape=f32[2,3]")
        self.browser.wait_for("navigator.serviceWorker.controller !== null")
        self.browser.wait_for("caches.open('xlashape-explorer').then((cache) => cache.keys())"
                              ".then((keys) => performance.getEntriesByType('resource').every(({ name }) => "
                              "!name.startsWith('http') || keys.some(({ url }) => url === name)))")
        origin = self.server.origin
        self.server.close()
        try:
            self.browser.go(f"{origin}/explorer/index.html#shape=f32[7,9]")
            self.browser.wait_for("document.documentElement?.dataset.ready === 'yes'")
            self.assertEqual(self.text("#explanation h2"), "f32[7,9]{1,0}")
        finally:
            type(self).server = Server()
            self.browser.errors()  # the browser logs that the network is gone

    def test_light_and_dark_and_narrow(self):
        seen = {}
        for scheme in ("light", "dark"):
            self.browser.show_as(scheme)
            self.open("#shape=bf16[20,200]{1,0:T(8,128)(2,1)}")
            seen[scheme] = self.browser.evaluate("[getComputedStyle(document.body).backgroundColor, "
                                                 "getComputedStyle(document.body).color,"
                                                 "getComputedStyle(document.querySelector('#picture .bg')).fill]")
            self.keep(scheme)
        self.assertEqual(sum(a != b for a, b in zip(seen["light"], seen["dark"])), 3, seen)
        try:
            for width in (400, 320):
                self.browser.resize(width, 900, mobile=True)
                self.open("#shape=" + "bf16[20,200]{1,0:T(8,128)(2,1)}&with=bf16[20,200]")
                self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), width)
                self.keep(f"narrow-{width}")
        finally:
            self.browser.resize(1280, 900)
            self.browser.show_as("light")

    def test_pages_fit_narrow_windows(self):
        """No page is scrolled sideways as a whole, nor are words of code broken, nor pictures too small to be read."""
        try:
            for width in (360, 768):
                self.browser.resize(width, 900, mobile=True)
                for page in ("index", "scan", "command", "tutorial", "performance", "reference/xlashape"):
                    with self.subTest(page=page, width=width):
                        self.browser.go(f"{self.server.origin}/{page}.html")
                        self.browser.wait_for("document.readyState === 'complete' && "
                                              "document.querySelector('article') !== null")
                        self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), width)
                        # In tables the width of columns decides.
                        broken = self.browser.evaluate(
                            "[...document.querySelectorAll('p:not(td *) > code.literal > .pre')].filter((e) => "
                            "e.textContent.length < 24 && (e.getClientRects().length > 1 || "
                            "e.getBoundingClientRect().height > 1.5 * parseFloat(getComputedStyle(e).lineHeight)))"
                            ".map((e) => e.textContent)")
                        self.assertEqual(broken, [])
                        small = self.browser.evaluate("[...document.querySelectorAll('article p > img')].filter((e) => "
                                                      "e.src.endsWith('.svg') && e.width < 500).map((e) => e.src)")
                        self.assertEqual(small, [])
            self.browser.resize(360, 900, mobile=True)
            self.open("#shape=bf16[20,200]{1,0:T(8,128)(2,1)}")
            cut = self.browser.evaluate("""[...document.querySelectorAll('fieldset select')].filter((e) => {
              const whole = e.cloneNode(true);
              whole.style.cssText = 'width: max-content; position: absolute';
              const chosen = e.selectedIndex;
              whole.replaceChildren(e.options[chosen].cloneNode(true));
              e.parentNode.append(whole);
              const wide = whole.getBoundingClientRect().width;
              whole.remove();
              return e.getBoundingClientRect().width < wide - 1;
            }).map((e) => e.selectedOptions[0].textContent)""")
            self.assertEqual(cut, [])
        finally:
            self.browser.resize(1280, 900)

    def test_every_control_has_a_name(self):
        self.open("#shape=f32[4,6]")
        told = self.browser.nameless_controls()
        if told is None:
            self.skipTest("this browser does not tell the names of controls")
        count, nameless = told
        self.assertGreater(count, 12)
        self.assertEqual(nameless, [])

    def test_times(self):
        start = time.monotonic()
        self.open("#shape=f32[4,6]")
        ready = self.browser.evaluate("performance.now()")
        took = self.browser.evaluate("""(async () => { const f = document.querySelector('#shape-field'), took = [];
          for (let i = 0; i < 10; ++i) { f.value = `f32[${1000 + i},1000]{1,0:T(8,128)}`; const t = performance.now();
            f.dispatchEvent(new Event('input', {bubbles: true})); document.body.offsetHeight;
            took.push(performance.now() - t); }
          return took; })()""")
        print(f"ready after {ready:.0f} ms; a million elements: median {sorted(took)[5]:.0f} ms, "
              f"most {max(took):.0f} ms ({time.monotonic() - start:.1f} s in all)")

    def test_numbers_equal_the_library(self):
        make, rng = texts.Texts(17), random.Random(17)
        shapes = []
        while len(shapes) < SHAPES:
            text = make.array()
            if json.loads(command("explain", text, "--json") or "[{}]")[0].get("bytes") is not None:
                shapes.append(text)
        told = command("explain", "-", "--json", text="\n".join(shapes) + "\n")
        told = json.loads(told)
        self.open()
        for text, facts in zip(shapes, told):
            page = self.browser.evaluate(f"""(() => {{
              const f = document.querySelector('#shape-field'); f.value = {json.dumps(text)};
              f.dispatchEvent(new Event('input', {{bubbles: true}}));
              const cells = [...document.querySelectorAll('#picture g rect[data-index]')];
              const lines = [...document.querySelectorAll('#explanation tr')];
              return {{title: document.querySelector('#explanation h2').textContent,
                cells: cells.map((c) => [c.dataset.index, c.dataset.position]),
                lines: lines.map((r) => [r.cells[0].textContent, r.cells[1].textContent]),
                place: document.querySelector('#place-text').textContent,
                errors: {ERRORS}.map((e) => e.textContent)}}; }})()""")
            with self.subTest(text):
                self.assertEqual(page["title"], facts["shape"])
                self.assertEqual(page["errors"], [])
                lines = dict(page["lines"])
                for label, name in (("elements", "elements"), ("stored", "storage_elements"), ("bytes", "bytes"),
                                    ("logical bytes", "logical_bytes")):
                    # The exact number follows the rounded one.
                    number = re.findall(r"\d[\d,]*(?![\d.]*[KMGTPE B])", lines[label])
                    self.assertIn(f"{facts[name]:,}", number + lines[label].split(), (label, lines[label]))
                picked = rng.sample(page["cells"], min(3, len(page["cells"])))
                for index, position in picked:
                    if index:
                        answer = json.loads(command("index", text, "--at", index, "--json"))[0]
                        self.assertEqual(str(answer["linear"]), position, index)


class DrawnPage(unittest.TestCase):
    """The page of `xlashape draw -o FILE.html`, opened as a file."""

    def setUp(self):
        self.browser = browser.started(BROWSER)
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.assertEqual(self.browser.errors(), [])
        self.browser.close()
        self.folder.cleanup()

    def open(self, *arguments):
        path = pathlib.Path(self.folder.name) / "picture.html"
        command("draw", *arguments, "-o", str(path))
        self.browser.go(path.as_uri())
        self.browser.wait_for("document.querySelector('output') !== null && "
                              "document.querySelector('output').textContent !== ''")

    def said(self):
        return self.browser.evaluate("document.querySelector('output').textContent")

    def test_pointer_and_slider(self):
        self.open("bf16[16,256]{1,0:T(8,128)(2,1)}")
        self.assertEqual(self.said(), "[0,0]: position 0, byte 0, tile 0")
        self.browser.move_to("rect[data-index='9,130']")
        self.browser.wait_for("document.querySelector('output').textContent === "
                              "'[9,130]: position 3077, byte 6154, tile 3'")
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('rect.on').length"), 1)
        self.browser.evaluate("document.querySelector('input').focus()")
        self.browser.key("Home")
        self.browser.key("ArrowRight")
        self.browser.wait_for("document.querySelector('output').textContent === '[1,0]: position 1, byte 2, tile 0'")

    def test_two_shapes_and_play(self):
        self.open("s4[3,4]{1,0:E(4)}", "s4[3,4]{0,1:T(2,2)E(4)}")
        self.browser.move_to("rect[data-index='1,3']")
        # In both pictures, and in both memories.
        self.browser.wait_for("document.querySelectorAll('rect.on').length === 4")
        there = json.loads(command("index", "s4[3,4]{0,1:T(2,2)E(4)}", "--at", "1,3", "--json"))[0]["linear"]
        self.assertIn(f"[1,3]: position 7, byte 3 from bit 4; in the other: position {there}, byte {there // 2}",
                      self.said())
        self.browser.click("button")
        self.browser.wait_for("document.querySelector('button').textContent === 'Stop'")
        before = self.said()
        self.browser.wait_for(f"document.querySelector('output').textContent !== {json.dumps(before)}")
        self.browser.click("button")
        self.browser.wait_for("document.querySelector('button').textContent === 'Play'")


def main():
    global BROWSER, XLASHAPE, SITE, KEEP, SHAPES
    arguments = sys.argv[1:]
    if "--shapes" in arguments:
        at = arguments.index("--shapes")
        SHAPES = int(arguments[at + 1])
        del arguments[at:at + 2]
    if "--keep" in arguments:
        at = arguments.index("--keep")
        KEEP = arguments[at + 1]
        del arguments[at:at + 2]
    BROWSER, XLASHAPE, SITE, *names = arguments
    loader = unittest.defaultTestLoader
    loader.testNamePatterns = [f"*{name}*" for name in names] or None
    suite = unittest.TestSuite(loader.loadTestsFromTestCase(each) for each in (Explorer, DrawnPage))
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    failed = len(result.failures) + len(result.errors)
    for test, why in result.skipped:
        print(f"NOT RUN: {test.id()}: {why}")
    print(f"{max(0, result.testsRun - failed - len(result.skipped))} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
