import { join } from "node:path";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { printedBy, withoutTimes } from "../support/console-steps.ts";
import { overnightSteps } from "../support/overnight.ts";
import { freshFolder } from "../support/project.ts";

/* Catches: a newcomer who types what the page of the example says, and sees another night. */
test("the commands of examples/overnight print what its page shows, from the evening to the proof", () => {
  const given = [
    `cd ${packagePath(".")}`,
    "git config --global user.name me && git config --global user.email me@example.org",
  ];
  const steps: ReturnType<typeof overnightSteps> = [
    ...given.map((command) => ({ command })),
    ...overnightSteps(),
  ];
  const night = join(freshFolder(), "night");
  const printed = printedBy(steps, { "/tmp/night": night });
  expect(printed).toHaveLength(steps.length);
  const shown = steps.flatMap(({ output }, place) =>
    output === undefined ? [] : [{ output, printed: printed[place] ?? "" }],
  );
  expect(shown.length).toBeGreaterThan(10);
  for (const one of shown) expect(alike(one.printed)).toMatch(shownIn(one.output));
});

/** A text of which lines may be left out at each ⋮. */
function shownIn(output: string): RegExp {
  const parts = alike(output)
    .split("⋮\n")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("(?:.*\\n)*?")}$`);
}

/** Without what differs in each run. */
function alike(text: string): string {
  return withoutTimes(text)
    .replace(/^\d\d:\d\d:\d\d /gm, "(time) ")
    .replace(/\bs-[0-9a-f][0-9a-f-]{10,}…?/g, "s-…")
    .replace(/\b[0-9a-f]{12}\b/g, "…")
    .replace(/(after) [\d.]+ m?s$/gm, "$1 …");
}
