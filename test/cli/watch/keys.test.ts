import fc from "fast-check";
import { expect, test } from "vitest";
import { KeyReader } from "../../../src/cli/watch/keys.ts";

const ESCAPE = "\u001b";

/** What a reader makes of pieces, and of nothing more coming. */
function keysOf(...pieces: readonly (string | Buffer)[]) {
  const reader = new KeyReader();
  return [...pieces.flatMap((piece) => [...reader.read(Buffer.from(piece))]), ...reader.flush()];
}
const namesOf = (...pieces: readonly string[]) => keysOf(...pieces).map(({ name }) => name);

test.each([
  ["j?Z1", ["j", "?", "Z", "1"]],
  ["\r", ["enter"]],
  ["\u007f", ["backspace"]],
  ["\u0003", ["ctrl-c"]],
  [`${ESCAPE}[A${ESCAPE}OB`, ["up", "down"]],
  [`${ESCAPE}[5~${ESCAPE}[F`, ["pageup", "end"]],
  ["ü…😀", ["ü", "…", "😀"]],
  [ESCAPE, ["escape"]],
  [`${ESCAPE}j`, ["escape", "j"]],
])("%j is %j", (input, names) => {
  expect(namesOf(input)).toEqual(names);
});

test.each([
  ["a key with modifiers", `${ESCAPE}[1;5C`],
  ["an answer of the terminal", `${ESCAPE}[?62;22c`],
  ["a title that it reports", `${ESCAPE}]0;rm -rf\u0007`],
  ["a device string", `${ESCAPE}P1$r0m${ESCAPE}\\`],
  ["a control character without a meaning", "\u0001"],
])("%s is no key", (_what, input) => {
  expect(namesOf(`a${input}b`)).toEqual(["a", "b"]);
});

test("a paste is one key with its text, its letters are no keys", () => {
  expect(keysOf(`${ESCAPE}[200~quit\nx${ESCAPE}[201~j`)).toEqual([
    { name: "paste", text: "quit\nx" },
    { name: "j" },
  ]);
});

test("an escape that more follows in time is not the key", () => {
  const reader = new KeyReader();
  expect(reader.read(Buffer.from(ESCAPE))).toEqual([]);
  expect(reader.waiting).toBe(true);
  expect(reader.read(Buffer.from("[A"))).toEqual([{ name: "up" }]);
  expect(reader.waiting).toBe(false);
});

test("however the bytes are cut into pieces, the keys are the same", () => {
  const part = fc.constantFrom("j", "ü", "😀", "\r", `${ESCAPE}[A`, `${ESCAPE}[200~a b${ESCAPE}[201~`, "1");
  fc.assert(
    fc.property(fc.array(part), fc.array(fc.nat({ max: 40 })), (parts, cuts) => {
      const bytes = Buffer.from(parts.join(""));
      const places = [...new Set([0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length])].sort(
        (a, b) => a - b,
      );
      const pieces = places.slice(1).map((end, n) => bytes.subarray(places[n], end));
      expect(keysOf(...pieces)).toEqual(keysOf(bytes));
    }),
  );
});
