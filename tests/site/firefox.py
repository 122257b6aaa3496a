# SPDX-License-Identifier: Apache-2.0
"""Firefox without a window, driven by WebDriver BiDi (https://www.w3.org/TR/webdriver-bidi/)."""

import json
import pathlib
import subprocess
import tempfile
import time

import browser
import web_socket

KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "End": "\ue010", "Home": "\ue011", "ArrowLeft": "\ue012",
        "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015"}
# Firefox itself asks for nothing, a window that nobody has in front of him has the focus, and scrollbars take no room.
PREFERENCES = {"focusmanager.testmode": True, "ui.useOverlayScrollbars": 1,
               "app.update.disabledForTesting": True, "browser.shell.checkDefaultBrowser": False,
               "datareporting.policy.dataSubmissionEnabled": False, "network.captive-portal-service.enabled": False,
               "network.connectivity-service.enabled": False, "remote.prefs.recommended": True}


class Firefox(browser.Browser):
    REPLACED = ("no such frame", "Actor", "actor", "Browsing context", "destroyed", "no such window")

    def __init__(self, program):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        folder = pathlib.Path(self.profile.name)
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items()]
        (folder / "user.js").write_text("".join(lines), encoding="utf-8")
        self.process = subprocess.Popen(
            [program, "--headless", "--no-remote", "--profile", folder, "--remote-debugging-port", "0",
             "--remote-allow-system-access", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.number, self.events = 0, []
        address = self._address(folder / "WebDriverBiDiServer.json")
        self.socket = web_socket.WebSocket(address["ws_host"], address["ws_port"], "/session")
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        self.context = self.send("browsingContext.getTree")["contexts"][0]["context"]
        self.window = self.send("browsingContext.getTree", **{"moz:scope": "chrome"})["contexts"][0]["context"]
        self._run('gBrowser.selectedBrowser.focus(), "0"', self.window)  # not the field for addresses
        self.resize(1280, 720)

    def _address(self, path):
        end = time.monotonic() + 120
        while time.monotonic() < end:
            try:
                return json.loads(path.read_text(encoding="utf-8"))
            except (FileNotFoundError, json.JSONDecodeError):
                if self.process.poll() is not None:
                    raise RuntimeError("firefox has ended") from None
                time.sleep(0.1)
        raise TimeoutError("firefox does not listen")

    def close(self):
        self.socket.close()
        self.process.kill()
        self.process.wait()
        self.profile.cleanup()

    def send(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        end = time.monotonic() + self.patience
        while (text := self.socket.receive(end - time.monotonic())) is not None:
            message = json.loads(text)
            if message.get("id") == self.number:
                if message["type"] == "error":
                    raise RuntimeError(f"{method}: {message['error']}: {message['message']}")
                return message["result"]
            self.events.append(message)
        raise TimeoutError(method)

    def evaluate(self, expression):
        """The value of a JavaScript expression in the page; promises are awaited."""
        return self._run(f"(async () => JSON.stringify(await ({expression})))()", self.context)

    def _run(self, expression, context):
        answer = self.send("script.evaluate", expression=expression, target={"context": context}, awaitPromise=True)
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"].get("value", "null"))

    def _navigate(self, url):
        self.send("browsingContext.navigate", context=self.context, url=url, wait="none")

    def _act(self, kind, actions, **more):
        self.send("input.performActions", context=self.context,
                  actions=[{"type": kind, "id": kind, "actions": actions, **more}])

    def _move(self, x, y):
        self._act("pointer", [{"type": "pointerMove", "x": round(x), "y": round(y)}])

    def _press(self, x, y):
        self._act("pointer", [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")])

    def key(self, key):
        self._act("key", [{"type": kind, "value": KEYS[key]} for kind in ("keyDown", "keyUp")])

    def _insert(self, text):
        self.evaluate(f"document.execCommand('insertText', false, {json.dumps(text)})")

    def _picture(self):
        return self.send("browsingContext.captureScreenshot", context=self.context)["data"]

    def show_as(self, scheme):
        """As people see it who like it "light" or "dark"."""
        number = {"dark": 0, "light": 1}[scheme]
        name = "layout.css.prefers-color-scheme.content-override"
        self._run(f'Services.prefs.setIntPref("{name}", {number}), "0"', self.window)
        self.wait_for(f"matchMedia('(prefers-color-scheme: {scheme})').matches")  # pages hear of it later

    def resize(self, width, height, mobile=False):
        self.send("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height},
                  devicePixelRatio=1)

    def requests(self):
        return [event["request"]["url"] for event in self._take("network.beforeRequestSent")]

    def errors(self):
        return [event for event in self._take("log.entryAdded") if event["level"] == "error"]

    def _take(self, method):
        self.evaluate("0")
        found = [event["params"] for event in self.events if event.get("method") == method]
        self.events = [event for event in self.events if event.get("method") != method]
        return found
