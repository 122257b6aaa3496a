# SPDX-License-Identifier: Apache-2.0
"""What a test does in a browser without a window, whichever it is: real keys, pointers, sizes and colour schemes.
`started` gives one; Chromium is here, Firefox in firefox.py. Needs only Python's standard library."""

import base64
import json
import os
import pathlib
import select
import subprocess
import tempfile
import time


def started(program):
    import firefox  # which needs this file

    return (firefox.Firefox if "firefox" in pathlib.Path(program).name else Chromium)(program)


class Browser:
    """What is the same in both. A browser evaluates (`evaluate`), goes to an address (`_navigate`), moves and presses
    what there is to press (`_move`, `_press`, `key`), inserts text (`_insert`), and tells what it was asked for and
    what went wrong since the last time (`requests`, `errors`)."""

    patience = 60  # seconds for an answer
    REPLACED = ()  # words of errors that say that the page is being replaced

    def wait_for(self, expression, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                value = self.evaluate(expression)
            except RuntimeError as error:
                if not any(words in str(error) for words in self.REPLACED):
                    raise
                value = None
            if value:
                return value
            time.sleep(0.02)
        raise TimeoutError(f"never true: {expression}")

    def go(self, url):
        self._navigate("about:blank")
        self.wait_for("location.href === 'about:blank'")
        self._navigate(url)

    def move_to(self, selector):
        """Moves the pointer to the middle of an element, which it scrolls into view."""
        x, y = self.evaluate(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); "
            "e.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});"
            "const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        for dx in (-1, 0):  # the first one may come from nowhere, which is no movement
            self._move(x + dx, y)
        return x, y

    def click(self, selector):
        self._press(*self.move_to(selector))

    def type_into(self, selector, text):
        """Replaces a field's text as a reader does: selects all of it and types."""
        field = f"document.querySelector({json.dumps(selector)})"
        self.evaluate(f"(() => {{ const f = {field}; f.focus(); f.select(); }})()")
        self._insert(text)

    def nameless_controls(self):
        """(how many controls the page has, the roles of those without a name); None where the browser does not tell"""
        return None

    def screenshot(self, path):
        pathlib.Path(path).write_bytes(base64.b64decode(self._picture()))


class Chromium(Browser):
    """Driven over two pipes (--remote-debugging-pipe)."""

    REPLACED = ("context",)

    def __init__(self, program):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_read, self.write_end = os.pipe()
        self.read_end, to_write = os.pipe()

        def pipes():  # Chromium reads commands from 3 and writes answers to 4
            os.dup2(os.dup(to_read), 3)
            os.dup2(os.dup(to_write), 4)
            for number in (3, 4):
                os.set_inheritable(number, True)

        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
                 "--mute-audio"]
        self.process = subprocess.Popen(
            [program, *flags, "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}", "about:blank"],
            preexec_fn=pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(to_write)
        self.number, self.buffer, self.events = 0, b"", []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = None
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log", "DOM", "Accessibility"):
            self.send(f"{domain}.enable")

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.read_end)
        os.close(self.write_end)
        self.profile.cleanup()

    def _receive(self, seconds):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.read_end], [], [], seconds)
            if not ready:
                return None
            part = os.read(self.read_end, 1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self.buffer += part
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def send(self, method, **parameters):
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        if getattr(self, "session", None):
            command["sessionId"] = self.session
        os.write(self.write_end, json.dumps(command).encode() + b"\0")
        end = time.monotonic() + self.patience
        while time.monotonic() < end:
            message = self._receive(end - time.monotonic())
            if message is None:
                break
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
            self.events.append(message)
        raise TimeoutError(method)

    def evaluate(self, expression):
        """The value of a JavaScript expression in the page; promises are awaited."""
        answer = self.send("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def _navigate(self, url):
        self.send("Page.navigate", url=url)

    def _move(self, x, y):
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def _press(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def key(self, key):
        for kind in ("keyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    def _insert(self, text):
        self.send("Input.insertText", text=text)

    def _picture(self):
        return self.send("Page.captureScreenshot", format="png")["data"]

    def show_as(self, scheme):
        """As people see it who like it "light" or "dark"."""
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def resize(self, width, height, mobile=False):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)

    def nameless_controls(self):
        nodes = self.send("Accessibility.getFullAXTree")["nodes"]
        roles = ("textbox", "combobox", "slider", "button", "link", "image", "img")
        controls = [node for node in nodes if node.get("role", {}).get("value") in roles]
        return len(controls), [node["role"]["value"] for node in controls if not node.get("name", {}).get("value")]

    def requests(self):
        return [event["request"]["url"] for event in self._take("Network.requestWillBeSent")]

    def errors(self):
        thrown = [event["exceptionDetails"] for event in self._take("Runtime.exceptionThrown")]
        logged = [event["entry"] for event in self._take("Log.entryAdded")]
        return thrown + [entry for entry in logged if entry["level"] == "error"]

    def _take(self, method):
        self.evaluate("0")
        found = [event["params"] for event in self.events if event.get("method") == method]
        self.events = [event for event in self.events if event.get("method") != method]
        return found
