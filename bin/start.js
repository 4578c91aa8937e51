"use strict";
import("../dist/cli.js").then((program) => program.main(process.argv));
