import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";

/** The rules are kept beside the project, for everybody who builds on them; a copy of the project alone has only its page. */
const SHARED = packagePath("../shared/rules.md");

test("docs/rules.md is the shared page of rules, to the letter", () => {
  const page = readFileSync(packagePath("docs/rules.md"), "utf8");
  expect(page).toMatch(/^# Rules: what the log means\n/);
  if (existsSync(SHARED)) expect(page).toBe(readFileSync(SHARED, "utf8"));
  else console.info(`docs/rules.md was compared with nothing: ${SHARED} is not there.`);
});
