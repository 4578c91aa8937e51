import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { packedFiles } from "./packed-files.ts";

const gif = readFileSync(packagePath("docs/page.gif"));

/** The seconds that a GIF lasts: each picture has a graphic control extension with its delay in hundredths. */
function secondsOf(bytes: Buffer): number {
  let hundredths = 0;
  const control = Buffer.from([0x21, 0xf9, 4]);
  for (let at = bytes.indexOf(control); at >= 0; at = bytes.indexOf(control, at + 8))
    if (bytes[at + 7] === 0) hundredths += bytes.readUInt16LE(at + 4);
  return hundredths / 100;
}

test("the README shows a recorded minute of the page, small enough to load, which the package does without", () => {
  expect(gif.toString("latin1", 0, 6)).toBe("GIF89a");
  expect(secondsOf(gif)).toBeGreaterThanOrEqual(50);
  expect(secondsOf(gif)).toBeLessThan(90);
  expect(gif.length).toBeLessThan(1_500_000);
  expect(readFileSync(packagePath("README.md"), "utf8")).toMatch(
    /!\[[^\]]{40,}\]\(https:\S+\/docs\/page\.gif\)/,
  );
  const paths = packedFiles();
  expect(paths).toContain("docs/panel.md");
  expect(paths).not.toContain("docs/page.gif");
});
