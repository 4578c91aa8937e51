import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { OtlpSpan } from "../../adapters/telemetry/otlp.ts";
import { spansOf } from "../../adapters/telemetry/session-spans.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { metricMeanings } from "../../src/queries/metrics/meanings.ts";
import { metrics } from "../../src/queries/metrics/metrics.ts";
import { sessionTrace } from "../../src/queries/session-trace.ts";
import { attempt, done, end, partial, start, task } from "../projections/loop-drafts.ts";
import { ask, at, learned, readModelOf, state, used } from "../projections/metrics/given.ts";

const MARK = "<!-- From here on made from the definitions: npx vitest run test/docs -u -->\n";

/** People write the page's beginning; the tables of columns and of attributes are made from the definitions. */
test("docs/metrics.md defines every column of every table, and every attribute of a trace", async () => {
  const [byHand = ""] = readFileSync(packagePath("docs/metrics.md"), "utf8").split(MARK);
  const page = [
    "## The tables",
    "",
    "Each row also has its `group`.",
    "",
    ...Object.entries(metricMeanings).flatMap(([name, { about, columns }]) => [
      `### ${name}`,
      "",
      about,
      "",
      "| column | meaning |",
      "|---|---|",
      ...Object.entries(columns).map(([column, meaning]) => `| \`${column}\` | ${meaning} |`),
      "",
    ]),
    "## Attributes of a trace",
    "",
    "Their names begin with `signalbox.`; an unknown one is absent.",
    "",
    "| span or event | attributes |",
    "|---|---|",
    ...attributeRows(await spans()),
    "",
  ];
  await expect(byHand + MARK + page.join("\n")).toMatchFileSnapshot("../../docs/metrics.md");
});

test("what is printed has the columns that are defined, in their order", async () => {
  const tables = metrics(await history(), { now: at(86_400) });
  const printed = Object.entries(tables).map(([name, [row = {}]]) => [
    name,
    Object.keys(row).filter((column) => column !== "group"),
  ]);
  const defined = Object.entries(metricMeanings).map(([name, { columns }]) => [name, Object.keys(columns)]);
  expect(printed).toEqual(defined);
});

function history() {
  return readModelOf([
    [0, task(1, { gates: [{ command: "npm test", max: 5, timeout_s: 300 }] })],
    [1, start(1, "s-1")],
    [2, state("s-1", "testing")],
    [3, ask(1, "s-1", true)],
    [4, learned(1, "s-1", "Rows come in chunks.")],
    [5, learned(1, "s-1", "Rows come in chunks.")],
    [6, attempt(1, "no", { session: "s-1" })],
    [7, partial(1, "s-1", "The rest.")],
    [8, used("s-1", { cost_usd: 0.25, input_tokens: 10, output_tokens: 5 })],
    [9, end("s-1")],
    [10, start(1, "s-2")],
    [11, done(1, "s-2", "All.")],
    [12, end("s-2")],
  ]);
}

/** The spans of a session of which everything is known. */
async function spans(): Promise<OtlpSpan[]> {
  const trace = sessionTrace(await history(), "s-1");
  const known = JSON.stringify(trace, (key, value) => value ?? (key.endsWith("_at") ? null : "known"));
  return spansOf(JSON.parse(known), "00000000-0000-7000-8000-000000000001");
}

function attributeRows(all: readonly OtlpSpan[]): string[] {
  const named = all.flatMap(({ name, attributes, events }) => [{ name, attributes }, ...events]);
  const rows = named.map(({ name, attributes }) => {
    const keys = attributes.map(({ key }) => `\`${key.replace("signalbox.", "")}\``);
    return [KINDS.get(name) ?? `event \`${name}\``, keys.join(", ")] as const;
  });
  return Array.from(new Map(rows), ([name, keys]) => `| ${name} | ${keys} |`);
}

const KINDS = new Map([
  ["session", "span `session`"],
  ["idle", "span of a phase, named by its state"],
  ["testing", "span of a phase, named by its state"],
  ["gate", "span `gate`, or `gate baseline`"],
  ["signal.ask", "event of a signal, such as `signal.ask`"],
  ["signal.learned", "event of a signal, such as `signal.ask`"],
  ["signal.partial", "event of a signal, such as `signal.ask`"],
  ["gate.failed", "event of an attempt, such as `gate.failed`"],
]);
