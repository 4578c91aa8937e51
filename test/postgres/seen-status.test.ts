// @module-tag postgresql-standbys
import { expect, onTestFinished, test } from "vitest";
import { surveyServers } from "../../adapters/postgres/facts.ts";
import { Project, readModelPathIn } from "../../src/api/project.ts";
import { openStore } from "../../src/decisions/store.ts";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import { ownHost } from "../../src/events/own-host.ts";
import { type FleetView, FleetWatch } from "../../src/outside/fleet/view.ts";
import { block } from "../support/block.ts";
import { signalbox, signalboxJson } from "../support/cli.ts";
import { ask, until } from "../support/postgres/ask.ts";
import { freshFolder } from "../support/project.ts";
import { openPage, useBrowser } from "../web/support/browser.ts";
import { freshPanel } from "../web/support/panel.ts";
import { givenFleet, standbysOf } from "./given-log.ts";
import { givenLog, openForTest, schemaOf } from "./given-postgres.ts";
import { givenProxy } from "./proxy.ts";

/*
 * What people see of servers and hosts. Catches: a server that is away and takes the command with it, or is not mentioned; a silent host
 * that looks like a living one; a fault without a word of how to mend it; a project on one machine that shows empty sections.
 */

useBrowser();

/** A folder that works on a log, as a host of its own. */
async function givenHost(url: string, name: string) {
  const folder = freshFolder();
  const joined = await signalbox(["fleet", "join", url, "--anyway"], { cwd: folder });
  expect([joined.exitCode, joined.exitCode === 0 ? "" : joined.stderr]).toEqual([0, ""]);
  const db = readModelPathIn(folder);
  const { host } = ownHost(db);
  const { hosts } = await openForTest(url);
  const beat = async () => hosts?.beat({ host, name, epoch: 1, level: 1 });
  await beat();
  return { folder, db, host, beat };
}

/** Two hosts on a log, the second with an open session on task 1. */
async function givenHosts(url: string) {
  const one = await givenHost(url, "builder-1");
  await signalboxJson(["init"], { cwd: one.folder });
  await signalboxJson(["task", "add", "Lay the points"], { cwd: one.folder });
  const two = await givenHost(url, "builder-2");
  await signalboxJson(["session", "start", "1", "--session", "s-1", "--driver", "d-2"], { cwd: two.folder });
  await signalboxJson(["status"], { cwd: one.folder });
  return { one, two };
}

/** As if the host had given no sign of life for five minutes. */
async function silence(url: string, host: string): Promise<void> {
  await ask(
    url,
    `UPDATE ${schemaOf(url)}.hosts SET beat_at = clock_timestamp() - interval '5 minutes' WHERE host = '${host}'`,
  );
}

async function statusOf(folder: string): Promise<{ fleet: FleetView; events: number }> {
  return (await signalboxJson(["status"], { cwd: folder })) as { fleet: FleetView; events: number };
}

function watchOf(url: string, db: string): FleetWatch {
  return new FleetWatch({ url, readModelPath: db, silence_ms: 60_000 });
}

/** The panel of a host, as `signalbox serve` makes it. */
async function givenPanel(url: string, db: string) {
  const store = await openStore(db, systemEnvironment(), { mayLag: true });
  const project = new Project(store, "human");
  onTestFinished(() => project.close());
  return freshPanel({ project, fleet: watchOf(url, db) });
}

test("status shows each server, how far standbys and this host are behind, and who runs what where", async () => {
  const { cluster, url } = await givenFleet();
  const { one, two } = await givenHosts(url);
  await until("status tells all of it", async () => {
    await two.beat();
    const { fleet } = await statusOf(one.folder);
    expect(fleet.servers.servers.map(({ is }) => is)).toEqual(["primary", "standby", "standby"]);
    expect(fleet.servers.facts?.standbys).toEqual(
      standbysOf(cluster).map(({ name }) => ({ name, sync: "quorum", behind_bytes: expect.any(Number) })),
    );
    expect(fleet).toMatchObject({
      away_since: null,
      read_model: { behind: 0 },
      hosts: [
        { host: one.host, name: "builder-1", state: "own", sessions: [] },
        {
          ...{ host: two.host, name: "builder-2", state: "alive", level: 1 },
          sessions: [{ session: "s-1", task: 1, task_title: "Lay the points", driver: "d-2" }],
        },
      ],
    });
    const { stdout } = await signalbox(["status"], { cwd: one.folder });
    expect(stdout).toMatch(/builder-2 +alive .*s-1: #1 Lay the points \(driver d-2\)/);
    expect(stdout).toMatch(/s2 +yes +\d/);
    expect(stdout).toContain("This host has read all events.");
    return true;
  });

  for (const standby of standbysOf(cluster)) await cluster.cutOff(standby);
  expect((await signalbox(["status"], { cwd: one.folder })).stdout).toContain(
    "no standby is connected, so nothing is recorded",
  );
  const doctor = await signalbox(["doctor"], { cwd: one.folder });
  expect(doctor.stdout).toMatch(/✕ servers +no standby is connected.*\n +→ Start a standby/);
  expect(doctor.exitCode).toBe(1);
});

test("a host that is silent is a suspect, and status says what to type", async () => {
  const url = await givenLog();
  const { one, two } = await givenHosts(url);
  await silence(url, two.host);
  const { stdout } = await signalbox(["status"], { cwd: one.folder });
  expect(stdout).toMatch(/builder-2 +suspect +5 min \d+ s ago/);
  expect(stdout).toContain(`\`signalbox fleet lost ${two.host}\``);
  await signalboxJson(["fleet", "lost", two.host, "--yes"], { cwd: one.folder });
  const { fleet } = await statusOf(one.folder);
  expect(fleet.hosts.find(({ host }) => host === two.host)).toMatchObject({ state: "lost", sessions: [] });
  expect((await signalbox(["status"], { cwd: one.folder })).stdout).not.toContain("signalbox fleet lost");
});

test.each([
  ["refuses connections", "close", "ECONNREFUSED", "no server takes appends, so nothing is recorded"],
  ["answers nothing any more", "freeze", "did not answer within", "the primary did not answer in time"],
] as const)(
  "where the server %s, status answers from the read model and says since when",
  async (_what, end, why, fault) => {
    const proxy = await givenProxy(await givenLog());
    const { one, two } = await givenHosts(proxy.url);
    proxy[end]();
    const board = await statusOf(one.folder);
    expect(board).toMatchObject({
      events: board.fleet.read_model.position,
      fleet: {
        away_since: expect.stringMatching(/^20\d\d-/),
        servers: { facts: null, servers: [{ is: "away" }], faults: [{ what: "away" }] },
        read_model: { behind: null },
        // Nobody can tell now whether it lives.
        hosts: [{ state: "own" }, { host: two.host, state: "unknown", sessions: [{ session: "s-1" }] }],
      },
    });
    expect(board.fleet.read_model.position).toBeGreaterThan(0);
    const status = await signalbox(["status"], { cwd: one.folder });
    expect(status).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(why) });
    expect(status.stdout).toMatch(/Since 20.* UTC this host has got nothing from the log/);
    expect(status.stdout).toContain("s-1");
    expect((await signalbox(["fleet", "status"], { cwd: one.folder })).stdout).toContain(fault);
    const doctor = await signalbox(["doctor"], { cwd: one.folder });
    expect(doctor.stdout).toMatch(new RegExp(`✕ servers +${fault}.*\\n +→ Start it again`));
  },
);

test("a server whose answer is there is not away, however long this process was busy meanwhile", async () => {
  const patience_ms = 2_000;
  const survey = surveyServers(await givenLog(), Date.now, patience_ms);
  block(patience_ms + 500);
  expect((await survey).servers).toMatchObject([{ is: "primary" }]);
});

test("a project on one machine shows nothing of servers and hosts", async () => {
  const folder = freshFolder();
  await signalboxJson(["init"], { cwd: folder });
  expect(await signalboxJson(["status"], { cwd: folder })).not.toHaveProperty("fleet");
  expect((await signalbox(["status"], { cwd: folder })).stdout).not.toMatch(/Hosts|Log\n/);
  expect((await signalbox(["doctor"], { cwd: folder })).stdout).not.toContain("servers");
});

test("however often it is asked, the panel looks at the servers every 5 s at most", async () => {
  const url = await givenLog();
  const { one, two } = await givenHosts(url);
  let now = systemEnvironment().now();
  const store = await openStore(one.db, { ...systemEnvironment(), now: () => now });
  onTestFinished(async () => store.log.close());
  const watch = watchOf(url, one.db);
  const stateOf = async () => (await watch.look(store)).hosts.find(({ host }) => host === two.host)?.state;
  expect(await stateOf()).toBe("alive");
  await silence(url, two.host);
  now += 4_000_000;
  expect(await stateOf()).toBe("alive");
  now += 1_000_000;
  expect(await stateOf()).toBe("suspect");
});

test("the page lists the hosts with their work, the servers, and the command for a suspect", {
  tags: "chromium",
}, async () => {
  const { cluster, url } = await givenFleet();
  const { one, two } = await givenHosts(url);
  await silence(`${cluster.primary.url}?schema=fleet`, two.host);
  const { panel } = await givenPanel(url, one.db);
  for (const width of [1400, 390]) {
    const { page, seen } = await openPage(panel, "/hosts", { viewport: { width, height: 900 } });
    const card = page.getByRole("listitem").filter({ hasText: two.host }).first();
    await card.getByText("suspect: silent for 5 min").waitFor();
    await card.getByText(`signalbox fleet lost ${two.host}`).waitFor();
    await card.getByRole("link", { name: "#1 Lay the points" }).waitFor();
    await page.getByText("has everything; appends wait for it").first().waitFor();
    await page.getByText("This host has read all events.").waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(seen).toEqual({ faults: [], strangers: [] });
  }
});

test("while the server is away the page answers from the read model, and says on every view that nothing is recorded", {
  tags: "chromium",
}, async () => {
  const proxy = await givenProxy(await givenLog());
  const { one, two } = await givenHosts(proxy.url);
  const { panel } = await givenPanel(proxy.url, one.db);
  proxy.close();
  const { page } = await openPage(panel, "/board");
  await page.getByText("Lay the points").waitFor();
  await page.getByRole("alert").getByText("no server takes appends, so nothing is recorded").waitFor();
  await page.getByRole("link", { name: "What to do" }).click();
  await page.getByText("This host has got nothing from the log since").waitFor();
  await page.getByText("unknown while the log is away").waitFor();
  await proxy.heal();
  await two.beat();
  await page.getByText(/alive, last sign/).waitFor();
  await expect.poll(() => page.getByText("no server takes appends").count()).toBe(0);
});

test("the page of a project on one machine has no view of hosts", { tags: "chromium" }, async () => {
  const { panel } = await freshPanel();
  const { page } = await openPage(panel, "/board");
  await page.getByRole("link", { name: "Charts" }).waitFor();
  await expect.poll(() => page.getByRole("link", { name: "Board" }).count()).toBe(1);
  expect(await page.getByRole("link", { name: "Hosts" }).count()).toBe(0);
});
