import { describe, expect, test } from "vitest";
import type { Draft, PayloadOf } from "../../../src/events/types/index.ts";
import type { FindingKind } from "../../../src/events/types/session-work.ts";
import { filesFingerprint } from "../../../src/lib/files-fingerprint.ts";
import { given } from "./given.ts";
import * as h from "./history.ts";

/* Catches: what was found in a workspace follows another rule than docs/rules.md, Evidence. */

type Kinds = readonly FindingKind[];

/** A session that closed with done, and whose driver found this. */
const claimed = (session: string, kinds: Kinds, ...events: readonly Draft[]): Draft[] => [
  h.started(session),
  ...events,
  h.done({ session }),
  h.worked(kinds, { session }),
  h.ended("exited", session),
];
const policy = (kind: FindingKind, value: "note" | "ask" | "refuse") =>
  h.event("policy.set", { policy: `evidence.${kind}`, value } as PayloadOf<"policy.set">);

describe("what follows from a finding on a done", () => {
  test.each<[FindingKind, string, string]>([
    ["left_behind", "pending", "refuse"],
    ["gone", "pending", "refuse"],
    ["undoes", "pending", "refuse"],
    ["no_change", "needs_input", "ask"],
  ])("%s leaves the task %s", async (kind, status, led_to) => {
    const board = await given(h.created(1), ...claimed("s-1", [kind]));
    const isRefused = led_to === "refuse";
    expect(board.tasks.get(1)).toMatchObject({
      status,
      unverified_done: isRefused ? 1 : 0,
      awaiting_acceptance: isRefused ? 0 : 1,
      remaining: isRefused ? `${kind.replace("_", " ")}: ${h.SAYS}` : null,
    });
    expect(board.sessions.get("s-1")).toMatchObject({
      unverified: isRefused ? 1 : 0,
      outcome: isRefused ? "partial" : "success",
    });
    expect(board.sessionFindings.get("s-1", 1)?.led_to).toBe(led_to);
  });

  test.each<[FindingKind, "note" | "ask" | "refuse", string]>([
    ["left_behind", "note", "done"],
    ["gone", "ask", "needs_input"],
    ["undoes", "ask", "needs_input"],
    ["no_change", "note", "done"],
    ["no_change", "refuse", "pending"],
  ])("of %s by the policy %s", async (kind, value, status) => {
    const board = await given(h.created(1), policy(kind, value), ...claimed("s-1", [kind]));
    expect(board.tasks.get(1)?.status).toBe(status);
    // The done and the end; what was found and the policy too, where something followed from it.
    expect(board.changesOf(1).at(-1)).toContain(value === "note" ? "[4,6]" : "[2,4,5,6]");
  });

  test("is nothing where the session did not close with done", async () => {
    const board = await given(
      ...[h.created(1), h.started(), h.partial(), h.worked(["left_behind"]), h.ended()],
    );
    expect(board.tasks.get(1)).toMatchObject({
      status: "pending",
      unverified_done: 0,
      remaining: "The rest.",
    });
    expect(board.sessionFindings.get("s-1", 1)?.led_to).toBeNull();
  });

  test("is the strongest of several, and all that refuse remain to be done", async () => {
    const board = await given(h.created(1), ...claimed("s-1", ["left_behind", "no_change", "undoes"]));
    expect(board.tasks.get(1)).toMatchObject({
      status: "pending",
      remaining: `left behind: ${h.SAYS}\n\nundoes: ${h.SAYS}`,
    });
  });

  test("is beside what the gates say", async () => {
    const board = await given(h.created(1, h.gated({})), ...claimed("s-1", ["gone"], h.attempted(2)));
    expect(board.tasks.get(1)?.remaining).toBe(
      `gone: ${h.SAYS}\n\nGate 1 (npm test) failed with exit code 2.`,
    );
    expect(board.changesOf(1).at(-1)).toBe("in_progress → pending, settlement 7d, [3,4,5,6]");
  });
});

describe("a session that changed nothing", () => {
  test("is only noted where a gate passed in it", async () => {
    const board = await given(h.created(1, h.gated({})), ...claimed("s-1", ["no_change"], h.attempted(0)));
    expect(board.tasks.get(1)?.status).toBe("done");
    expect(board.sessionFindings.get("s-1", 1)?.led_to).toBe("note");
  });

  test("is asked about where its only gate was skipped", async () => {
    const skipped = [h.gateDeclared(1, "agent"), h.gateDecided("rejected")];
    const board = await given(h.created(1), ...skipped, ...claimed("s-1", ["no_change"]));
    expect(board.changesOf(1).at(-1)).toBe("in_progress → needs_input, evidence: ask, [3,5,6,7]");
  });
});

describe("a finding for which a done is refused", () => {
  test("is asked about after two sessions in a row, once", async () => {
    const board = await given(h.created(1), ...claimed("s-1", ["undoes"]), ...claimed("s-2", ["undoes"]));
    expect(board.tasks.get(1)?.status).toBe("pending");
    await board.add(...claimed("s-3", ["undoes"]));
    expect(board.changesOf(1).at(-1)).toBe("in_progress → needs_input, evidence: ask, [11,12,13]");
    expect(board.sessionFindings.get("s-3", 1)?.led_to).toBe("ask");
    await board.add(h.sentBack("Keep it."), ...claimed("s-4", ["undoes"]));
    expect(board.tasks.get(1)?.status).toBe("pending");
  });

  test.each<[string, Draft[], string]>([
    ["another kind", claimed("s-2", ["gone"]), "pending"],
    [
      "a partial",
      [h.started("s-2"), h.partial("x", { session: "s-2" }), h.ended("exited", "s-2")],
      "pending",
    ],
    ["a cancelled session", [h.started("s-2"), h.ended("cancelled", "s-2")], "needs_input"],
  ])("between them %s", async (_what, between, status) => {
    const board = await given(h.created(1), ...claimed("s-0", ["undoes"]), ...between);
    await board.add(...claimed("s-3", ["undoes"]), ...claimed("s-4", ["undoes"]));
    expect(board.tasks.get(1)?.status).toBe(status);
  });

  test("leaves the rows of sessions that did not get on alone", async () => {
    const same = { workspace: "a".repeat(40) };
    const idle = (id: string) => [
      h.started(id, 1, same),
      h.partial("x", { session: id }),
      h.ended("exited", id, same),
    ];
    const board = await given(h.created(1), ...idle("s-1"), ...idle("s-2"), ...claimed("s-3", ["gone"]));
    expect(board.tasks.get(1)).toMatchObject({ no_progress_in_a_row: 2, partial_closings_in_a_row: 2 });
    await board.add(...idle("s-4"));
    expect(board.tasks.get(1)?.status).toBe("needs_input");
  });
});

describe("a gate that is skipped afterwards", () => {
  const gates = h.gated({ max: 1 });

  test("does not make a done count that is refused", async () => {
    const board = await given(h.created(1, gates), ...claimed("s-1", ["left_behind"], h.attempted(1)));
    await board.add(h.gateActed("skip"));
    expect(board.tasks.get(1)).toMatchObject({ status: "pending", unverified_done: 1 });
  });

  test("lets a human be asked about what was found", async () => {
    const board = await given(h.created(1, gates), ...claimed("s-1", ["no_change"], h.attempted(1)));
    expect(board.changesOf(1).at(-1)).toContain("settlement 7b");
    await board.add(h.gateActed("skip"));
    expect(board.tasks.get(1)).toMatchObject({ status: "needs_input", awaiting_acceptance: 1 });
    await board.add(h.accepted());
    expect(board.tasks.get(1)?.status).toBe("done");
  });
});

describe("a gate's pass", () => {
  const FILES = "1".repeat(40);
  const TREE = "2".repeat(40);
  const passed = (before: string, after = before) =>
    h.attempted(0, { workspace_before: before, workspace_after: after });
  const givenGate = (...events: readonly Draft[]) => given(h.created(1, h.gated({})), h.started(), ...events);

  test.each([
    ["the same files", [passed(FILES), h.done(), h.ended("exited", "s-1", { files: FILES })]],
    [
      "files that the gate made itself",
      [passed("3".repeat(40), FILES), h.done(), h.ended("exited", "s-1", { files: FILES })],
    ],
    ["files that nobody knows at the end", [passed(FILES), h.done(), h.ended()]],
    [
      "files that the gate did not know",
      [h.attempted(0), h.done(), h.ended("exited", "s-1", { files: FILES })],
    ],
    [
      "files of which the driver tells",
      [passed(filesFingerprint(TREE)), h.done(), h.worked([], {}, TREE), h.ended()],
    ],
  ])("counts for %s", async (_what, events) => {
    expect((await givenGate(...events)).tasks.get(1)?.status).toBe("done");
  });

  test("counts for what the gates made of its files, one after the other, and not for what came between them", async () => {
    const [a, b, c, d] = ["a", "b", "c", "d"].map((letter) => letter.repeat(40));
    const both = async (second: string | undefined) => {
      const board = await given(
        h.created(1, h.gated({}, { command: "lint" })),
        h.started(),
        h.attempted(0, { workspace_before: a, workspace_after: b }),
        h.attempted(0, { gate: 2, workspace_before: second, workspace_after: c }),
        ...[h.done(), h.ended("exited", "s-1", { files: c })],
      );
      return board.gates.where({ task_id: 1 }).map(({ state }) => state);
    };
    expect(await both(b)).toEqual(["passed", "passed"]);
    expect(await both(d)).toEqual(["pending", "passed"]);
  });

  test("does not count for other files: the done is unverified, and says why", async () => {
    const board = await givenGate(passed(FILES), h.done(), h.ended("exited", "s-1", { files: TREE }));
    expect(board.gates.get(1, 1)?.state).toBe("pending");
    expect(board.tasks.get(1)).toMatchObject({
      status: "pending",
      unverified_done: 1,
      remaining: "Gate 1 (npm test) passed on other files than those that the session left.",
    });
    expect(board.changesOf(1).at(-1)).toBe("in_progress → pending, settlement 7d, [3,4,5]");
  });

  test("does not count for other files of which the driver tells", async () => {
    const board = await givenGate(passed(FILES), h.done(), h.worked([], {}, TREE), h.ended());
    expect(board.changesOf(1).at(-1)).toBe("in_progress → pending, settlement 7d, [3,4,5,6]");
  });

  test("stays where the session did not close with done", async () => {
    const board = await givenGate(passed(FILES), h.partial(), h.ended("exited", "s-1", { files: TREE }));
    expect(board.gates.get(1, 1)?.state).toBe("passed");
  });
});
