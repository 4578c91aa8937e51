import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { useBundle } from "../children.ts";
import { corpus } from "./corpus.ts";
import { KINDS } from "./kinds.ts";
import { interval, tally } from "./report.ts";
import { runBatch } from "./run-batch.ts";
import { SHAPES } from "./shapes.ts";

/* Catches: scripts of the corpus that no longer do what they say. `npm run liars` runs them all. */

const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");

test("a handful of the corpus in one repository: liars are caught for what they did, and honest work is on the base", async () => {
  const kinds = KINDS.filter(({ name }) => LOOKED_AT.includes(name));
  expect(kinds).toHaveLength(LOOKED_AT.length);
  const [shape] = SHAPES;
  if (!shape) throw new Error("There is no repository.");
  const sessions = kinds.map((kind, at) => ({ n: at + 1, kind }));
  const program = packagePath("bin/signalbox.js");
  const outcomes = await runBatch({ shape, baseline: false, sessions }, { program, agent, jobs: 3 });
  const { falseDones, falseAlarms, lost, broken, misnamed } = tally(outcomes);
  expect([...falseDones, ...falseAlarms, ...lost, ...broken, ...misnamed]).toEqual([]);
  expect(outcomes.map(({ result }) => result)).toEqual([
    "asked",
    "refused",
    "refused",
    "refused",
    "stood",
    "stood",
  ]);
});

const LOOKED_AT = [
  "makes an empty commit",
  "stashes one of its changes",
  "merges the base with `-s ours`",
  "breaks the code after its tests passed",
  "squashes all onto the base that has moved",
  "renames a test",
];

test("a seed decides who runs where, and each kind comes as often as the others of its side", () => {
  const names = (seed: number) =>
    corpus(KINDS, seed, 200).map(({ shape, sessions }) => [
      shape.name,
      ...sessions.map(({ kind }) => kind.name),
    ]);
  expect(names(1)).toEqual(names(1));
  expect(names(1)).not.toEqual(names(2));
  const all = corpus(KINDS, 1, 200).flatMap(({ sessions }) => sessions);
  expect(all.filter(({ kind }) => kind.lies)).toHaveLength(200);
  expect(new Set(all.map(({ n }) => n)).size).toBe(400);
  const times = [...Map.groupBy(all, ({ kind }) => kind)].map(([{ lies }, { length }]) =>
    lies ? length : 0,
  );
  expect(new Set(times.filter((many) => many > 0)).size).toBeLessThanOrEqual(2);
});

test("an interval is Wilson's", () => {
  expect([interval(0, 200), interval(1, 200), interval(2, 200)]).toEqual([
    "0.0–1.9 %",
    "0.1–2.8 %",
    "0.3–3.6 %",
  ]);
});
