import { mkdirSync, readFileSync, rmdirSync } from "node:fs";
import Database from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { SignOfLife } from "../../src/lib/sign-of-life.ts";
import { startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import type { Child } from "../children.ts";
import { comment } from "../events/given.ts";
import { freshFolder, freshProject } from "../support/project.ts";
import { call, HELLO, parseAnswer, startServer, startSignalbox } from "../survival/programs.ts";

/*
 * Catches: rows that nobody brings up to date while servers live, a keeper that is dead or stopped and has no successor, and
 * servers that reduce what they need not.
 */

/** Generous: a test fails by it only where nobody reduces at all. */
const PATIENCE = { timeout: 20_000, interval: 20 };

async function givenProject() {
  const { project, db } = await freshProject();
  for (const task of [1, 2]) {
    await project.decide(createTask({ title: `Task ${task}` }));
    await project.decide(startSession({ task, session: `s-${task}` }));
  }
  const rows = new Database(db, { readonly: true });
  onTestFinished(() => void rows.close());
  /** As who reads the tables by SQL sees it. */
  const shown = () => rows.prepare("SELECT min(position) FROM projections").pluck().get();
  return {
    project,
    db,
    shown,
    keeper: () => Number(readFileSync(`${db}-keeper`, "utf8").split(" ")[0]),
    /** Appends what nobody here reduces, and waits until somebody has. */
    async expectFresh() {
      const { events } = await project.log.append([comment("for whoever looks")]);
      await vi.waitFor(() => expect(shown()).toBe(events[0]?.position), PATIENCE);
    },
  };
}

/** A server that has answered a first call. */
async function serving(db: string, task: number): Promise<Child> {
  const server = startServer(db, `s-${task}`, task);
  for (const message of HELLO) server.tell(JSON.stringify(message));
  await server.says();
  await report(server, 1);
  return server;
}

async function report(server: Child, id: number): Promise<void> {
  const finding = { what: `Finding ${id}.`, severity: "info", category: "bug" };
  server.tell(JSON.stringify(call(id, "flag", finding)));
  const { value } = await server.lines.next();
  expect(parseAnswer(value)?.result?.isError, value).toBeFalsy();
}

test("while servers live the tables are kept fresh for who reads them by SQL; where the keeper is killed, another one does it", async () => {
  const { db, keeper, expectFresh } = await givenProject();
  const servers = [await serving(db, 1), await serving(db, 2)];
  await expectFresh();
  const [first, second] = keeper() === servers[0]?.process.pid ? servers : servers.toReversed();
  expect(keeper()).toBe(first?.process.pid);
  await first?.kill();
  await expectFresh();
  expect(keeper()).toBe(second?.process.pid);
});

test("a stopped keeper is replaced, and only watches when it resumes", async () => {
  const { db, keeper, expectFresh } = await givenProject();
  const servers = [await serving(db, 1), await serving(db, 2)];
  await expectFresh();
  const [first, second] = keeper() === servers[0]?.process.pid ? servers : servers.toReversed();
  first?.process.kill("SIGSTOP");
  await expectFresh();
  first?.process.kill("SIGCONT");
  if (first) await report(first, 2);
  await expectFresh();
  expect(keeper()).toBe(second?.process.pid);
});

test("a recording server reduces nothing unless it is the keeper", async () => {
  const { project, db, shown } = await givenProject();
  // Where no sign can be given, nobody becomes the keeper.
  mkdirSync(`${db}-keeper`);
  const before = shown();
  const server = await serving(db, 1);
  for (let id = 2; id <= 30; id++) await report(server, id);
  expect(await project.log.head()).toBe(Number(before) + 30);
  expect(shown()).toBe(before);
  rmdirSync(`${db}-keeper`);
  await vi.waitFor(() => expect(shown()).toBe(Number(before) + 30), PATIENCE);
});

test("a keeper that ends well leaves no sign", async () => {
  const { db, keeper, expectFresh } = await givenProject();
  const server = await serving(db, 1);
  await expectFresh();
  expect(keeper()).toBe(server.process.pid);
  server.process.stdin?.end();
  await server.finish();
  expect(keeper).toThrow("ENOENT");
});

test("a long-running command keeps the tables fresh as well", async () => {
  const { db, expectFresh } = await givenProject();
  const panel = startSignalbox(["serve", "--port", "0", "--db", db]);
  await panel.says();
  await expectFresh();
});

test("a heartbeat that stays the same for some checks is silent, one that changes is not", () => {
  const path = `${freshFolder()}/sign`;
  const [one, other] = [new SignOfLife(path), new SignOfLife(path)];
  expect(other.isOthersSilent()).toBe(true);
  expect(one.beginOwn()).toBe(true);
  for (let look = 0; look < 5; look++) {
    expect(one.beat()).toBe(true);
    expect(other.isOthersSilent()).toBe(false);
  }
  const looks = [other.isOthersSilent(), other.isOthersSilent(), other.isOthersSilent()];
  expect(looks).toEqual([false, true, true]);
  expect(other.beginOwn()).toBe(true);
  expect(one.beat()).toBe(false);
  expect(other.beat()).toBe(true);
  one.endOwn();
  expect(other.beat()).toBe(true);
  other.endOwn();
  expect(other.beat()).toBe(false);
});
