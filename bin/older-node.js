// For a Node.js that is too old: in a checkout the one that its scripts run by goes on (scripts/node), elsewhere one sentence says
// what is needed. better-sqlite3 would end an older one with a segmentation fault.
"use strict";
var spawn = require("child_process").spawn;
var exists = require("fs").existsSync;
var join = require("path").join;

var needed = require("../package.json").engines.node.replace(">=", "");
var platform = process.platform === "win32" ? "win" : process.platform;
var program = process.platform === "win32" ? "bin/node.exe" : "bin/node";
var newer = ["node-", "node-bin-"]
  .map(function (prefix) {
    return join(__dirname, "..", "node_modules", prefix + platform + "-" + process.arch, program);
  })
  .filter(exists)[0];

if (newer === undefined) {
  console.error(
    "signalbox: It needs Node.js " + needed + " or newer; this is " + process.versions.node + " (" + process.execPath + ").",
  );
  process.exitCode = 3;
} else {
  var child = spawn(newer, process.argv.slice(1), { stdio: "inherit" });
  ["SIGINT", "SIGTERM", "SIGHUP"].forEach(function (signal) {
    process.on(signal, function () {
      child.kill(signal);
    });
  });
  child.on("exit", function (code, signal) {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
