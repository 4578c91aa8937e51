import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";

/* What .ci/image cannot see, as it gives the Dockerfile other images and no engine runs docs/docker.md's commands. */

const textOf = (path: string) => readFileSync(packagePath(path), "utf8");
const dockerfile = textOf("Dockerfile");
const page = textOf("docs/docker.md");

test("the page's table has the build arguments of the Dockerfile, with their defaults", () => {
  const declared = [...dockerfile.matchAll(/^ARG (\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value]);
  const told = [...page.matchAll(/^\| `([A-Z]+)` \| `([^`]+)` \|/gm)].map(([, name, value]) => [name, value]);
  expect(told).toEqual(declared);
});

test("the page's first commands are those that CI runs in the image", () => {
  const [first = ""] = page.split("\n## ");
  const commands = [
    ...first.matchAll(
      /^docker run --rm --volume shop:\/project --volume shop-home:\/home\/node (signalbox .*)$/gm,
    ),
  ];
  expect(commands.length).toBe(4);
  const run = textOf(".ci/image").split("\n");
  expect(commands.map(([, command = ""]) => command).filter((command) => !run.includes(command))).toEqual([]);
});

test("the image runs as node, keeps the project in a volume, and is as healthy as the page says", () => {
  const [, final = ""] = dockerfile.split("\nFROM $BASE\n");
  expect([...final.matchAll(/^USER (.*)$/gm)].map(([, user]) => user)).toEqual(["node"]);
  expect(final).toContain("\nVOLUME /project\n");
  const [, interval = ""] =
    /^HEALTHCHECK --interval=(\d+)s .*CMD \["signalbox", "health"\]$/m.exec(final) ?? [];
  expect(page).toContain(`\`signalbox health\`, every ${interval} s.`);
});

test("nothing that was installed, built or recorded here goes into the build", () => {
  const ignored = textOf(".dockerignore").split("\n");
  for (const path of ["**/node_modules", "**/dist", "**/.ralph", ".git"]) expect(ignored).toContain(path);
});
