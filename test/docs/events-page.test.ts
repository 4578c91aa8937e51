import { expect, test } from "vitest";
import { fieldsOf } from "../../src/cli/describe/fields.ts";
import { eventDefinitions } from "../../src/events/types/index.ts";
import { signals } from "../../src/events/types/signals.ts";

/** docs/events.md is written from the definitions; `npx vitest run test/docs -u` writes it anew. */
test("docs/events.md matches the definitions", async () => {
  const families = [...new Set(eventDefinitions.map(({ type }) => type.split(".")[0] ?? ""))];
  const page = [
    "# Events",
    "",
    "Every type of event that can be in a log, written from the definitions in `src/events/types`. Each event also has",
    "the envelope: `position`, `id`, `stream`, `streamVersion`, `type`, `schemaVersion`, `recordedAt`, `actor`,",
    "`causation`, `correlation`, `leafHash`. The eight signals are the agent's tools of the same names; `task` and",
    "`session` are put in by the server.",
    ...families.flatMap((family) => [
      "",
      `## ${family}`,
      ...eventDefinitions.filter(({ type }) => type.startsWith(`${family}.`)).flatMap(describe),
    ]),
    "",
  ].join("\n");
  await expect(page).toMatchFileSnapshot("../../docs/events.md");
});

type Definition = (typeof eventDefinitions)[number];

function describe(definition: Definition): string[] {
  const fields = fieldsOf(definition.payload, "input").map(
    ({ name, type, required, meaning }) =>
      `| \`${name}\` | ${type} | ${required ? "yes" : ""} | ${meaning} |`,
  );
  const signal = signals.find(({ type }) => type === definition.type);
  // The example belongs to this definition, so its own stream and timeline take it.
  const { stream, timeline } = definition as unknown as {
    stream(payload: unknown): string;
    timeline(payload: unknown): string;
  };
  return [
    "",
    `### \`${definition.type}\``,
    "",
    `${definition.description}${signal?.closing ? " A closing verb." : ""} Schema version ${definition.version}, stream \`${stream(definition.example)}\`.`,
    "",
    "| field | type | required | meaning |",
    "|---|---|---|---|",
    ...fields,
    "",
    "```json",
    JSON.stringify(definition.example),
    "```",
    "",
    ...timeline(definition.example)
      .split("\n")
      .map((line) => (line === "" ? ">" : `> ${line}`)),
  ];
}
