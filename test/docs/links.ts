import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packagePath } from "../../src/lib/package-root.ts";

/** The links of a page to files of this repository: relative ones, and those to the repository on GitHub. */
export function linksOf(page: string) {
  return [...proseOf(page).matchAll(/\]\(([^)#\s]*)#?([^)\s]*)\)/g)].flatMap(
    ([link, to = "", heading = ""]) => {
      const [, inRepository] = IN_REPOSITORY.exec(to) ?? [];
      const isRelative = !/^[a-z]+:/.test(to);
      if (!isRelative && inRepository === undefined) return [];
      const target = inRepository ?? (to === "" ? page : join(page, "..", to).replace(/\/$/, ""));
      return [{ link, target, heading, isRelative }];
    },
  );
}

const IN_REPOSITORY = /^https:\/\/github\.com\/signalbox\/signalbox\/(?:blob|tree|raw)\/main\/(.+)$/;

/** A page without its blocks of code. */
export function proseOf(page: string): string {
  return readFileSync(packagePath(page), "utf8").replace(/^(`{3,})[\s\S]*?^\1$/gm, "");
}
