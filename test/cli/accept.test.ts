import { expect, test } from "vitest";
import { signalbox, signalboxJson } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";

/* Catches: a done that a human is to accept and that is done without, or never. */
async function given(...options: string[]) {
  const { folder: cwd } = await freshProject();
  const run = async (...args: string[]) => {
    const ran = await signalbox(args, { cwd });
    if (ran.exitCode !== 0) throw new Error(ran.stderr);
    return ran.stdout;
  };
  const json = (...args: string[]) => signalboxJson(args, { cwd });
  await run("task", "add", "Export", ...options);
  return {
    run,
    json,
    refused: (...args: string[]) => signalbox(args, { cwd }),
    async works(session: string) {
      await run("session", "start", "1", "--session", session);
      await run("gate", "run", "1", "--session", session);
      await run("signal", "done", "--session", session, "--summary", "All of it.");
      return json("session", "end", session, "--exit", "exited");
    },
  };
}

const WITH_GATE = ["--verify", "true"];

test("a verified done needs no acceptance, unless the task requires it", async () => {
  const { works, json } = await given(...WITH_GATE);
  expect(await works("s-1")).toMatchObject({ outcome: "success", status: "done" });
  expect(await json("task", "show", "1")).toMatchObject({
    accept: "auto",
    proof: { claimed: {}, verified: "yes", accepted: null },
  });
  expect(await json("inbox")).toEqual({ inbox: [], next: null });
});

test("a verified done waits for the human who is to accept it, and is done when it is accepted", async () => {
  const { works, run, json } = await given(...WITH_GATE, "--accept", "human");
  expect(await works("s-1")).toMatchObject({ outcome: "success", status: "needs_input" });
  expect(await json("inbox")).toMatchObject({ inbox: [{ kind: "acceptance", task: 1 }] });
  expect(await run("inbox")).toContain("signalbox inbox accept 1");
  expect(await run("task", "show", "1")).toMatch(/^accepted {2}not yet$/m);
  expect(await json("inbox", "accept", "1")).toMatchObject({ task: { status: "done" } });
  const proof = {
    ...{ session: "s-1", claimed: { position: expect.any(Number) }, verified: "yes", accept: "human" },
    gates: [{ gate: 1, state: "passed", position: expect.any(Number), workspace: null }],
    accepted: { by: "human", position: expect.any(Number), created: expect.any(String) },
  };
  expect(await json("task", "list")).toMatchObject({ tasks: [{ status: "done", proof }] });
  expect(await json("session", "show", "s-1")).toMatchObject({ id: "s-1", outcome: "success", proof });
  const shown = await run("session", "show", "s-1");
  expect(shown).toMatch(/^claimed {3}done, by session s-1 \(#\d+\)$/m);
  expect(shown).toMatch(/^verified {2}yes: gate 1 passed \(#\d+; always passes, proven: no\)$/m);
  expect(shown).toMatch(/^accepted {2}by human on [\d-]+ [\d:]+ \(#\d+\)$/m);
  expect(await json("inbox")).toEqual({ inbox: [], next: null });
});

test("a returned task is pending again with the comment, and its next done waits again", async () => {
  const { works, json, refused } = await given(...WITH_GATE, "--accept", "human");
  await works("s-1");
  expect(await json("inbox", "send-back", "1", "No header.")).toMatchObject({
    task: { status: "pending", remaining: "No header.", proof: { verified: "yes", accepted: null } },
  });
  expect((await refused("inbox", "accept", "1")).stderr).toContain("is not waiting for acceptance");
  expect(await works("s-2")).toMatchObject({ status: "needs_input" });
  expect(await json("session", "show", "s-1")).toMatchObject({ proof: null });
});

test("a done with a failed gate cannot be accepted", async () => {
  const { works, json, refused } = await given("--verify", "false", "--accept", "human");
  await expect(works("s-1")).rejects.toThrow();
  await json("signal", "done", "--session", "s-1", "--summary", "All of it.");
  expect(await json("session", "end", "s-1", "--exit", "exited")).toMatchObject({ status: "pending" });
  expect(await refused("inbox", "accept", "1")).toMatchObject({ exitCode: 1 });
});

test("session show refuses a session that is not there", async () => {
  const { refused } = await given();
  const ran = await refused("session", "show", "s-9");
  expect(ran).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("There is no session s-9.") });
});
