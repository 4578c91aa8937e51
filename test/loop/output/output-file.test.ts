import { appendFileSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findInOutput } from "../../../src/loop/output/find-in-output.ts";
import { type OutputOf, readEntry, readOutput } from "../../../src/loop/output/output-file.ts";
import { runFolderOf } from "../../../src/loop/run-folder.ts";
import { freshFolder } from "../../support/project.ts";

const SECRET = "hunter2-of-the-vault";

function givenOutput(text: string | Buffer, session = "s-1"): { of: OutputOf; path: string; folder: string } {
  const readModelPath = join(freshFolder(), ".ralph", "db", "ralph.db");
  const { path: folder, outputFile: path } = runFolderOf(readModelPath, session);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, text);
  return { of: { readModelPath, session, isOver: false, secrets: [SECRET] }, path, folder };
}

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, nth) => `line ${from + nth}\n`).join("");

const texts = (page: { entries: readonly { text: string }[] } | undefined) =>
  page?.entries.map(({ text }) => text);

async function allForward(of: OutputOf): Promise<string[]> {
  const found: string[] = [];
  for (let from = 0; ; ) {
    const page = await readOutput(of, { from, limit: 200 });
    found.push(...(texts(page) ?? []));
    from = page?.end ?? 0;
    if (page?.isEnd ?? true) return found;
  }
}

test("the newest lines come first, older pages join before them, and new ones after", async () => {
  const { of, path } = givenOutput(numbered(1, 1_000));
  const last = await readOutput(of, { limit: 3 });
  expect(texts(last)).toEqual(["line 998", "line 999", "line 1000"]);
  expect(last).toMatchObject({ isEnd: true });
  const older = await readOutput(of, { before: last?.start, limit: 2 });
  expect(texts(older)).toEqual(["line 996", "line 997"]);
  expect(older).toMatchObject({ end: last?.start, isEnd: false });
  expect(await readOutput(of, { from: last?.end, limit: 10 })).toMatchObject({ entries: [], end: last?.end });
  appendFileSync(path, "line 1001\nhalf a li");
  const next = await readOutput(of, { from: last?.end, limit: 10 });
  expect(texts(next)).toEqual(["line 1001"]);
  appendFileSync(path, "ne\n");
  expect(texts(await readOutput(of, { from: next?.end, limit: 10 }))).toEqual(["half a line"]);
});

test("all pages forward, and all pages backward, give every line once", async () => {
  const long = `{"signalbox":"said","text":"${"é".repeat(300_000)}"}\n`;
  const { of } = givenOutput(`${numbered(1, 40)}${long}${numbered(41, 5_000)}`);
  const forward = await allForward(of);
  const backward: string[] = [];
  let before: number | undefined;
  do {
    const page = await readOutput(of, { before, limit: 200 });
    backward.unshift(...(texts(page) ?? []));
    before = page?.start ?? 0;
  } while (before > 0);
  expect(forward).toHaveLength(5_001);
  expect(backward).toEqual(forward);
  expect(forward[40]).toMatch(/^é{3999}…$/);
  expect(forward.at(-1)).toBe("line 5000");
});

test("a last line without an end is shown once its agent has ended", async () => {
  const { of } = givenOutput("one\ntwo");
  expect(texts(await readOutput(of, { limit: 10 }))).toEqual(["one"]);
  expect(texts(await readOutput({ ...of, isOver: true }, { limit: 10 }))).toEqual(["one", "two"]);
  expect(texts(await readOutput({ ...of, isOver: true }, { from: 4, limit: 10 }))).toEqual(["two"]);
});

test("an offset beyond the end of a file that was replaced gives its end, one inside a line the next line", async () => {
  const { of, path } = givenOutput(numbered(1, 100));
  const { end = 0 } = (await readOutput(of, { limit: 1 })) ?? {};
  truncateSync(path, 14);
  expect(texts(await readOutput(of, { from: end, limit: 10 }))).toEqual(["line 1", "line 2"]);
  expect(texts(await readOutput(of, { from: 3, limit: 10 }))).toEqual(["line 2"]);
  expect(texts(await readOutput(of, { before: 1e12, limit: 1 }))).toEqual(["line 2"]);
});

test("binary data and lines of megabytes are read in bounds", async () => {
  const { of } = givenOutput(
    Buffer.concat([
      Buffer.from([0, 255, 254, 10, 13, 10]),
      Buffer.alloc(990, "x"),
      Buffer.from(SECRET),
      Buffer.alloc(9 << 20, "x"),
      Buffer.from("\nend\n"),
    ]),
  );
  const found = await allForward(of);
  expect(found[0]).toBe("\0\ufffd\ufffd");
  expect(found.at(-2)).toMatch(/^x{980,990}…\n\(This line is 9\.4 MB long; only its beginning is shown\.\)$/);
  expect(found.at(-1)).toBe("end");
  expect(Math.max(...found.map(({ length }) => length))).toBeLessThan(5_000);
});

test("a line of many parts, and a long result, are cut; one entry can be read as a whole", async () => {
  const content = Array.from({ length: 80 }, (_, nth) => ({ type: "text", text: `part ${nth}` }));
  const result = {
    type: "user",
    message: { content: [{ type: "tool_result", content: "y".repeat(5_000) }] },
  };
  const lines = [{ type: "assistant", message: { content } }, result];
  const { of } = givenOutput(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const page = await readOutput(of, { limit: 10 });
  expect(page?.entries).toHaveLength(52);
  expect(texts(page)?.[50]).toBe("30 more parts of this line are not shown");
  const last = page?.entries.at(-1);
  expect(last).toMatchObject({ cut: 4_000, nth: 0 });
  expect((await readEntry(of, last?.at ?? 0, 0))?.text).toBe("y".repeat(5_000));
  expect(await readEntry(of, (last?.at ?? 0) + 1, 0)).toBeUndefined();
});

test("secrets are masked in pages, whole entries and results, and cannot be searched for", async () => {
  const { of } = givenOutput(`{"signalbox":"said","text":"the word is ${SECRET}, not token"}\n`);
  const expected = "the word is [masked], not token";
  expect(texts(await readOutput(of, { limit: 1 }))).toEqual([expected]);
  expect((await readEntry(of, 0, 0))?.text).toBe(expected);
  expect(texts(await findInOutput(of, "word", undefined))).toEqual([expected]);
  expect(await findInOutput(of, "hunter2", undefined)).toEqual({ entries: [], next: null });
});

test("the name of a tool is masked and cut, and no cut text ends in a part of a secret", async () => {
  const call = (name: string) => ({ type: "tool_use", name, input: { a: 1 } });
  const content = [call(`${SECRET}!`), call("n".repeat(300_000)), call("-".repeat(190) + SECRET)];
  const said = { signalbox: "said", text: `${`${SECRET} `.repeat(100)}${"z".repeat(195_000)} ${SECRET}` };
  const long = { signalbox: "said", text: `${"z".repeat(203_990)}${SECRET}` };
  const tools: (number | undefined)[] = [];
  for (const line of [{ type: "assistant", message: { id: "m", content } }, said, long]) {
    const { of } = givenOutput(`${JSON.stringify(line)}\n`);
    const page = await readOutput(of, { limit: 10 });
    tools.push(...(page?.entries.map(({ tool }) => tool?.length) ?? []));
    const whole = await Promise.all(page?.entries.map(({ at, nth }) => readEntry(of, at, nth)) ?? []);
    expect(whole).not.toContain(undefined);
    expect(JSON.stringify([page, whole])).not.toContain("hunter");
  }
  expect(tools).toEqual([9, 200, 198, undefined, undefined]);
});

test("a search finds all words in what people read, newest first, and goes on where it stopped", async () => {
  const { of } = givenOutput(
    `${JSON.stringify({ signalbox: "said", text: `${"a".repeat(9_000)} Größe der Tür` })}\n${numbered(1, 250)}`,
  );
  const first = await findInOutput(of, "line", undefined);
  expect(first?.entries).toHaveLength(100);
  expect(first?.entries[0]?.text).toBe("line 250");
  const second = await findInOutput(of, "line", first?.next ?? 0);
  expect(second?.entries[0]?.text).toBe("line 150");
  const umlaut = await findInOutput(of, "größe tür", undefined);
  expect(umlaut?.entries[0]?.text).toMatch(/^…a{199} Größe der Tür$/);
  for (const nowhere of ["größe nowhere", "…!", " "])
    expect(await findInOutput(of, nowhere, undefined)).toEqual({ entries: [], next: null });
});

test("a search of a large file stops and says where to go on", async () => {
  const { of } = givenOutput(`needle\n${`${"x".repeat(1_000)}\n`.repeat(12_000)}`);
  const first = await findInOutput(of, "needle", undefined);
  expect(first).toMatchObject({ entries: [] });
  expect(first?.next).toBeGreaterThan(0);
  expect(texts(await findInOutput(of, "needle", first?.next ?? 0))).toEqual(["needle"]);
});

test("neither a link in place of the output nor a name with dots leads out of the folder", async () => {
  const { of, path, folder } = givenOutput("one\n");
  const outside = join(folder, "..", "..", "secret");
  writeFileSync(outside, "outside\n");
  rmSync(path);
  symlinkSync(outside, path);
  expect(await readOutput(of, { limit: 1 })).toBeUndefined();
  expect(await readOutput({ ...of, session: "../../secret/.." }, { limit: 1 })).toBeUndefined();
  rmSync(folder, { recursive: true });
  const elsewhere = freshFolder();
  writeFileSync(join(elsewhere, "output.jsonl"), "outside\n");
  symlinkSync(elsewhere, folder);
  onTestFinished(() => rmSync(folder));
  expect(await readOutput(of, { limit: 1 })).toBeUndefined();
});
