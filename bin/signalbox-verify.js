#!/usr/bin/env node
"use strict";
import("../dist/signalbox-verify.js").then((verify) => {
  process.exitCode = verify.main(process.argv.slice(2));
});
