#!/usr/bin/env node
// CommonJS, and words that Node.js 4 knows: whatever starts it says what it needs.
"use strict";

// better-sqlite3 needs version 10 of Node-API: Node.js 22.14 has it, and of later ones all but 23.0 to 23.5.
if (Number(process.versions.napi) >= 10) require("../dist/cli.cjs").main(process.argv);
else require("./older-node.js");
