import { expect } from "vitest";
import type { Event } from "../../src/events/types/index.ts";
import { answerId, PROPER_CODES, ZOD } from "../mcp/generated-messages.ts";
import type { AgentServer, Answer } from "./agent-server.ts";
import { checkForm } from "./answers.ts";
import { markOf, type Sent } from "./generated-requests.ts";

/** Checks what a server that has ended had answered to messages, and what it has recorded of them. */
export function checkRequests(sent: readonly Sent[], server: AgentServer, events: readonly Event[]) {
  expect(server.rubbish, "lines of stdout that are no JSON").toEqual([]);
  const complaints = server.complaints().split("\n").slice(0, -1);
  expect(complaints.filter((text) => !ABOUT_NO_REQUEST.test(text)).join("\n")).toBe("");

  const answers = server.answers.filter(({ method, id }) => method === undefined && !isOurs(id));
  for (const answer of answers) checkAnswer(answer);
  const cancelled = checkNumbers(sent, answers);
  const recorded = checkRecorded(sent, answers, events);
  const results = answers.filter(({ result }) => result !== undefined).length;
  return { results, errors: answers.length - results, cancelled, recorded };
}

/** What the server says of responses and notifications, which nobody waits for. */
const ABOUT_NO_REQUEST = /^signalbox mcp: (Received a response|Uncaught error in notification handler)/;

/** What only looked whether the server is alive. */
function isOurs(id: Answer["id"]): boolean {
  return typeof id === "string" && id.startsWith("alive ");
}

/** Checks an answer by itself. @param codes of errors that are proper besides */
export function checkAnswer(answer: Answer, codes: readonly number[] = []): void {
  checkForm(answer);
  const { error, result } = answer;
  if (error) expect([...PROPER_CODES, ...codes], JSON.stringify(error)).toContain(error.code);
  for (const text of [error?.message, ...(result?.content ?? []).map((block) => block.text)])
    if (text !== undefined) expect(text).not.toMatch(ZOD);
}

/** Each request has one answer, or none if it was cancelled. @returns how many have none */
function checkNumbers(sent: readonly Sent[], answers: readonly Answer[]): number {
  const cancelled = new Set(sent.map(cancels));
  const asked = countBy(sent.filter(isAnswered).map(answerId));
  const answered = countBy(answers.map(({ id }) => id));
  let none = 0;
  for (const [id, times] of asked) {
    const count = answered.get(id) ?? 0;
    if (count === times) continue;
    const about = sent.filter((message) => JSON.stringify(answerId(message)) === id);
    expect(cancelled.has(id) && count < times, `${count} answers to ${JSON.stringify(about)}`).toBe(true);
    none += times - count;
  }
  expect([...answered.keys()].filter((id) => !asked.has(id))).toEqual([]);
  return none;
}

function countBy(ids: readonly unknown[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids.map((one) => JSON.stringify(one))) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/** The id that a message cancels; undefined if it does not. */
function cancels({ method, params }: Sent): string | undefined {
  if (method !== "notifications/cancelled" || typeof params !== "object" || params === null) return undefined;
  return JSON.stringify(Reflect.get(params, "requestId"));
}

/** A notification and a response are not, if they are well-formed; all else is, be it with an error. */
export function isAnswered(message: Sent): boolean {
  const { jsonrpc, method, params, ...more } = message;
  if (!("method" in message)) return !("result" in message || "error" in message);
  const isNotification =
    jsonrpc === "2.0" &&
    typeof method === "string" &&
    isObjectOrAbsent(params) &&
    Object.keys(more).length === 0;
  return !isNotification;
}

function isObjectOrAbsent(value: unknown): boolean {
  return value === undefined || (typeof value === "object" && value !== null && !Array.isArray(value));
}

/** Checks that the log has what was acknowledged, and nothing that was refused. @returns how many calls it has */
export function checkRecorded(
  sent: readonly Sent[],
  answers: readonly Answer[],
  events: readonly Event[],
): number {
  const own = events.filter(({ type }) => type.startsWith("signal."));
  const positions = new Set(own.map(({ position }) => position));
  const acknowledged = new Set(
    answers.flatMap(({ result }) => {
      const position = result?.isError ? undefined : result?.structuredContent?.position;
      return typeof position === "number" ? [position] : [];
    }),
  );
  expect([...acknowledged].filter((position) => !positions.has(position))).toEqual([]);

  const texts = own.map(({ payload }) => JSON.stringify(payload));
  const refused = new Set(
    answers.filter(({ error, result }) => error ?? result?.isError).map(({ id }) => id),
  );
  const wrongly = sent.filter((message, index) => {
    const { id } = message;
    const isAlone = sent.filter((other) => other.id === id).length === 1;
    return isAlone && refused.has(answerId(message)) && texts.some((text) => text.includes(markOf(index)));
  });
  expect(wrongly, "refused, and recorded").toEqual([]);

  const unheard = own.filter(({ position }) => !acknowledged.has(position));
  const cancelled = new Set(sent.map(cancels));
  const byCancelled = unheard.filter(({ payload }) => {
    const text = JSON.stringify(payload);
    const index = sent.findIndex((_, number) => text.includes(markOf(number)));
    return index === -1 || cancelled.has(JSON.stringify(sent[index]?.id));
  });
  expect(byCancelled).toEqual(unheard);
  return own.length;
}
