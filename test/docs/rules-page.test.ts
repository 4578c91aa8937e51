import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";

/** The rules are kept beside the project, for everybody who builds on them; a copy of the project alone has only its page. */
const SHARED = packagePath("../shared/rules.md");
/** Sections that the page gains, each with what it stands before. */
const NEXT = packagePath("../shared/rules-next.md");
const GAINED = [
  { section: "Who acted", before: "Stagnation" },
  { section: "Evidence", before: "Stagnation" },
  { section: "Policies", before: "Stagnation" },
  { section: "No progress", before: "Timeline text of a signal" },
];

test("docs/rules.md is the shared page of rules with the sections that it has gained, to the letter", () => {
  const page = readFileSync(packagePath("docs/rules.md"), "utf8");
  expect(page).toMatch(/^# Rules: what the log means\n/);
  if (existsSync(SHARED)) expect(page).toBe(withGained(readFileSync(SHARED, "utf8")));
  else console.info(`docs/rules.md was compared with nothing: ${SHARED} is not there.`);
});

function withGained(rules: string): string {
  const next = `${readFileSync(NEXT, "utf8").trimEnd()}\n\n`;
  return GAINED.reduce((page, { section, before }) => {
    const [text] = next.match(new RegExp(`^## ${section}\\n[^]*?(?=^## |$(?![^]))`, "m")) ?? [];
    expect(text).toBeDefined();
    return page.replace(`\n## ${before}\n`, `\n${text}## ${before}\n`);
  }, rules);
}
