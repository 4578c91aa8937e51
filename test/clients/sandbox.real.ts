import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { selfSigned } from "../support/certificate.ts";
import { givenClient, lastEnd } from "./given-client.ts";
import { installedProgram, realClients } from "./real-client.ts";

/** Loopback outside the sandbox, and no address that its clients are told to reach without the proxy. */
const MODEL = "127.0.0.2";

const clients = [
  {
    kind: "claude",
    mount: realClients.claude.program,
    agent: {},
    environment: [
      "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
      "CLAUDE_CODE_MAX_RETRIES",
      "DISABLE_AUTOUPDATER",
    ],
    refused: "",
  },
  {
    kind: "gemini",
    mount: installedProgram(""),
    // Else it asks its model which model to take.
    agent: { model: "gemini-2.5-flash" },
    environment: [],
    // Its settings, which turn its statistics off, are outside.
    refused: "The proxy refused play.googleapis.com:443.\n",
  },
] as const;

/* Catches: a sandbox in which a real client cannot start, reach its model or our tools, run a command, or commit. */
test.each(clients)(
  "$kind does a task in a sandbox: edits, commits, and reports done over HTTP",
  {
    tags: ["bwrap", "openssl"],
  },
  async ({ kind, mount, agent, environment, refused }) => {
    const certificate = selfSigned([`IP:${MODEL}`]);
    const given = await givenClient(kind, {
      agent,
      sessions: [
        [
          { write: "hello.txt", content: "hello" },
          { shell: "ls -A ../.. > seen.txt && git add hello.txt && git commit --quiet --message=Hello" },
          { signal: "done", with: { summary: "It is written." } },
          { say: "That is all." },
        ],
      ],
      tls: { ...certificate, address: MODEL },
      environment: { NODE_EXTRA_CA_CERTS: certificate.cert },
      config: {
        worktrees: true,
        sandbox: {
          mounts: [mount, certificate.cert],
          environment: ["NODE_EXTRA_CA_CERTS", ...environment],
        },
      },
    });

    const ran = await given.run("--sandbox", "bwrap", "--once");
    expect(lastEnd(ran), ran.stderr).toMatchObject({
      ...{ exit: "exited", closing: "done", status: "done", denied: [] },
    });
    const { session } = lastEnd(ran);
    const events = await given.project.log.read(0, 1_000);
    const done = events.filter(({ type }) => type === "signal.done");
    expect(done).toMatchObject([{ correlation: session, payload: { summary: "It is written.", task: 1 } }]);
    expect(given.model.requests.length).toBeGreaterThanOrEqual(4);

    const worktree = join(given.folder, ".ralph", "worktrees", "task-1");
    expect(readFileSync(join(worktree, "hello.txt"), "utf8").trim()).toBe("hello");
    expect(readFileSync(join(worktree, "seen.txt"), "utf8")).toBe("worktrees\n");
    const commits = ["-C", given.folder, "log", "--format=%s", "signalbox/task-1"];
    expect(execFileSync("git", commits, { encoding: "utf8" })).toMatch(/^Hello$/m);
    const run = join(given.folder, ".ralph", "run", session);
    expect(readFileSync(join(run, "mcp.json"), "utf8")).toContain('"http://127.0.0.1:47100/mcp"');
    const log = join(run, "server.log");
    expect(refused).toContain(existsSync(log) ? readFileSync(log, "utf8") : "");
  },
);
