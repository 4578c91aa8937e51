import { expect, test } from "vitest";
import { fromIsoTime } from "../../src/events/time.ts";

test("text around an instant makes it none", () => {
  const time = "2026-02-11T10:23:15.000042Z";
  expect(fromIsoTime(time)).toBe(Date.UTC(2026, 1, 11, 10, 23, 15) * 1_000 + 42);
  for (const text of [`${time} `, ` ${time}`, time.slice(0, -1)]) expect(fromIsoTime(text)).toBeNaN();
});
