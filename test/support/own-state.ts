import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { STATE_VARIABLE } from "../../src/config/state-folder.ts";

/* What a test confirms is kept in a folder of its file, never in the home of whoever runs it. */
const folder = mkdtempSync(join(tmpdir(), "signalbox-test-state-"));
process.env[STATE_VARIABLE] = folder;
afterAll(() => rmSync(folder, { recursive: true, force: true }));
