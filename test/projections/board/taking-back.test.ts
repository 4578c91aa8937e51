import { expect, test } from "vitest";
import { whyFinal } from "../../../src/projections/board/taking-back.ts";

const notRun = { last_position: null, last_started: null };

test.each([
  ["where no session of the task has started since", 4, undefined, undefined],
  ["once the next session of the task has started", 6, undefined, "session_started"],
  ["where the start of a session was the act itself", 5, undefined, "session_started"],
  ["of a gate that was not run", 4, notRun, undefined],
  ["of a gate whose command is being run", 4, { ...notRun, last_started: 6 }, "gate_run"],
  ["of a gate whose command was run", 4, { ...notRun, last_position: 7 }, "gate_run"],
  ["of a gate once a session has started", 6, notRun, "session_started"],
] as const)("an act at position 5 can be taken back %s, or why not: %#", (_when, last_start, gate, final) => {
  expect(whyFinal({ status: "in_progress", last_start }, 5, gate)).toBe(final);
});

test("only what was decided on a gate is final once the task is done", () => {
  const done = { status: "done", last_start: 4 } as const;
  expect(whyFinal(done, 5)).toBeUndefined();
  expect(whyFinal(done, 5, notRun)).toBe("task_done");
});
