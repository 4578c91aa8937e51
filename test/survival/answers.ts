import { expect } from "vitest";
import type { Event } from "../../src/events/types/index.ts";
import type { AgentServer, Answer, RequestId } from "./agent-server.ts";
import type { Expected, Line } from "./generated-lines.ts";
import { type Call, SESSION, TASK } from "./line-kinds.ts";

/** How many lines were to be answered. */
export function countAnswered(lines: readonly Line[]): number {
  return lines.filter(({ expected }) => expected.answer !== "none").length;
}

/**
 * Checks what a server has answered to lines, on stdout and stderr, and what it has recorded of them.
 *
 * @param events the reports in the log, those of the lines first
 */
export function checkAnswers(
  lines: readonly Line[],
  server: AgentServer,
  events: readonly Event[],
): { recorded: number; refused: number; errors: number } {
  expect(server.rubbish, "lines of stdout that are no JSON").toEqual([]);
  for (const answer of server.answers) checkForm(answer);
  const answers = byId(server.answers);

  const withoutId = lines.flatMap(({ expected }) => (expected.answer === "no id" ? [expected.code] : []));
  expect(server.answers.filter(({ id }) => id === null).map(({ error }) => error?.code)).toEqual(withoutId);

  const reported = lines.filter(({ expected }) => expected.answer === "none" && expected.reported).length;
  const complaints = server.complaints().split("\n").slice(0, -1);
  expect(complaints.filter((text) => !text.startsWith("signalbox mcp: Received a response"))).toEqual([]);
  expect(complaints.length).toBe(reported);

  const counts = { recorded: 0, refused: 0, errors: withoutId.length };
  for (const { bytes, expected } of lines) {
    if (!("id" in expected)) continue;
    const answer = answers.get(expected.id);
    if (!answer) throw new Error(`${expected.id} was not answered`);
    try {
      const outcome = checkAnswer(expected, answer, answers, events[counts.recorded]);
      if (outcome) counts[outcome] += 1;
    } catch (cause) {
      const [sent, came] = [`${bytes}`, JSON.stringify(answer)].map((text) => text.slice(0, 400));
      throw new Error(`${sent}\nmust be ${expected.answer}; the answer is ${came}\n${cause}`, { cause });
    }
  }
  return counts;
}

/** Checks that an answer is one of JSON-RPC. */
export function checkForm(answer: Answer): void {
  const { jsonrpc, id, result, error, ...more } = answer;
  expect({ jsonrpc, more }).toEqual({ jsonrpc: "2.0", more: {} });
  expect(id === null || typeof id === "string" || typeof id === "number").toBe(true);
  expect([result, error].filter((part) => part !== undefined)).toHaveLength(1);
}

/** Each request is answered once. */
function byId(answers: readonly Answer[]): Map<RequestId, Answer> {
  const found = new Map<RequestId, Answer>();
  for (const answer of answers) {
    if (answer.id === null || answer.id === undefined) continue;
    if (found.has(answer.id)) throw new Error(`${answer.id} was answered twice`);
    found.set(answer.id, answer);
  }
  return found;
}

/** @param next the first event that no answer before has claimed */
function checkAnswer(
  expected: Extract<Expected, { id: RequestId }>,
  answer: Answer,
  answers: ReadonlyMap<RequestId, Answer>,
  next: Event | undefined,
): "recorded" | "refused" | "errors" | undefined {
  const text = answer.result?.content?.[0]?.text ?? "";
  switch (expected.answer) {
    case "error":
      expect(expected.codes).toContain(answer.error?.code);
      expect(answer.error?.message).toContain(expected.names);
      return "errors";
    case "result":
      expect(answer.result).toBeDefined();
      return undefined;
    case "as before":
      checkSame(answer, answers.get(expected.first));
      return undefined;
    case "refused":
      checkRefusal(answer, expected.names);
      return "refused";
    case "recorded or refused":
      if (answer.result?.isError) {
        checkRefusal(answer, "Nothing was recorded: ");
        return "refused";
      }
      break;
  }
  expect(answer.result?.isError, text).toBeUndefined();
  expect(JSON.parse(text)).toEqual(answer.result?.structuredContent);
  checkRecorded(expected.call, answer, next);
  return "recorded";
}

/** What was recorded is the same; what may come next may have changed since. */
function checkSame({ result: again }: Answer, first: Answer | undefined): void {
  expect(again?.isError).toBeUndefined();
  expect({ ...again?.structuredContent, next: "" }).toEqual({
    ...first?.result?.structuredContent,
    next: "",
  });
}

function checkRefusal({ result }: Answer, names: string): void {
  expect(result).toMatchObject({ isError: true });
  expect(result?.structuredContent).toBeUndefined();
  expect(result?.content?.[0]?.text).toContain(names);
}

/** The log has the calls in the order in which they were sent, each as it was sent. */
function checkRecorded({ name, args }: Call, { result }: Answer, event: Event | undefined): void {
  const answered = result?.structuredContent;
  if (name === "update_session_state") {
    const { sessionId: session, ...report } = args;
    expect(answered).toMatchObject({ newState: report.state, transitionedAt: event?.recordedAt });
    expect(event).toMatchObject({ type: "session.state_reported", actor: "agent" });
    expect(event?.payload).toEqual(asJson({ session, ...report }));
  } else {
    expect(answered).toMatchObject({ position: event?.position });
    expect(event).toMatchObject({ type: `signal.${name}`, actor: "agent", correlation: SESSION });
    // An empty list of options is as if absent (rules.md, The eight verbs).
    const { options, ...others } = args;
    const given = Array.isArray(options) && options.length === 0 ? others : args;
    expect(event?.payload).toEqual(asJson({ ...given, task: TASK, session: SESSION }));
  }
}

/** As it is sent: without what is undefined. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
