import { describe, expect, test } from "vitest";
import { resultFromElsewhere } from "../../../src/events/types/command-result.ts";
import { expectNothingFrom, given } from "./given.ts";
import {
  accepted,
  ask,
  attempted,
  created,
  done,
  ended,
  event,
  gateActed,
  gated,
  inSession,
  missing,
  partial,
  set,
  started,
} from "./history.ts";

const two = [created(1, gated({ max: 2 }, { command: "lint", max: 1 })), started()];

describe("an attempt", () => {
  test.each([
    ["with exit code 0 passes the gate", attempted(0), "passed", 0, 0],
    ["with another exit code fails", attempted(1), "failed", 1, 1],
    ["that timed out fails", attempted(137, { timed_out: true }), "failed", 1, 1],
    ["that timed out fails with exit code 0 too", attempted(0, { timed_out: true }), "failed", 1, 1],
    ["that reaches the maximum escalates the gate", attempted(1, { gate: 2 }), "escalated", 1, 1],
  ] as const)("%s", async (_case, attempt, state, attempts, failed_gate_attempts) => {
    const board = await given(...two, attempt);
    expect(board.gates.scan().find(({ last_position }) => last_position === 3)).toMatchObject({
      state,
      attempts,
    });
    expect(board.tasks.get(1)).toMatchObject({ status: "in_progress", failed_gate_attempts });
  });

  test("is kept with its output", async () => {
    const board = await given(
      ...two,
      attempted(1, { gate: 2, timed_out: true, stdout: "out", stderr: "err" }),
    );
    expect(board.gates.get(1, 2)).toEqual({
      task_id: 1,
      gate: 2,
      command: "lint",
      max_attempts: 1,
      timeout_s: 300,
      state: "escalated",
      attempts: 1,
      declared: 1,
      approval: "unneeded",
      approval_position: null,
      before: null,
      before_position: null,
      without: null,
      without_files: null,
      without_position: null,
      last_started: null,
      last_exit_code: 1,
      last_signal: null,
      last_timed_out: 1,
      last_interrupted: 0,
      last_explanation: null,
      last_stdout: "out",
      last_stderr: "err",
      last_workspace: null,
      left_workspace: null,
      last_position: 3,
      last_action: null,
    });
    expect(board.gates.get(1, 1)).toMatchObject({ state: "pending", last_position: null });
  });

  test("that passes sets the attempts back to 0; the task remembers all that failed", async () => {
    const board = await given(...two, attempted(1), attempted(0));
    expect(board.gates.get(1, 1)).toMatchObject({ state: "passed", attempts: 0, last_timed_out: 0 });
    await board.add(attempted(1), attempted(1));
    expect(board.gates.get(1, 1)).toMatchObject({ state: "escalated", attempts: 2 });
    expect(board.tasks.get(1)?.failed_gate_attempts).toBe(3);
  });

  test("changes nothing of a gate that is escalated, skipped or aborted, or not there", async () => {
    const escalated = [...two, attempted(1, { gate: 2 })];
    const attempts = [attempted(0, { gate: 2 }), attempted(1, { gate: 2 })];
    await expectNothingFrom(escalated, ...attempts);
    await expectNothingFrom([...escalated, gateActed("skip", 2)], ...attempts);
    await expectNothingFrom([...escalated, gateActed("abort", 2)], ...attempts);
    await expectNothingFrom(two, attempted(1, { gate: 3 }), attempted(1, { task: 2 }));
  });

  test("counts again after a retry", async () => {
    const board = await given(...two, attempted(1, { gate: 2 }), gateActed("retry", 2));
    expect(board.gates.get(1, 2)).toMatchObject({ state: "pending", attempts: 0, last_action: "retry" });
    await board.add(attempted(0, { gate: 2 }));
    expect(board.gates.get(1, 2)?.state).toBe("passed");
  });
});

test("at a start a passed gate is pending again, and any other stays as it is", async () => {
  const gates = gated({}, {}, { max: 1 }, { max: 1 }, { max: 1 }, {});
  const board = await given(created(1, gates), created(2, gates), started(), started("s-2", 2));
  await board.add(
    attempted(0),
    attempted(1, { gate: 2 }),
    attempted(1, { gate: 3 }),
    attempted(1, { gate: 4 }),
  );
  await board.add(
    attempted(1, { gate: 5 }),
    gateActed("skip", 4),
    gateActed("abort", 5),
    attempted(0, { task: 2, gate: 2 }),
  );
  await board.add(ended(), started("s-3", 1, { forced: true }));
  expect(board.gates.where({ task_id: 1 }).map(({ state, attempts }) => [state, attempts])).toEqual([
    ["pending", 0],
    ["failed", 1],
    ["escalated", 1],
    ["skipped", 1],
    ["aborted", 1],
    ["pending", 0],
  ]);
  expect(board.gates.get(2, 2)?.state).toBe("passed");
});

describe("a human's act on an escalated gate", () => {
  const escalated = [...two, attempted(1, { gate: 2 })];
  const waiting = [...escalated, partial(), ended()];

  test.each([
    ["retry", "pending", 0],
    ["skip", "skipped", 1],
    ["abort", "aborted", 1],
  ] as const)("during a session, %s changes the gate alone: it is %s", async (action, state, attempts) => {
    const board = await given(...escalated, gateActed(action, 2));
    expect(board.gates.get(1, 2)).toMatchObject({ state, attempts, last_action: action, last_position: 4 });
    expect(board.gates.get(1, 1)).toMatchObject({ state: "pending", last_action: null });
    expect(board.tasks.get(1)?.status).toBe("in_progress");
  });

  test.each([
    ["retry", "needs_input → pending, settlement 7d, [6]"],
    ["skip", "needs_input → pending, settlement 7d, [6]"],
    ["abort", "needs_input → failed, gates: abort, [6]"],
  ] as const)("%s moves a task that is needs_input", async (action, change) => {
    const board = await given(...waiting, gateActed(action, 2));
    expect(board.changesOf(1).at(-1)).toBe(change);
  });

  test.each(["retry", "skip"] as const)("%s leaves the task to what else it waits for", async (action) => {
    const asked = await given(...escalated, ask(), partial(), ended(), gateActed(action, 2));
    expect(asked.changesOf(1).at(-1)).toBe("in_progress → needs_input, settlement 7b, [3,4,5,6]");
    const blocked = await given(...escalated, missing("Redis"), partial(), ended(), gateActed(action, 2));
    expect(blocked.changesOf(1).at(-1)).toBe("needs_input → blocked, settlement 7c, [4,7]");
  });

  test.each(["pending", "blocked", "failed", "done"] as const)("moves no task that is %s", async (status) => {
    for (const action of ["retry", "skip", "abort"] as const) {
      const board = await given(
        created(1, { ...gated({ max: 1 }), status }),
        attempted(1),
        gateActed(action),
      );
      expect(board.tasks.get(1)?.status).toBe(status);
      expect(board.changesOf(1)).toHaveLength(1);
    }
  });

  test("changes nothing where the gate is not escalated, or not there", async () => {
    const acts = (["retry", "skip", "abort"] as const).map((action) => gateActed(action, 2));
    await expectNothingFrom(
      [...two, partial(), ended(), set(1, "needs_input")],
      ...acts,
      gateActed("abort", 9),
    );
    await expectNothingFrom([...waiting, gateActed("skip", 2), set(1, "needs_input")], ...acts);
    await expectNothingFrom([...waiting, gateActed("abort", 2), set(1, "needs_input")], ...acts);
    await expectNothingFrom(waiting, gateActed("abort", 2, 9));
  });

  describe("after a done that was not verified", () => {
    const unverified = [created(1, gated({ max: 1 }, {})), started(), attempted(1), ask()];

    test("a skip of the last gate in the way makes the task done, as by step 5", async () => {
      const board = await given(...unverified, attempted(0, { gate: 2 }), missing("Redis"), done(), ended());
      await board.add(gateActed("skip"));
      expect(board.tasks.get(1)).toMatchObject({ status: "done", unverified_done: 0, remaining: null });
      expect(board.changesOf(1).at(-1)).toBe("needs_input → done, gates: skip, [5,7,9]");
      expect(board.questions.get(4)?.state).toBe("informational");
      expect(board.blockers.get(6)?.state).toBe("informational");
    });

    test("a skip leaves it waiting while another gate is in the way", async () => {
      const board = await given(...unverified, done(), ended(), gateActed("skip"));
      expect(board.tasks.get(1)).toMatchObject({ status: "needs_input", unverified_done: 1 });
    });

    test("a retry leaves it waiting", async () => {
      const board = await given(
        ...unverified,
        attempted(0, { gate: 2 }),
        done(),
        ended(),
        gateActed("retry"),
      );
      expect(board.tasks.get(1)).toMatchObject({ status: "needs_input", unverified_done: 1 });
    });

    test("a skip makes it wait for a human who is to accept it", async () => {
      const board = await given(
        created(1, { accept: "human", ...gated({ max: 1 }) }),
        started(),
        attempted(1),
      );
      await board.add(done(), ended(), gateActed("skip"));
      expect(board.tasks.get(1)).toMatchObject({ status: "needs_input", awaiting_acceptance: 1 });
      await board.add(accepted());
      expect(board.tasks.get(1)?.status).toBe("done");
    });
  });

  test("a skip of the last gate after a partial makes nothing done", async () => {
    const board = await given(created(1, gated({ max: 1 })), ...inSession(attempted(1), partial()));
    await board.add(gateActed("skip"));
    expect(board.tasks.get(1)?.status).toBe("pending");
  });

  test("an abort ends the wait for a human's acceptance", async () => {
    const board = await given(created(1, { accept: "human", ...gated({ max: 1 }) }), started(), attempted(0));
    await board.add(done(), ended(), attempted(1), gateActed("abort"));
    expect(board.tasks.get(1)).toMatchObject({ status: "failed", awaiting_acceptance: 0 });
    await board.add(accepted());
    expect(board.tasks.get(1)?.status).toBe("failed");
  });
});

describe("a run without the work", () => {
  const baselined = (fields: { base?: string; timed_out?: boolean }) =>
    event("gate.baselined", { task: 1, gate: 1, ...resultFromElsewhere({ exit_code: 0 }), ...fields });
  const base = "a".repeat(40);

  test.each([
    ["on the base that passes asks a human", { base }, "passed", "needs_input"],
    ["in the folder, as older programs wrote it, says nothing", {}, null, "done"],
    ["that timed out says nothing", { base, timed_out: true }, null, "done"],
  ] as const)("%s", async (_case, fields, before, status) => {
    const board = await given(created(1, gated({})), ...inSession(baselined(fields), attempted(0), done()));
    expect(board.gates.get(1, 1)).toMatchObject({ before });
    expect(board.tasks.get(1)?.status).toBe(status);
  });

  test("asks nobody again where a human has skipped the other gate", async () => {
    const board = await given(
      ...[created(1, gated({}, { max: 1 })), started(), baselined({ base })],
      ...[attempted(0), attempted(1, { gate: 2 }), done(), ended()],
    );
    expect(board.tasks.get(1)?.status).toBe("needs_input");
    await board.add(gateActed("skip", 2));
    expect(board.tasks.get(1)?.status).toBe("done");
  });
});
