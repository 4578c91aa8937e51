import { expect, test } from "vitest";
import { personOf } from "../../src/outside/people/people.ts";

const PEOPLE = {
  kim: { role: "own", login: "kim@example.com", github: "kim-l", channels: [] },
  ida: { role: "own", login: "ida@example.com", slack: "IDA", channels: [] },
  asa: { role: "own", login: "\u00E5sa@example.com", channels: [] },
  sam: { role: "own", login: "sam@example.com", channels: [] },
} as never;

test.each([
  ["the Kelvin sign", "\u212Aim@example.com"],
  ["a dotless i", "\u0131da@example.com"],
  ["a capital I with a dot", "\u0130da@example.com"],
  ["a long s", "\u017Fam@example.com"],
  ["full-width letters", "\uFF4Bim@example.com"],
  ["the Angstrom sign", "\u212Bsa@example.com"],
  ["a combining mark", "ki\u0307m@example.com"],
])("%s is no letter of somebody's address", (_what, account) => {
  expect(personOf(PEOPLE, "login", account)).toBeUndefined();
});

test("accounts are compared in any case of ASCII letters", () => {
  expect(personOf(PEOPLE, "login", "KIM@Example.COM")).toBe("kim");
  expect(personOf(PEOPLE, "github", "Kim-L")).toBe("kim");
  expect(personOf(PEOPLE, "slack", "ida")).toBe("ida");
});
