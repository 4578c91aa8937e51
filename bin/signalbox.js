#!/usr/bin/env node
// CommonJS, and words that Node.js 4 knows: whatever starts it says what it needs.
"use strict";
var found = process.versions.node.split(".").map(Number);

if (found[0] > 22 || (found[0] === 22 && found[1] >= 12)) require("../dist/cli.cjs").main(process.argv);
else require("./older-node.js");
