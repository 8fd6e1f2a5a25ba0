// A Chromium without a window, spoken to over a pipe (no package from npm is needed for that).
"use strict";
const { spawn } = require("node:child_process");

class Browser {
  // `profile` is a folder that the browser may fill.
  constructor(program, profile) {
    this.process = spawn(
      program,
      ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
       "--no-first-run", "--hide-scrollbars", "--remote-debugging-pipe",
       `--user-data-dir=${profile}`, "about:blank"],
      { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] },
    );
    this.last = 0;
    this.waiting = new Map();
    this.onEvent = () => {};
    this.text = "";
    this.process.stdio[4].on("data", (data) => this.receive(data.toString()));
    this.process.on("exit", () => {
      for (const { reject } of this.waiting.values()) reject(new Error("the browser ended"));
    });
  }

  receive(data) {
    const messages = (this.text + data).split("\0");
    this.text = messages.pop();
    for (const message of messages.map(JSON.parse)) {
      const { resolve, reject } = this.waiting.get(message.id) ?? {};
      this.waiting.delete(message.id);
      if (!resolve) this.onEvent(message);
      else if (message.error) reject(new Error(message.error.message));
      else resolve(message.result);
    }
  }

  send(method, params = {}) {
    const id = ++this.last;
    const message = { id, method, params };
    if (this.session) message.sessionId = this.session;
    this.process.stdio[3].write(JSON.stringify(message) + "\0");
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  async openTab() {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const options = { targetId, flatten: true };
    this.session = (await this.send("Target.attachToTarget", options)).sessionId;
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await this.send(`${domain}.enable`);
  }

  async evaluate(expression) {
    const options = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", options);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? "exception");
    return result.value;
  }

  async until(expression, seconds) {
    for (const end = Date.now() + 1000 * seconds; Date.now() < end;) {
      if (await this.evaluate(expression)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`not within ${seconds} s: ${expression}`);
  }

  // Gone for good only when its processes are, so that the profile can be removed.
  async close() {
    const gone = new Promise((resolve) => this.process.on("exit", resolve));
    this.session = undefined;
    this.send("Browser.close").catch(() => {});
    await gone;
  }
}

// What is wrong with a page that caused this event; nothing, mostly.
function complaintOf({ method, params }) {
  if (method === "Runtime.exceptionThrown")
    return `exception: ${params.exceptionDetails.exception?.description}`;
  if (method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(params.type))
    return `console: ${params.args.map((a) => a.value ?? a.description).join(" ")}`;
  if (method === "Log.entryAdded" && ["error", "warning"].includes(params.entry.level))
    return `log: ${params.entry.text}`;
  if (method === "Network.requestWillBeSent" &&
      !/^(file|data|blob|about):/.test(params.request.url))
    return `network: ${params.request.url}`;
  return undefined;
}

module.exports = { Browser, complaintOf };
