import { expect, test } from "vitest";
import { fromIsoTime, isIsoTime } from "../../src/lib/time.ts";

test("text around an instant makes it none", () => {
  const time = "2026-02-11T10:23:15.000042Z";
  expect(fromIsoTime(time)).toBe(Date.UTC(2026, 1, 11, 10, 23, 15) * 1_000 + 42);
  for (const text of [`${time} `, ` ${time}`, time.slice(0, -1)]) expect(fromIsoTime(text)).toBeNaN();
});

test("a text is a time only on an existing day, exact to the microsecond in every year", () => {
  for (const time of ["2026-02-11T10:23:15.000042Z", "3000-01-01T00:00:00.000001Z"])
    expect(isIsoTime(time)).toBe(true);
  for (const text of ["2026-02-30T10:23:15.000042Z", "2026-02-11T10:23:15.042Z", ""])
    expect(isIsoTime(text)).toBe(false);
});
