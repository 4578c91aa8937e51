import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { z } from "zod";
import type { ClientKind } from "../../src/config/schema.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { answerQuestion } from "../../src/operations/inbox.ts";
import { approveItem } from "../../src/operations/inbox-proposals.ts";
import { stepsOf } from "../loop/given-loop.ts";
import { givenClient, lastEnd } from "./given-client.ts";
import type { Act } from "./real-client.ts";

/** Something that happens to every loop, tried with every client. */
export interface Case {
  readonly name: string;
  /** By client: why it cannot do this. */
  readonly cannot?: Readonly<Partial<Record<ClientKind, string>>>;
  run(kind: ClientKind): Promise<void>;
}

const DONE: Act = { signal: "done", with: { summary: "It is written." } };
const END: Act = { say: "That is all." };
const WRITE: Act = { write: "hello.txt", content: "hello" };

export const cases: readonly Case[] = [
  {
    name: "edits a file, runs a command, done",
    async run(kind) {
      const given = await givenClient(kind, {
        sessions: [[WRITE, { shell: "node -e 0 && echo ran > ran.txt" }, DONE, END]],
      });
      expect(lastEnd(await given.run("--once"))).toMatchObject({
        exit: "exited",
        closing: "done",
        status: "done",
        denied: [],
      });
      expect(readFileSync(join(given.folder, "hello.txt"), "utf8").trim()).toBe("hello");
      expect(readFileSync(join(given.folder, "ran.txt"), "utf8").trim()).toBe("ran");
    },
  },
  {
    name: "stashes its work: it hears so at done, and mends it",
    async run(kind) {
      const stash: Act = { shell: "git -c user.name=a -c user.email=a@b stash --include-untracked" };
      const given = await givenClient(kind, {
        sessions: [[WRITE, stash, DONE, { shell: "git stash pop" }, DONE, END]],
      });
      expect(lastEnd(await given.run("--once"))).toMatchObject({
        ...{ closing: "done", status: "done", findings: [] },
      });
      expect(given.model.requests.some(({ body }) => /hello\.txt is in a stash/.test(body))).toBe(true);
    },
  },
  {
    name: "eases the check that its gate names: a human is asked, and it hears so at done",
    async run(kind) {
      const given = await givenClient(kind, {
        tasks: [{ title: "Write hello.txt", gates: [{ command: "sh check.sh", max: 3, timeout_s: 30 }] }],
        sessions: [[{ shell: "echo exit 0 > check.sh" }, WRITE, DONE, END]],
      });
      writeFileSync(join(given.folder, "check.sh"), "exit 1\n");
      expect(lastEnd(await given.run("--once"))).toMatchObject({
        ...{ closing: "done", status: "needs_input" },
        findings: [expect.stringMatching(/^checks changed: .*check\.sh, which a gate names, was changed/)],
      });
      expect(given.model.requests.some(({ body }) => /a human is asked to accept the work/.test(body))).toBe(
        true,
      );
    },
  },
  {
    name: "takes back what others brought: it hears so at done, mends it, and is merged",
    async run(kind) {
      const as = "git -c user.name=a -c user.email=a@b";
      const others = `cd ../../.. && echo o > other.txt && git add other.txt && ${as} commit -qm Other && git branch -f trunk`;
      const given = await givenClient(kind, {
        config: { worktrees: { integrate: "auto", author: "Ada <ada@example.org>" } },
        sessions: [
          [
            ...[
              WRITE,
              {
                shell: `(${others}); git reset -q --soft trunk; git add hello.txt; ${as} commit -qm All`,
              },
              DONE,
            ],
            ...[{ shell: "git checkout -q trunk -- other.txt" }, DONE, END],
          ],
        ],
      });
      expect(lastEnd(await given.run())).toMatchObject({
        ...{ closing: "done", status: "done" },
        findings: [expect.stringMatching(/^outside: While this session ran, \S+ moved to/)],
      });
      expect(given.model.requests.some(({ body }) => /takes back what others brought/.test(body))).toBe(true);
      for (const file of ["hello.txt", "other.txt"])
        expect(existsSync(join(given.folder, file)), file).toBe(true);
    },
  },
  {
    name: "plans: what it proposes waits for a human, and what it would change is denied",
    async run(kind) {
      const task = (title: string, more: object = {}): Act => ({
        signal: "create_task",
        with: { feature: "general", discipline: "general", title, priority: "medium", ...more },
      });
      const given = await givenClient(kind, {
        tasks: [],
        sessions: [
          [
            task("Export orders as CSV", { verify: ["node --test"] }),
            task("Export orders as PDF", { depends_on: [1] }),
            // Said in other letters, it is the same.
            task("export orders as **PDF**"),
            WRITE,
            END,
          ],
        ],
      });
      const plan = await given.plan("--text", "# Reports\n\nOrders as CSV and as PDF.");
      expect(plan).toMatchObject({
        ...{ state: "proposed", tasks: 2, exit: "exited" },
        proposed: [
          { title: "Export orders as CSV", gates: ["node --test"] },
          { title: "Export orders as PDF", depends_on: [1], confirmed: 1 },
        ],
        faults: [{ kind: "no_check", task: 2 }],
      });
      expect(existsSync(join(given.folder, "hello.txt"))).toBe(false);
      expect(given.model.requests[0]?.body).toContain("Orders as CSV and as PDF.");
      const { project } = given;
      expect((await project.queries.tasks()).map(({ status }) => status)).toEqual(["draft", "draft"]);
      await project.decide(approveItem({ id: "plan-1" }));
      expect((await project.queries.tasks()).map(({ status }) => status)).toEqual(["pending", "pending"]);
    },
  },
  {
    name: "is denied what its permissions do not give, and says so",
    async run(kind) {
      const given = await givenClient(kind, {
        agent: { permissions: "read" },
        sessions: [[WRITE, { say: "I may not write the file." }]],
      });
      const end = lastEnd(await given.run("--once"));
      expect(end.denied).toEqual([{ tool: expect.stringMatching(/write|patch/i), times: 1 }]);
      expect(end.last_words).toBe("I may not write the file.");
      expect(end).toMatchObject({
        ...{ exit: "cancelled", closing: null, status: "pending" },
        reason: expect.stringMatching(/^the agent was not allowed to use .*(?:write|patch)/i),
      });
      expect(existsSync(join(given.folder, "hello.txt"))).toBe(false);
    },
  },
  {
    name: "edits, and reports, without leave to do everything",
    async run(kind) {
      const given = await givenClient(kind, {
        agent: { permissions: "edit" },
        sessions: [[WRITE, DONE, END]],
      });
      expect(lastEnd(await given.run("--once"))).toMatchObject({ status: "done", denied: [] });
      expect(existsSync(join(given.folder, "hello.txt"))).toBe(true);
    },
  },
  {
    name: "partial, then done: what remains is in the second prompt",
    async run(kind) {
      const half: Act = {
        signal: "partial",
        with: { summary: "Half.", remaining: "The greeting lacks its end." },
      };
      const given = await givenClient(kind, {
        sessions: [
          [half, END],
          [WRITE, DONE, END],
        ],
      });
      expect(lastEnd(await given.run())).toMatchObject({ closing: "done", status: "done" });
      expect(promptOf(given, 1)).toContain("The greeting lacks its end.");
    },
  },
  {
    name: "asks, and finds the answer in the next prompt",
    async run(kind) {
      const ask: Act = { signal: "ask", with: { question: "Which greeting?", blocking: true } };
      const half: Act = { signal: "partial", with: { summary: "Asked.", remaining: "The greeting." } };
      const given = await givenClient(kind, {
        sessions: [
          [ask, half, END],
          [WRITE, DONE, END],
        ],
      });
      expect(lastEnd(await given.run())).toMatchObject({ status: "needs_input" });
      const [question] = (await given.project.queries.inbox()).filter((item) => item.kind === "question");
      await given.project.decide(answerQuestion({ id: question?.id ?? 0, answer: "Say good morning." }));
      expect(lastEnd(await given.run())).toMatchObject({ closing: "done", status: "done" });
      expect(promptOf(given, 1)).toContain("Say good morning.");
    },
  },
  {
    name: "a gate fails at first, then passes",
    async run(kind) {
      const gate = { command: "test -f hello.txt", max: 5, timeout_s: 30 };
      const given = await givenClient(kind, {
        tasks: [{ title: "Write hello.txt", gates: [gate] }],
        sessions: [[DONE, WRITE, DONE, END]],
      });
      expect(lastEnd(await given.run("--once"))).toMatchObject({
        closing: "done",
        outcome: "success",
        status: "done",
      });
      const runs = await given.project.queries.gateRuns({ task: 1 });
      expect(runs.map(({ exit_code }) => exit_code)).toEqual([1, 0]);
    },
  },
  {
    name: "does from its shell what is a human's: each is refused, and none is recorded as a human's",
    async run(kind) {
      const ask: Act = { signal: "ask", with: { question: "Delete the old ones?" } };
      const half: Act = { signal: "partial", with: { summary: "Asked.", remaining: "The rest." } };
      const program = packagePath("bin/signalbox.js");
      const box = `"${process.execPath}" "${program}"`;
      const acts: readonly (readonly [act: string, line: string])[] = [
        ["inbox answer 1 yes", `${box} inbox answer 1 yes`],
        ["gate act 1 1 skip", `env -u RALPH_SESSION_ID ${box} gate act 1 1 skip`],
        ["inbox approve 1", `sh -c 'unset RALPH_SESSION_ID; ${box} inbox approve 1; :'`],
        ["policy set stuck_limit 9", "npx --no-install signalbox policy set stuck_limit 9"],
        ["task set 1 --status done", `nohup ${box} task set 1 --status done`],
        ["config trust --yes", `echo '${box} config trust --yes' > act.sh && sh act.sh`],
        // Its shell is gone when this comes. Some clients end what is left of that shell's group, so this one leaves it first.
        [
          "task set 1 --title Less",
          `setsid sh -c 'echo > apart.txt; sleep 2; ${box} task set 1 --title Less' > late.txt 2>&1 & until test -e apart.txt; do sleep 0.1; done`,
        ],
      ];
      // The client ends when its model does, and the loop ends what it left; so wait for the refusal, 25 s at most.
      const wait = "timeout 25 sh -c 'until test -s late.txt; do sleep 0.5; done'";
      const shells = [...acts.map(([, line]) => line), wait].map((shell) => ({ shell }));
      const given = await givenClient(kind, {
        tasks: [{ title: "Write hello.txt", gates: [{ command: "false", max: 5, timeout_s: 30 }] }],
        sessions: [[ask, ...shells, half, END]],
      });
      mkdirSync(join(given.folder, "node_modules/.bin"), { recursive: true });
      symlinkSync(program, join(given.folder, "node_modules/.bin/signalbox"));
      const before = await given.project.log.head();
      expect(lastEnd(await given.run("--once"))).toMatchObject({ closing: "partial" });
      const events = await given.project.log.read(before, 1_000);
      expect(events.filter(({ actor, via }) => via !== undefined || /^(human|program)/.test(actor))).toEqual(
        [],
      );
      const refused = events.flatMap((event) =>
        event.type === "session.act_refused" ? [[event.actor, event.payload.command]] : [],
      );
      expect(refused).toEqual(acts.map(([act]) => ["agent", act]));
    },
  },
  {
    name: "never reports: its last words go into the next prompt",
    async run(kind) {
      const given = await givenClient(kind, {
        sessions: [[{ say: "The compiler is missing here." }], [DONE, END]],
      });
      const ran = await given.run("--max-sessions", "2");
      const [first] = stepsOf(ran.steps, "session_ended");
      expect(first).toMatchObject({ closing: "stuck", last_words: "The compiler is missing here." });
      expect(promptOf(given, 1)).toContain("The compiler is missing here.");
    },
  },
  {
    name: "401, no login: the loop stops at once and says how to log in",
    async run(kind) {
      const error = { status: 401, type: "authentication_error", message: "invalid x-api-key" };
      const given = await givenClient(kind, { sessions: [[{ error }]] });
      const ran = await given.run();
      expect(lastEnd(ran)).toMatchObject({ exit: "cancelled", status: "pending" });
      const problem = await problemIn(given);
      expect(problem.kind, problem.text).toBe("no_login");
      expect(ran.steps.at(-1)).toMatchObject({ ending: "agent_unusable", sessions: 1 });
      expect(JSON.stringify(ran.steps.at(-1))).toMatch(/log in|GEMINI_API_KEY/i);
    },
  },
  {
    name: "a command line that it refuses: the loop stops at once and tells its words",
    async run(kind) {
      const given = await givenClient(kind, { agent: { args: ["--frobnicate"] }, sessions: [[END]] });
      const ran = await given.run();
      expect(lastEnd(ran)).toMatchObject({
        ...{ exit: "cancelled", status: "pending" },
        reason: expect.stringMatching(/refused its command line: .*(?:frobnicate|option)/),
      });
      expect(ran.steps.at(-1)).toMatchObject({ ending: "agent_unusable", sessions: 1 });
      expect(given.model.requests).toEqual([]);
    },
  },
  {
    name: "429 with a reset: the loop waits until then and goes on",
    async run(kind) {
      const resets = new Date(Math.ceil(Date.now() / 60_000 + 0.5) * 60_000);
      const given = await givenClient(kind, {
        sessions: [[{ error: limitUntil(kind, resets) }], [WRITE, DONE, END]],
      });
      const ran = await given.run();
      const problem = await problemIn(given);
      expect(problem.kind, problem.text).toBe("limit");
      const [first] = stepsOf(ran.steps, "session_ended");
      expect(first).toMatchObject({ exit: "cancelled", status: "pending" });
      const [paused] = stepsOf(ran.steps, "paused");
      expect(paused).toMatchObject({ why: "limit", until: problem.resets_at });
      // Some clients tell it to the minute, some as a span from then.
      expect(Math.abs(Date.parse(paused?.until ?? "") - resets.getTime())).toBeLessThan(90_000);
      expect(lastEnd(ran)).toMatchObject({ closing: "done", status: "done" });
      expect(await startOf(given, 1)).toBeGreaterThanOrEqual(Date.parse(paused?.until ?? ""));
    },
    cannot: {
      claude:
        "it tells when the limit of a subscription ends, and a key has none; test/loop/client-streams.test.ts reads its line",
    },
  },
  modelProblem("500, an error of the model's", { status: 500, message: "Internal" }, "outage"),
  modelProblem(
    "529, an overloaded model",
    { status: 529, type: "overloaded_error", message: "Overloaded" },
    "outage",
  ),
  {
    name: "hangs: it is ended",
    async run(kind) {
      const given = await givenClient(kind, {
        sessions: [[{ hangs: true }]],
        config: { limits: { session_s: 30, grace_s: 2 } },
      });
      expect(lastEnd(await given.run("--once"))).toMatchObject({
        exit: "timed_out",
        reason: expect.stringMatching(/longer than 30 s/),
      });
      expect(given.model.requests).not.toEqual([]);
    },
  },
  {
    name: "a budget in tokens and one in dollars end the loop",
    async run(kind) {
      const tasks = [{ title: "First" }, { title: "Second" }];
      const config = { prices: { scripted: { input: 2, output: 10 } } };
      const priced = kind === "codex" || kind === "gemini" ? { model: "scripted" } : {};
      const sessions = [[DONE, END]];
      const given = await givenClient(kind, { tasks, config, agent: priced, sessions });
      const byTokens = await given.run("--budget-tokens", "100");
      expect(byTokens.steps.at(-1)).toMatchObject({
        ending: "budget",
        sessions: 1,
        reason: expect.stringMatching(/budget of 100 tokens is used up/),
      });
      const byDollars = await given.run("--budget-usd", "0.0001");
      expect(byDollars.steps.at(-1)).toMatchObject({
        ending: "budget",
        sessions: 1,
        reason: expect.stringMatching(/is used up/),
      });
      expect(lastEnd(byDollars).cost_usd).toBeGreaterThan(0.0001);
    },
  },
  {
    name: "a server of ours that takes 3 s to start",
    async run(kind) {
      const folder = join(import.meta.dirname, "slow-server.mjs");
      const given = await givenClient(kind, {
        sessions: [[WRITE, DONE, END]],
        environment: { NODE_OPTIONS: `--import ${folder}` },
      });
      expect(lastEnd(await given.run("--once"))).toMatchObject({ closing: "done", status: "done" });
    },
  },
  {
    name: "two jobs in worktrees change the same file",
    async run(kind) {
      const given = await givenClient(kind, {
        tasks: [{ title: "First" }, { title: "Second" }],
        sessions: [
          [{ ...WRITE, content: "one" }, DONE, END],
          [{ ...WRITE, content: "two" }, DONE, END],
        ],
      });
      const { steps } = await given.run("--jobs", "2", "--worktrees");
      expect(stepsOf(steps, "session_ended").map(({ status }) => status)).toEqual(["done", "done"]);
      const written = [1, 2].map((id) =>
        readFileSync(join(given.folder, ".ralph", "worktrees", `task-${id}`, "hello.txt"), "utf8").trim(),
      );
      expect(written.sort()).toEqual(["one", "two"]);
      expect(existsSync(join(given.folder, "hello.txt"))).toBe(false);
    },
  },
];

type Given = Awaited<ReturnType<typeof givenClient>>;

/** When a session started: the first is 0. */
async function startOf({ project }: Given, session: number): Promise<number> {
  const events = await project.log.read(0, 1_000);
  return Date.parse(events.filter(({ type }) => type === "session.started")[session]?.recordedAt ?? "");
}

/** A model that gives no answer is nothing that the task has done: the loop backs off and tries again. */
function modelProblem(
  name: string,
  error: NonNullable<Extract<Act, { error?: unknown }>["error"]>,
  kind: string,
): Case {
  return {
    name,
    async run(client) {
      // opencode asks five times again, and takes this for the time between.
      const headers = { "retry-after-ms": "10" };
      const given = await givenClient(client, {
        sessions: [[{ error: { ...error, headers } }], [WRITE, DONE, END]],
      });
      const ran = await given.run();
      const [first] = stepsOf(ran.steps, "session_ended");
      expect(first).toMatchObject({ exit: "cancelled", status: "pending" });
      expect(stepsOf(ran.steps, "paused")).toMatchObject([{ why: kind }]);
      expect(lastEnd(ran)).toMatchObject({ closing: "done", status: "done" });
      const problem = await problemIn(given);
      expect(problem.kind, problem.text).toBe(kind);
    },
  };
}

async function problemIn({ project }: Given): Promise<z.infer<typeof agentEnded>["problem"]> {
  const events = await project.log.read(0, 1_000);
  const ended = events.find(({ type }) => type === "agent.ended");
  return agentEnded.parse(ended?.payload).problem;
}

const agentEnded = z.looseObject({
  problem: z.object({ kind: z.string(), text: z.string(), resets_at: z.string().optional() }),
});

/** The body with which the model was first asked in a session. */
function promptOf({ model }: Given, session: number): string {
  const asked = model.requests.find(({ begins }) => begins === session);
  if (!asked) throw new Error(`The model was not asked in session ${session}.`);
  return asked.body;
}

/** How each client's API says that nothing is left until then. */
function limitUntil(kind: ClientKind, resets: Date) {
  const seconds = Math.round((resets.getTime() - Date.now()) / 1_000);
  const headers = { "retry-after": String(seconds), "retry-after-ms": "10" };
  const status = 429;
  if (kind === "codex")
    return {
      status,
      type: "usage_limit_reached",
      message: "The usage limit has been reached",
      more: { plan_type: "plus", resets_at: resets.getTime() / 1_000 },
    };
  if (kind === "gemini")
    return {
      status,
      type: "RESOURCE_EXHAUSTED",
      message: "You exceeded your current quota.",
      details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${seconds}s` }],
    };
  return { status, type: "rate_limit_error", message: "Rate limited", headers };
}
