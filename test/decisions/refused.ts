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
