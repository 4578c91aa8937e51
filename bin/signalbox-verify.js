#!/usr/bin/env node
import { main } from "../dist/signalbox-verify.js";

process.exitCode = main(process.argv.slice(2));
