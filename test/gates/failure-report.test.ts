import { Readable } from "node:stream";
import { expect, test } from "vitest";
import {
  type RecordedOutput,
  resultFromElsewhere,
  textAsOutput,
} from "../../src/events/types/command-result.ts";
import { keepOutputs } from "../../src/gates/runner/output.ts";
import { failureReport } from "../../src/gates/verifying/report.ts";

/* Catches: a report that says that less was left out than was, or hides that something was. */
const gate = {
  gate: 1,
  command: "npm test",
  passed: false,
  state: "failed",
  attempts: 1,
  max_attempts: 5,
} as const;

const reportOf = (stdout: RecordedOutput) =>
  failureReport(gate, { ...resultFromElsewhere({ exit_code: 1 }), stdout });

/** What the report shows of the output, and how much it says is missing before that. */
function told(stdout: RecordedOutput) {
  const [, shown = ""] = /### Output\n```\n(.*)\n```/s.exec(reportOf(stdout)) ?? [];
  const [mark = "", count = "0"] = /^\[… ([\d,]+) characters before …\]\n/.exec(shown) ?? [];
  return { leftOut: Number(count.replaceAll(",", "")), kept: shown.slice(mark.length) };
}

async function printed(text: string): Promise<RecordedOutput> {
  const source = Readable.from([Buffer.from(text)]);
  const { stdout } = keepOutputs({ stdout: source, stderr: Readable.from([]) }, 0, undefined);
  await new Promise((resolve) => source.once("end", resolve));
  return stdout.end();
}

const lines = (count: number) =>
  Array.from({ length: count }, (_, nth) => `line ${nth + 1} of a long output\n`).join("");

test.each([
  ["of 100 lines", lines(100)],
  ["of 200 lines", lines(200)],
  ["of 350 lines", lines(350)],
  ["of 6,000 lines", lines(6_000)],
  ["of one line", "x".repeat(170_000)],
  ["of emoji", "😀".repeat(50_000)],
  ["that ends in blank lines", `${lines(6_000)}${"\n".repeat(50)}`],
])(
  "the report of a failure counts the characters that it leaves out of an output %s",
  async (_which, text) => {
    const { leftOut, kept } = told(await printed(text));
    const whole = [...text.trimEnd()];
    expect(whole.slice(leftOut).join("")).toBe(kept);
    expect([...kept].length).toBeLessThanOrEqual(4_000);
    expect(leftOut > 0).toBe(whole.length > 4_000);
  },
);

test("an output shortened by a driver is shown with its marker", () => {
  const text = "begin\n[… 9 characters left out …]\nend";
  expect(told(textAsOutput(text))).toEqual({ leftOut: 0, kept: text });
});

test("a short output with a gap says how much is missing before its end", () => {
  expect(told({ head: "begin", tail: "end", omitted_characters: 160_000 })).toEqual({
    leftOut: 160_005,
    kept: "end",
  });
});
