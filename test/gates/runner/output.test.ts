import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { finished } from "node:stream/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { commandResult, type KeptOutput, outputText } from "../../../src/events/types/command-result.ts";
import { keepOutputs } from "../../../src/gates/runner/output.ts";
import { visible } from "../../../src/lib/visible.ts";
import { useChild } from "../../children.ts";
import { freshFolder } from "../../support/project.ts";
import { run, stdoutOf } from "./given.ts";

/*
 * What is kept of an output. Catches: a character cut in two where pieces meet, a count that forgets the gap, a control character
 * that comes through, and memory that grows with what is printed.
 */
const runOne = useChild("test/gates/runner/children/run-one.ts");

/** What is kept of bytes that come in pieces, cut at these places. */
async function kept(bytes: Uint8Array, cuts: readonly number[] = []): Promise<KeptOutput> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const outputs = keepOutputs({ stdout, stderr }, 0, undefined);
  const places = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
  places.slice(1).forEach((end, index) => {
    stdout.write(bytes.slice(places[index], end));
  });
  stdout.end();
  await finished(stdout);
  return outputs.stdout.end();
}

const textOf = (text: string) => kept(Buffer.from(text));

/** Text as it is shown: all but newlines and tabs made visible. */
const shown = (text: string) => text.replace(/[^\n\t]+/g, visible);

test("the stored output does not depend on how the bytes are split, and short outputs are stored in full", async () => {
  const bytes = fc
    .array(
      fc.oneof(
        fc.uint8Array({ maxLength: 20 }),
        fc.string({ unit: "binary", maxLength: 20 }).map((text) => new Uint8Array(Buffer.from(text))),
        fc
          .constantFrom("\ufffd", "ß", "€", "👩‍🚀", "\u001b[31m", "\r\n", "\ufeff")
          .map((text) => new Uint8Array(Buffer.from(text))),
        fc
          .constantFrom([0xef], [0xef, 0xbf], [0xf0, 0x9f], [0xc3], [0xed, 0xa0, 0x80])
          .map((list) => new Uint8Array(list)),
      ),
      { maxLength: 30 },
    )
    .map((parts) => new Uint8Array(Buffer.concat(parts)));
  await fc.assert(
    fc.asyncProperty(bytes, fc.array(fc.nat({ max: 400 }), { maxLength: 20 }), async (all, places) => {
      const cuts = places.map((place) => Math.min(place, all.length));
      const output = await kept(all, cuts);
      expect(output).toEqual(await kept(all));
      const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(all);
      expect(output).toMatchObject({
        bytes: all.length,
        sha256: createHash("sha256").update(all).digest("hex"),
        omitted_characters: 0,
        head: shown(text).slice(0, output.head.length),
      });
      expect(outputText(output)).toBe(shown(text));
      const genuine = Buffer.from(all).toString("latin1").split("\u00ef\u00bf\u00bd").length - 1;
      expect(output.invalid_sequences).toBe(text.split("\ufffd").length - 1 - genuine);
    }),
    { numRuns: 500 },
  );
});

/** How many of the characters, one after the other, are shown in a text of this length. */
function shownIn(length: number, characters: readonly string[]): number {
  let room = length;
  return characters.findIndex((character) => {
    if (room === 0) return true;
    room -= shown(character).length;
    return false;
  });
}

test.each([
  ["letters", "abcdefghij".repeat(30_000)],
  ["characters of three bytes", "€".repeat(30_000)],
  ["characters of four bytes", "👾".repeat(100_000)],
  ["control characters", "\u001b".repeat(30_000)],
  ["characters of all kinds", "a€👾\u0007\u202e\n".repeat(30_000)],
  ["control characters, then pairs", `${"\u001b".repeat(1_000)}${"a".repeat(4_000)}${"👾".repeat(100_000)}b`],
])(
  "of a long output of %s, head and tail are stored without broken characters, with the size of the gap",
  async (_what, text) => {
    const { head, tail, omitted_characters } = await textOf(text);
    for (const part of [head, tail]) {
      expect(part.length).toBeLessThanOrEqual(5_000);
      // No character is shown longer than U+202E.
      expect(part.length).toBeGreaterThan(5_000 - 8);
    }
    expect(shown(text).startsWith(head)).toBe(true);
    expect(shown(text).endsWith(tail)).toBe(true);
    const characters = [...text];
    const keptCharacters = shownIn(head.length, characters) + shownIn(tail.length, [...characters].reverse());
    expect(omitted_characters).toBe(characters.length - keptCharacters);
  },
);

test.each([0, 1, 4_999, 5_000, 5_001, 9_999, 10_000, 10_001, 90_000])(
  "of %s characters, none that fits is lost, and none is repeated",
  async (length) => {
    const text = Array.from({ length }, (_, index) => String.fromCharCode(97 + (index % 26))).join("");
    const output = await textOf(text);
    expect(output.head).toBe(text.slice(0, 5_000));
    expect(output.tail).toBe(length > 5_000 ? text.slice(Math.max(5_000, length - 5_000)) : "");
    expect(output.omitted_characters).toBe(Math.max(0, length - 10_000));
  },
);

test("head, marker and tail are one text, with the marker on its own line and only if there is a gap", () => {
  expect(outputText({ head: "all", tail: "", omitted_characters: 0 })).toBe("all");
  expect(outputText({ head: "a", tail: "z", omitted_characters: 0 })).toBe("az");
  expect(outputText({ head: "a", tail: "z", omitted_characters: 3 })).toBe(
    "a\n[… 3 characters left out …]\nz",
  );
  expect(outputText({ head: "a\n", tail: "z", omitted_characters: 3 })).toBe(
    "a\n[… 3 characters left out …]\nz",
  );
});

test("invalid UTF-8 of a command is shown as U+FFFD and counted, its own U+FFFD are not, and the hash is of the bytes", async () => {
  const folder = freshFolder();
  const bytes = Buffer.from([0x61, 0xff, 0xfe, 0xc3, 0x0a, 0xef, 0xbf, 0xbd, 0xe2, 0x82]);
  writeFileSync(join(folder, "bytes"), bytes);
  const result = await run("cat bytes", { folder });
  expect(result.stdout).toMatchObject({
    head: "a\ufffd\ufffd\ufffd\n\ufffd\ufffd",
    invalid_sequences: 4,
    bytes: 10,
    sha256: createHash("sha256").update(bytes).digest("hex"),
  });
});

test("control and bidi characters are made visible, newlines and tabs stay", async () => {
  const result = await run("printf '\\033[31mred\\033[0m\\a\\tcell\\r\\n\\342\\200\\256back'");
  expect(stdoutOf(result)).toBe("\\u{1b}[31mred\\u{1b}[0m\\u{7}\tcell\\u{d}\n\\u{202e}back");
});

test("100 MB of output, or of control characters, take no more memory than a line", async () => {
  const answer = z.object({ result: commandResult, memory: z.number() });
  const measure = async (command: string) => {
    const [line = ""] = await runOne(freshFolder(), command).finish();
    return answer.parse(JSON.parse(line));
  };
  const little = await measure("echo hello");
  const much = await measure(
    "yes 0123456789 | head -c 100000000; head -c 100000000 /dev/zero >&2; echo the end",
  );
  expect(much.result).toMatchObject({
    exit_code: 0,
    stdout: { bytes: 100_000_008, tail: expect.stringMatching(/the end\n$/) },
    stderr: { bytes: 100_000_000, omitted_characters: 100_000_000 - 2 * 1_000, invalid_sequences: 0 },
  });
  expect(much.result.stdout.head).toHaveLength(5_000);
  expect(much.memory - little.memory).toBeLessThan(60_000_000);
});
