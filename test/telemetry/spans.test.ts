import { expect, test } from "vitest";
import { exportRequest as encode } from "../../adapters/telemetry/otlp.ts";
import { spansOf } from "../../adapters/telemetry/session-spans.ts";
import { sessionTrace } from "../../src/queries/session-trace.ts";
import { attempt, done, end, start, task } from "../projections/loop-drafts.ts";
import { ask, at, readModelOf, state, type Timed, used } from "../projections/metrics/given.ts";
import { attribute, exportRequest, type ReceivedSpan } from "./given-collector.ts";

const ORIGIN = "00000000-0000-7000-8000-000000000001";

/** A session of 100 seconds with an ask, a gate that fails and one that passes. */
function history(session = "s-1", title = "Export"): Timed {
  return [
    [
      0,
      task(1, {
        title,
        feature: "reports",
        gates: [{ command: "SECRET=1 npm test", max: 5, timeout_s: 300 }],
      }),
    ],
    [100, start(1, session)],
    [110, state(session, "implementing")],
    [120, ask(1, session, false)],
    [150, state(session, "testing")],
    [160, attempt(1, "no", { session })],
    [170, attempt(1, "ok", { exit_code: 0, session })],
    [180, done(1, session, "All.")],
    [190, used(session, { cost_usd: 0.25, input_tokens: 10, output_tokens: 5 })],
    [200, end(session)],
  ];
}

async function spansFrom(events: Timed, session = "s-1", origin = ORIGIN): Promise<ReceivedSpan[]> {
  const trace = sessionTrace(await readModelOf(events), session);
  const sent = JSON.parse(JSON.stringify(encode(trace ? spansOf(trace, origin) : [])));
  return exportRequest.parse(sent).resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
}

const nano = (second: number) => `${at(second)}000`;

test("a session is a trace with a span for each phase and each run of a gate", async () => {
  const spans = await spansFrom(history());
  expect(
    spans.map(({ name, startTimeUnixNano, endTimeUnixNano }) => [name, startTimeUnixNano, endTimeUnixNano]),
  ).toEqual([
    ["session", nano(100), nano(200)],
    ["idle", nano(100), nano(110)],
    ["implementing", nano(110), nano(150)],
    ["testing", nano(150), nano(200)],
    // They were run elsewhere, and took 2.3 seconds.
    ["gate", nano(157.7), nano(160)],
    ["gate", nano(167.7), nano(170)],
  ]);
  const [root, ...children] = spans;
  expect(root?.parentSpanId).toBeUndefined();
  expect(new Set(children.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([root?.spanId]));
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  expect(
    children.slice(3).map((gate) => [attribute(gate, "signalbox.gate.exit_code"), gate.status.code]),
  ).toEqual([
    ["1", 2],
    ["0", 1],
  ]);
});

test("a session's span has its task, outcome and cost; signals and gates are its events", async () => {
  const [root] = await spansFrom(history());
  const said = [
    "task.feature",
    "task.discipline",
    "session.outcome",
    "session.closing",
    "agent.cost_micro_usd",
  ];
  expect(said.map((key) => root && attribute(root, `signalbox.${key}`))).toEqual([
    "reports",
    "general",
    "success",
    "done",
    "250000",
  ]);
  expect(root?.status).toEqual({ code: 1 });
  expect(root?.events.map(({ name, timeUnixNano }) => [name, timeUnixNano])).toEqual([
    ["signal.ask", nano(120)],
    ["gate.failed", nano(160)],
    ["gate.passed", nano(170)],
    ["signal.done", nano(180)],
  ]);
});

test("repeated sending uses the same ids; another project's session of the same name has others", async () => {
  const ids = (spans: readonly ReceivedSpan[]) => spans.flatMap(({ traceId, spanId }) => [traceId, spanId]);
  const first = ids(await spansFrom(history()));
  expect(ids(await spansFrom(history()))).toEqual(first);
  const others = [
    ...ids(await spansFrom(history(), "s-1", ORIGIN.replace("1", "2"))),
    ...ids(await spansFrom(history("s-2"), "s-2")),
  ];
  expect(others.filter((id) => first.includes(id))).toEqual([]);
});

test("texts are sent shortened and visible; commands and their output are not sent", async () => {
  const spans = await spansFrom(history("s-1", `\u001b[31m${"ü".repeat(200)}`));
  const [root] = spans;
  expect(root && attribute(root, "signalbox.task.title")).toBe(`\\u{1b}[31m${"ü".repeat(200)}`);
  const long = history().map(([second, event]): Timed[number] =>
    event.type === "signal.done" ? [second, done(1, "s-1", "x".repeat(5_000))] : [second, event],
  );
  const [cut] = await spansFrom(long);
  const text =
    cut?.events.at(-1) && attribute(cut.events.at(-1) ?? { attributes: [] }, "signalbox.signal.text");
  expect([...String(text)]).toHaveLength(300);
  expect(JSON.stringify(spans)).not.toMatch(/SECRET|npm test/);
});

test("a session that is open has no trace", async () => {
  expect(await spansFrom(history().slice(0, -1))).toEqual([]);
});
