import { expect, test } from "vitest";
import { linksOf } from "./links.ts";
import { packedFiles } from "./packed-files.ts";

test("no page of the npm package has a relative link to a file that the package lacks", () => {
  const packed = packedFiles();
  const pages = packed.filter((path) => path.endsWith(".md"));
  expect(pages).toEqual(expect.arrayContaining(["README.md", "docs/panel.md", "examples/fleet/README.md"]));
  const isPacked = (target: string) =>
    packed.some((path) => path === target || path.startsWith(`${target}/`));
  const lost = pages.flatMap((page) =>
    linksOf(page).flatMap(({ link, target, isRelative }) =>
      isRelative && !isPacked(target) ? [`${page}: ${link}`] : [],
    ),
  );
  expect(lost, "link to the repository instead").toEqual([]);
});
