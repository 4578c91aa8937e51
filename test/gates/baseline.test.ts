import { expect, test } from "vitest";
import { resultFromElsewhere, type textAsOutput } from "../../src/events/types/command-result.ts";
import { compareWithBaseline } from "../../src/gates/baseline.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { gateRunsOf } from "../../src/queries/gate-runs.ts";
import { givenProject } from "../loop/given.ts";

/* Catches: an old failure that is shown as new, a new one that is passed over, a baseline of something else. */
interface Ran {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exit_code?: number;
  readonly timed_out?: boolean;
}

const OF = { task: 1, gate: 1, session: "s-1" };

/** A task with two gates, a run of the first before the work, if any, and one after it. */
async function compared(baselines: readonly (Ran & object)[], attempt: Ran) {
  const given = await givenProject();
  const gate = { command: "npm test", max: 5, timeout_s: 300 };
  await given.decides(
    createTask({ title: "Export", feature: "core", discipline: "backend", gates: [gate, gate] }),
  );
  await given.session("s-1", 1, [], null);
  await given.appends(
    ...baselines.map((baseline) => ({
      type: "gate.baselined" as const,
      actor: "driver",
      payload: { ...OF, ...resultFromElsewhere({ exit_code: 1, ...baseline }), ...pick(baseline) },
    })),
    {
      type: "gate.attempted",
      actor: "driver",
      payload: { ...OF, ...resultFromElsewhere({ exit_code: 1, ...attempt }) },
    },
  );
  const { readModel } = given.store;
  const [row] = gateRunsOf(readModel, OF);
  if (!row) throw new Error("The attempt is not there.");
  return compareWithBaseline(readModel, OF, row);
}

/** What a run elsewhere does not have: another gate or session, its being interrupted, an output of which the middle is gone. */
function pick(ran: object): object {
  const own = ["gate", "session", "interrupted", "stdout_kept"].filter((key) => key in ran);
  const values = Object.fromEntries(own.map((key) => [key, Reflect.get(ran, key)]));
  const { stdout_kept, ...others } = values;
  return { ...others, ...(stdout_kept !== undefined && { stdout: stdout_kept }) };
}

const VITEST = `
 ✓ test/a.test.ts (3 tests) 12ms
 ❯ test/b.test.ts (2 tests | 1 failed) 34ms
   × quotes are doubled 5ms
     → expected 'a' to be 'b' // Object.is equality

 Test Files  1 failed | 1 passed (2)
   Start at  12:10:49
   Duration  1.32s (transform 80ms, setup 0ms)
`;

test("the same failure, at another time and with other durations, is the same and has no new line", async () => {
  const later = VITEST.replace("12ms", "1.2s").replace("5ms", "9ms").replace("12:10:49", "13:00:01");
  expect(await compared([{ stdout: VITEST }], { stdout: later })).toEqual({
    ...{ failed_before: true, same: true, new_lines: [], more: 0, baseline_cut: false },
  });
});

test("for a failure that existed before, only the new lines are reported, as printed", async () => {
  const more = VITEST.replace(
    " ✓ test/a.test.ts (3 tests) 12ms",
    " ❯ test/a.test.ts (3 tests | 1 failed) 20ms\n   × Dates are ISO 3ms",
  ).replace("1 failed | 1 passed (2)", "2 failed (2)");
  expect(await compared([{ stdout: VITEST }], { stdout: more })).toMatchObject({
    failed_before: true,
    same: false,
    new_lines: [
      " ❯ test/a.test.ts (3 tests | 1 failed) 20ms",
      "   × Dates are ISO 3ms",
      " Test Files  2 failed (2)",
    ],
  });
});

test("pytest: new failures are reported, and the line of durations is not", async () => {
  const run = (failed: readonly string[], took: string) =>
    [
      "=================== short test summary info ===================",
      ...failed.map((name) => `FAILED tests/test_orders.py::${name} - AssertionError`),
      `================ ${failed.length} failed in ${took} ================`,
    ].join("\n");
  expect(await compared([{ stdout: run(["a"], "0.12s") }], { stdout: run(["a"], "1.98s") })).toMatchObject({
    same: true,
    new_lines: [],
  });
  expect(
    await compared([{ stdout: run(["a"], "0.12s") }], { stdout: run(["b", "a"], "0.12s") }),
  ).toMatchObject({
    same: false,
    new_lines: [
      "FAILED tests/test_orders.py::b - AssertionError",
      "================ 2 failed in 0.12s ================",
    ],
  });
});

test("compilers: an error at another place is new, in either output", async () => {
  const old = "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.";
  const fresh = "src/b.ts(9,1): error TS2304: Cannot find name 'x'.";
  expect(await compared([{ stdout: old }], { stdout: `${old}\n${fresh}\n` })).toMatchObject({
    new_lines: [fresh],
  });
  expect(await compared([{ stderr: old }], { stderr: `${fresh}\n${old}` })).toMatchObject({
    new_lines: [fresh],
  });
  const moved = old.replace("(3,5)", "(4,5)");
  expect(await compared([{ stdout: old }], { stdout: moved })).toMatchObject({ new_lines: [moved] });
});

test.each([
  ["process ids", "worker 4711 died (pid 4711)", "worker 81 died (pid 82)"],
  ["process ids of valgrind and syslog", "==4711== leak\nsshd[12]: no", "==9== leak\nsshd[7]: no"],
  ["temporary paths", "no file /tmp/test-aB3/x.csv:1", "no file /tmp/test-Zz9/x.csv:1"],
  ["macOS's temporary paths", "in /private/var/folders/q1/T/x1", "in /var/folders/z9/T/x2"],
  ["addresses", "<Order at 0x7f3a5c0d>", "<Order at 0x7f00ffee>"],
  ["times", "[2026-11-21T12:10:49Z] failed after 3.2 s", "[2026-11-22T09:00:00Z] failed after 41 ms"],
  ["colours", "\\u{1b}[31mfailed\\u{1b}[0m", "failed"],
  ["line ends", "one\\u{d}\ntwo\\u{d}\n", "one\ntwo"],
  ["raw line ends", "one\r\ntwo\r\n", "one\ntwo\n"],
  ["blank lines and layout", "one\n\n\n  two", "one\ntwo\n"],
])("%s do not make a failure another one", async (_what, stdout, now) => {
  expect(await compared([{ stdout }], { stdout: now })).toMatchObject({ same: true, new_lines: [] });
});

test("the same lines in another order are not the same, and none is new", async () => {
  expect(await compared([{ stdout: "✗ a\n✗ b" }], { stdout: "✗ b\n✗ a" })).toMatchObject({
    same: false,
    new_lines: [],
  });
});

test("numbers that are no times count", async () => {
  expect(await compared([{ stdout: "1 failing" }], { stdout: "2 failing" })).toMatchObject({
    same: false,
    new_lines: ["2 failing"],
  });
});

test("a gate that had passed did not fail before, and the failure's lines are new", async () => {
  expect(await compared([{ exit_code: 0, stdout: "ok" }], { stdout: "ok\nnot ok" })).toMatchObject({
    ...{ failed_before: false, same: false, new_lines: ["not ok"] },
  });
});

test("a baseline that took too long had failed", async () => {
  expect(await compared([{ exit_code: 0, timed_out: true }], {})).toMatchObject({ failed_before: true });
});

test("two failures without output are equal, unless their exit codes differ", async () => {
  expect(await compared([{}], {})).toMatchObject({ same: true, new_lines: [] });
  expect(await compared([{}], { exit_code: 2 })).toMatchObject({ same: false, new_lines: [] });
});

test("at most 20 lines are shown, each shortened, with the number of the others", async () => {
  const long = "é😀".repeat(200);
  const lines = Array.from({ length: 25 }, (_, index) => `${index + 1} ${long}`);
  const found = await compared([{}], { stdout: lines.join("\n") });
  expect(found).toMatchObject({ more: 5 });
  expect(found?.new_lines).toHaveLength(20);
  for (const line of found?.new_lines ?? []) {
    expect(line.length).toBeLessThanOrEqual(200);
    expect(Buffer.from(line).toString()).toBe(line);
    expect(line.endsWith("…")).toBe(true);
  }
});

test("a baseline with a dropped middle is marked, and partial lines at the gap are not compared", async () => {
  const stdout_kept = { head: "first\nhal", tail: "f\nlast\n", omitted_characters: 90_000 };
  expect(await compared([{ stdout_kept } as Ran], { stdout: "first\nwhole\nlast\n" })).toMatchObject({
    same: false,
    new_lines: ["whole"],
    baseline_cut: true,
  });
  const again = await compared([{ stdout_kept } as Ran], { stdout: outputOf(stdout_kept) });
  expect(again).toMatchObject({ same: true, new_lines: [], baseline_cut: true });
});

test.each([
  ["none", []],
  ["that of another gate", [{ gate: 2 }]],
  ["that of another session", [{ session: "s-0" }]],
  ["one that was interrupted", [{ interrupted: true }]],
])("with no baseline except %s, the report adds nothing", async (_what, baselines) => {
  expect(await compared(baselines, { stdout: "no" })).toBeUndefined();
});

test("of two baselines the last one counts, and before it one that was not interrupted", async () => {
  const two = [{ stdout: "old" }, { stdout: "new" }];
  expect(await compared(two, { stdout: "new" })).toMatchObject({ same: true });
  const given_up = { stdout: "half", interrupted: true };
  expect(await compared([...two, given_up], { stdout: "new" })).toMatchObject({ same: true });
});

function outputOf({ head, tail, omitted_characters }: ReturnType<typeof textAsOutput>): string {
  return `${head}\n[… ${omitted_characters + 7} characters left out …]\n${tail}`;
}
