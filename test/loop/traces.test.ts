import { expect, test } from "vitest";
import { useBundle } from "../children.ts";
import { signalbox } from "../support/cli.ts";
import { attribute, givenCollector } from "../telemetry/given-collector.ts";
import { givenLoop, statuses, stepsOf } from "./given-loop.ts";
import { works } from "./script.ts";

const agent = useBundle("test/loop/children/stand-in-agent.ts");
const tasks = [{ title: "One" }, { title: "Two" }];

test("a loop sends the trace of each session at its end; sent again they have the same ids", async () => {
  const collector = await givenCollector();
  const loop = await givenLoop(agent.path, {
    tasks,
    others: [works()],
    config: { metrics: { otlp: { endpoint: collector.url } } },
  });
  expect(await loop.run()).toMatchObject({ exitCode: 0 });
  const sent = collector.spans();
  const roots = sent.filter(({ name }) => name === "session");
  expect(roots.map((span) => attribute(span, "signalbox.task.title"))).toEqual(["One", "Two"]);
  const again = await signalbox(["metrics", "export-traces", "--db", loop.db]);
  expect(again).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Sent 2 traces with") });
  expect(collector.spans().slice(sent.length)).toEqual(sent);
});

test.each([
  ["hangs", () => givenCollector(() => {}).then(({ url }) => url), "did not answer within 5 seconds"],
  [
    "refuses",
    () => givenCollector((response) => void response.writeHead(503).end()).then(({ url }) => url),
    "status 503",
  ],
  ["is away", async () => "http://127.0.0.1:9", "cannot be reached"],
])("a loop goes on where the collector %s, and says so once", async (_what, endpoint, words) => {
  const loop = await givenLoop(agent.path, {
    tasks,
    others: [works()],
    config: { metrics: { otlp: { endpoint: await endpoint() } } },
  });
  const { steps, exitCode } = await loop.run();
  expect(exitCode).toBe(0);
  expect(await statuses(loop.project)).toEqual({ 1: "done", 2: "done" });
  expect(stepsOf(steps, "traces_failed")).toEqual([
    { step: "traces_failed", reason: expect.stringContaining(words) },
  ]);
});

test("traces without an endpoint, or to one that is away, are a clear error", async () => {
  const loop = await givenLoop(agent.path, { tasks: [] });
  const send = (env = {}) => signalbox(["metrics", "export-traces", "--db", loop.db], { env });
  expect(await send()).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("[no_endpoint]") });
  const { stdout } = await send({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" });
  expect(stdout).toBe("Sent 0 traces with 0 spans to 127.0.0.1:9.\n");
});
