import { expect, test } from "vitest";
import { oneLine } from "../../adapters/page/page/parts/readable.ts";

test("a multi-line text is shown on one line, with invisible characters made visible", () => {
  expect(oneLine("Use UTC.\r\n\n  Not local\ttime.\n")).toBe("Use UTC. Not local time.");
  expect(oneLine("**Why** it is so: 2**3 and 4**5")).toBe("Why it is so: 2**3 and 4**5");
  expect(oneLine("safe\u202eelif\u0007")).toBe("safe\\u{202e}elif\\u{7}");
});
