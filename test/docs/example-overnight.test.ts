import { join } from "node:path";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { printedBy, withoutTimes } from "../support/console-steps.ts";
import { overnightSteps } from "../support/overnight.ts";
import { freshFolder } from "../support/project.ts";

/* Catches: a newcomer who types what the page of the example says, and sees another night. */
test("the commands of examples/overnight print what its page shows, from the evening to the proof", {
  // A night of ten sessions and every command of the page, each in a shell.
  timeout: 900_000,
}, () => {
  const home = freshFolder();
  const night = join(home, "night");
  const steps = overnightSteps();
  const print = (before: readonly string[], commands: readonly string[]) => {
    const all = [...before, ...commands, "signalbox log list --json"].map((command) => ({ command }));
    const printed = printedBy(all, { "/tmp/night": night, ...SELDOM }, home);
    return { printed: printed.slice(before.length, -1), places: shownPlaces(printed.at(-1) ?? "") };
  };
  const commands = steps.map(({ command }) => command);
  const morning = commands.findIndex((command) => command.startsWith("signalbox run")) + 1;

  const first = print(
    [
      `cd ${packagePath(".")}`,
      "git config --global user.name me && git config --global user.email me@example.org",
    ],
    commands.slice(0, morning),
  );
  const typed = commands
    .slice(morning)
    .map((command) =>
      command.replace(/(?<=answer |--output |--at )\d+/g, (shown) =>
        String(first.places.indexOf(Number(shown))),
      ),
    );
  const second = print([`cd ${join(night, "library")}`], typed);

  const printed = [...first.printed, ...second.printed];
  expect(printed).toHaveLength(steps.length);
  const shown = steps.flatMap(({ output }, place) =>
    output === undefined ? [] : [{ output, printed: printed[place] ?? "" }],
  );
  expect(shown.length).toBeGreaterThan(10);
  for (const one of shown)
    expect(alike(withPlaces(second.places, one.printed))).toMatch(shownIn(alike(one.output)));
});

/**
 * For each position of a log, given as JSON lines, the one on the page. Of a session that takes more than 15 s, as on a
 * busy machine, the log has facts of its progress between those that the page has.
 */
function shownPlaces(log: string): readonly number[] {
  const types = [...log.matchAll(/^\{.*"type":"([^"]*)"/gm)].map(([, type = ""]) => type);
  let shown = 0;
  return [0, ...types.map((type) => (type === "agent.progressed" ? shown : ++shown))];
}

/** What is changed is told once, at a session's end, however long it takes. */
const SELDOM = { '"auto" } }': '"auto" }, "limits": { "workspace_s": 3600 } }' };

/** A text with the positions that the page has. */
function withPlaces(places: readonly number[], text: string): string {
  return text.replace(
    /(?<=#|position |acceptance |question |❓ |✋ |answer |^ {6,})\d+|\d+(?= events)/gm,
    (position) => String(places[Number(position)] ?? position),
  );
}

/** A text of which lines may be left out at each ⋮. */
function shownIn(output: string): RegExp {
  const parts = output.split("⋮\n").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("(?:.*\\n)*?")}$`);
}

/** Without what differs in each run. */
function alike(text: string): string {
  return withoutTimes(text)
    .replace(/^\d\d:\d\d:\d\d /gm, "(time) ")
    .replace(/\bs-[0-9a-f][0-9a-f-]{10,}…?/g, "s-…")
    .replace(/\b(?:[0-9a-f]{12}|[0-9a-f]{40})\b/g, "…")
    .replace(/(after) [\d.]+ m?s$/gm, "$1 …");
}
