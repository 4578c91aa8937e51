import { expect } from "vitest";
import type { Decision } from "../../src/decisions/decide.ts";
import { Refusal, type RefusalCode } from "../../src/decisions/refusal.ts";
import { type ByAgent, givenProject, type Happens } from "./given.ts";

/** What is asked, the steps before it, the decision, and the code and the words of its refusal. */
export type Refused = readonly [
  what: string,
  before: readonly Happens[],
  asked: Decision | ByAgent,
  code: RefusalCode,
  message: string,
];

/** The code and the words of a refusal. */
export type Outcome = readonly [code: RefusalCode, message: string];

export const notFound = (words: string): Outcome => ["not_found", words];
export const noTask9 = notFound("There is no task 9. Run `signalbox task list` to see all tasks.");

/** The decision is refused with exactly these words, and nothing was recorded. */
export async function expectRefused([, before, asked, code, message]: Refused): Promise<void> {
  const { store, does, decides } = await givenProject();
  await does(...before);
  const head = await store.log.head();
  const refusal = await decides(asked).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal).toMatchObject({ name: "Refusal", code, message });
  expect(await store.log.head()).toBe(head);
}
