import { rmSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { openLive } from "../../adapters/page/server/stream.ts";
import { logPathBeside } from "../../src/events/log-location.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { freshProject } from "../support/project.ts";
import { ask, cookieOf } from "./support/ask.ts";
import { freshPanel, usePanels } from "./support/panel.ts";

usePanels();
afterEach(() => {
  vi.useRealTimers();
});

const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

test("HEAD of the stream opens none, and a panel that only shows answers it", async () => {
  const { panel } = await freshPanel({ readOnly: true });
  const headers = { cookie: await cookieOf(panel) };
  const told = await ask(panel, "/api/stream", { method: "HEAD", headers });
  expect(told).toMatchObject({ status: 200, headers: { "content-type": "text/event-stream" } });
  expect(told.headers["cache-control"]).toBe("no-store");
});

test("a slow reader gets the newest events, and equal answers are serialised once", async () => {
  const { project } = await freshProject();
  const live = openLive(project, false);
  const [slow, quick] = [(await live.open()).getReader(), (await live.open()).getReader()];
  const first = await quick.read();
  // What its reader has not taken waits; nothing is put behind it.
  for (let nth = 1; nth <= 5; nth++) {
    const [created] = await project.decide(createTask({ title: `Task ${nth}` }));
    expect(text((await quick.read()).value)).toContain(`"head":${created?.position},`);
  }
  expect(first.value).toBe((await slow.read()).value);
  const head = await project.log.head();
  let messages = 0;
  for (let said = ""; !said.includes(`id: ${head}\n`) && messages < 10; messages++) {
    said = text((await slow.read()).value);
  }
  expect(messages).toBeLessThanOrEqual(2);
  live.close();
  expect((await slow.read()).done).toBe(true);
});

test("a reader that disconnects during a message is not an error of the server", async () => {
  const { project } = await freshProject();
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  for (let moments = 0; moments < 20; moments++) {
    const live = openLive(project, false);
    const stream = live.open();
    const gone = new Promise<void>((resolve) => {
      // The last that is done before a message is on its way to the stream.
      vi.spyOn(TextEncoder.prototype, "encode").mockImplementationOnce((said = "") => {
        void after(moments, async () => (await stream).cancel()).then(resolve);
        return Buffer.from(said);
      });
    });
    await gone;
    live.close();
  }
  expect(written.mock.calls).toEqual([]);
  vi.restoreAllMocks();
});

/** Does something after so many turns of the queue of microtasks. */
async function after(moments: number, act: () => Promise<void>): Promise<void> {
  for (let moment = 0; moment < moments; moment++) await null;
  await act();
}

test("a log removed under a stream is reported at the next heartbeat, and ends it", async () => {
  const { project, db } = await freshProject();
  const live = openLive(project, false);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout", "Date"] });
  const reader = (await live.open()).getReader();
  expect(text((await reader.read()).value)).toContain("event: news");
  rmSync(logPathBeside(db));
  const next = reader.read();
  await vi.advanceTimersByTimeAsync(16_000);
  expect(text((await next).value)).toMatch(/event: problem\n.*\n.*was moved away, removed or replaced/);
  expect((await reader.read()).done).toBe(true);
});

test("a missing log, or another one than the page knows, is reported before the stream begins", async () => {
  const { panel, project } = await freshPanel();
  const headers = { cookie: await cookieOf(panel) };
  for (const known of ["after=1&leaf=00", "after=99999"]) {
    const told = await ask(panel, `/api/stream?${known}`, { headers });
    expect(told).toMatchObject({
      status: 503,
      body: expect.stringContaining("The log was replaced since this page was loaded"),
    });
  }
  rmSync(logPathBeside(project.store.readModel.database.name));
  const told = await ask(panel, "/api/stream", { headers });
  expect(told).toMatchObject({ status: 503, body: expect.stringContaining("removed or replaced") });
});
