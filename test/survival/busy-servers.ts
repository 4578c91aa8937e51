import { join } from "node:path";
import { expect } from "vitest";
import { initProject, openProject, readModelPathIn } from "../../src/api/project.ts";
import { startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import type { Child } from "../children.ts";
import { everythingIn, numbers } from "../events/given.ts";
import { call, HELLO, parseAnswer, startServer, type ToolAnswer } from "./programs.ts";

const SERVERS = 8;

/** Runs `work` on a project while 8 servers with open sessions are asked to record one finding after another. */
export async function besideServers(parent: string, work: (db: string) => Promise<void>): Promise<void> {
  const folder = join(parent, "project");
  await initProject(folder);
  const project = await openProject(folder);
  const sessions = numbers(SERVERS).map((task) => ({ task, session: `s-${task}` }));
  for (const { task, session } of sessions) {
    await project.decide(createTask({ title: `Task ${task}` }));
    await project.decide(startSession({ task, session }));
  }
  const db = readModelPathIn(folder);
  const servers = sessions.map(({ task, session }) => new BusyServer(startServer(db, session, task)));
  try {
    await Promise.all(servers.map((server) => server.ready()));
    const busy = servers.map((server) => server.callUntilEnded());
    // The first call of each loads what calls need.
    await Promise.race([Promise.all(servers.map((server) => server.first)), Promise.all(busy)]);
    await work(db);
    for (const server of servers) server.end();
    const called = (await Promise.all(busy)).reduce((sum, calls) => sum + calls, 0);
    const { length } = (await everythingIn(project.log)).filter(({ type }) => type === "signal.learned");
    expect(length).toBe(called);
    expect(called).toBeGreaterThan(SERVERS);
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
    await project.close();
  }
}

/** A server whose agent makes one call after another. */
class BusyServer {
  readonly #child: Child;
  readonly #answered = Promise.withResolvers<void>();
  #ending = false;

  constructor(child: Child) {
    this.#child = child;
  }

  /** Its first call was answered. */
  get first(): Promise<void> {
    return this.#answered.promise;
  }

  async ready(): Promise<void> {
    for (const message of HELLO) this.#child.tell(JSON.stringify(message));
    await this.#answer();
  }

  /** Makes calls until `end` is called, then ends the input. @returns how many calls were answered, all of them well */
  async callUntilEnded(): Promise<number> {
    let calls = 0;
    while (!this.#ending) {
      calls++;
      this.#child.tell(
        JSON.stringify(call(calls, "learned", { text: `Finding ${calls}.`, kind: "discovery" })),
      );
      const { id, result } = await this.#answer();
      expect(id).toBe(calls);
      expect(result?.isError, JSON.stringify(result)).toBeFalsy();
      this.#answered.resolve();
    }
    this.#child.process.stdin?.end();
    await this.#child.finish();
    return calls;
  }

  end(): void {
    this.#ending = true;
  }

  kill(): Promise<void> {
    return this.#child.kill();
  }

  async #answer(): Promise<ToolAnswer> {
    const { value, done } = await this.#child.lines.next();
    const answer = done ? undefined : parseAnswer(value);
    if (!answer) throw new Error(`The server ended unasked: ${await this.#child.finish()}`);
    return answer;
  }
}
