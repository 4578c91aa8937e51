import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openChannel } from "../../../adapters/notices/index.ts";
import { darwin } from "../../../src/lib/platform/darwin.ts";
import { usePlatform } from "../../../src/lib/platform/here.ts";
import { linux } from "../../../src/lib/platform/linux.ts";
import { windows } from "../../../src/lib/platform/windows.ts";
import { freshFolder } from "../../support/project.ts";
import { message, never } from "./given.ts";

/** Puts a program on a PATH of its own that keeps its arguments. @returns what opens the channel there, and the arguments */
function givenProgram(name: string, script = 'for word; do printf "%s\\0" "$word"; done >"$0.args"') {
  const folder = freshFolder();
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return {
    open: () => openChannel("desk", { kind: "desktop" }, { PATH: folder }),
    args: () => readFileSync(`${path}.args`, "utf8").split("\0").slice(0, -1),
  };
}

function on(system: Parameters<typeof usePlatform>[0]) {
  usePlatform(system);
  onTestFinished(() => usePlatform(undefined));
}

const hostile = '"; do shell script "id" & <b>bold</b>\\nOpen it: x\n--icon=/etc/passwd $(id) `id`';

test("notify-send gets the texts as arguments after --, markup and its own escapes escaped", async () => {
  on(linux());
  const { open, args } = givenProgram("notify-send");
  await (await open()).send(message({ text: hostile, options: [], link: null }), never());
  expect(args()).toEqual([
    "--app-name=signalbox",
    "--",
    "[shop] A question blocks a task (task 12)",
    `A question blocks a task (task 12)
&gt; Add a basket
Text:
&gt; "; do shell script "id" &amp; &lt;b&gt;bold&lt;/b&gt;\\\\nOpen it: x
&gt; --icon=/etc/passwd $(id) \`id\`
Recorded at 2026-11-26T03:00:00.000Z.`,
  ]);
});

test("osascript gets a fixed script, and the texts as arguments", async () => {
  on(darwin());
  const { open, args } = givenProgram("osascript");
  await (await open()).send(message({ text: hostile, project: "--x" }), never());
  const [title, body] = args().slice(6);
  expect(args().slice(0, 6)).toEqual([
    ...["-e", "on run argv", "-e"],
    "display notification (item 2 of argv) with title (item 1 of argv)",
    ...["-e", "end run"],
  ]);
  expect(title).toBe("[--x] A question blocks a task (task 12)");
  expect(body).toContain('> "; do shell script "id" & <b>bold</b>\\nOpen it: x\n> --icon=/etc/passwd');
});

test("Windows is refused with what to do", async () => {
  on(windows());
  await expect(openChannel("desk", { kind: "desktop" }, {})).rejects.toThrow("which Windows does not have");
});

test("a program that fails or is missing is named, and tried again later", async () => {
  on(linux());
  const { open } = givenProgram("notify-send", "echo No D-Bus >&2; exit 3");
  await expect((await open()).send(message(), never())).rejects.toMatchObject({
    message: "notify-send failed with exit code 3: No D-Bus.",
    isFinal: false,
  });
  const nowhere = await openChannel("desk", { kind: "desktop" }, { PATH: freshFolder() });
  await expect(nowhere.send(message(), never())).rejects.toThrow("notify-send is not installed. Install it");
});
