import { expect, test } from "vitest";
import { useChild } from "../../children.ts";

const mask = useChild("test/loop/children/mask-repeated.ts");

const REPEATED: readonly string[] = [
  "-----BEGIN PRIVATE KEY----- ",
  "-----BEGIN A ",
  "KEY_A_",
  "ab://a:b",
  "eyJ-",
  "eyJaaaaaaaaaaa.",
  "sk-",
  "Bearer  ",
  'password: "aaaaaaaaa',
  "password=$",
  "password=aaaaaaaa(",
  "password_a-a_a",
  "KEY=a.",
];

/* In a process of its own, which can be ended: one in quadratic time takes minutes for each. */
test("a long text without an end of anything is masked in linear time", async () => {
  expect(await mask(...REPEATED).finish()).toEqual(REPEATED);
});
