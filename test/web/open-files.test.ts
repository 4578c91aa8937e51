import { expect, test } from "vitest";
import { filesToAsk, MOST_OPEN, withFile } from "../../adapters/page/page/views/sessions/files/open-files.ts";

test("of too many open files those that were opened first are closed", () => {
  const names = Array.from({ length: MOST_OPEN }, (_, nth) => `file ${nth}`);
  expect(withFile(names, "another", true)).toEqual([...names.slice(1), "another"]);
  expect(withFile(names, "file 0", true)).toEqual([...names.slice(1), "file 0"]);
  expect(withFile(names, "file 3", false)).toEqual(names.filter((name) => name !== "file 3"));
});

test("the names in a request stay below the limits of the server, in signs of any writing", () => {
  for (const sign of ["a", '"', "é", "信", "\u0001"]) {
    const names = Array.from({ length: MOST_OPEN }, (_, nth) => `${nth}${sign.repeat(300)}`);
    const asked = filesToAsk(names);
    expect(asked).toEqual(names.slice(MOST_OPEN - asked.length));
    expect(asked.length).toBeGreaterThan(0);
    expect(new URLSearchParams({ open: JSON.stringify(asked) }).toString().length).toBeLessThan(8_000);
  }
  expect(filesToAsk(["a".repeat(9_000)])).toEqual([]);
});
