import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { PROGRAM_LEVEL } from "../../src/events/program-level.ts";
import { eventDefinitions } from "../../src/events/types/index.ts";

/* Catches: a host with an older program that goes on writing to a shared log whose events it cannot read. */

test("the level of the program rises with each new event type and schema version", () => {
  const known = eventDefinitions.map(({ type, version }) => `${type} ${version}`).sort();
  const found = { level: PROGRAM_LEVEL, events: hash("sha256", known.join("\n")).slice(0, 16) };
  expect(
    found,
    "The event types or their versions changed. Raise PROGRAM_LEVEL in src/events/program-level.ts by 1, unless it was raised since the last release, and copy the level and hash to this test.",
  ).toEqual({ level: 3, events: "24644ac3756e2a35" });
});
