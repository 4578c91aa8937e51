import { concat, defer, lastValueFrom, type Observable, of, throwError, toArray } from "rxjs";
import { expect, onTestFinished, test, vi } from "vitest";
import { LogError } from "../../src/lib/log-error.ts";
import { keepTrying } from "../../src/read-model/keep-trying.ts";
import { ReadModelError } from "../../src/read-model/read-model-error.ts";

/** What comes of something that gives 1 and fails, and gives 2 when it is begun again; and what was reported. */
async function afterFailing(error: Error) {
  const reported: unknown[] = [];
  let begun = 0;
  const source: Observable<number> = defer(() =>
    begun++ === 0
      ? concat(
          of(1),
          throwError(() => error),
        )
      : of(2),
  );
  const came = await lastValueFrom(
    source.pipe(
      keepTrying((one) => reported.push(one)),
      toArray(),
    ),
  );
  return { came, reported };
}

test("a temporary error is reported and retried", async () => {
  const error = new ReadModelError("unusable", "The disk is full.");
  expect(await afterFailing(error)).toEqual({ came: [1, 2], reported: [error] });
});

test("tables of a newer program are reported, and not tried again", async () => {
  const error = new ReadModelError("newer_version", "A newer signalbox works on this project.");
  expect(await afterFailing(error)).toEqual({ came: [1], reported: [error] });
});

test("that the log was closed is the end, and no fault", async () => {
  const error = new LogError("closed", "This log was closed.");
  expect(await afterFailing(error)).toEqual({ came: [1], reported: [] });
});

test("a lasting error is reported once, and again after a recovery", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const reported: string[] = [];
  const came: number[] = [];
  const full = new ReadModelError("no_room", "The disk is full.");
  const behaviours = [full, full, full, 1, full, full, 2];
  const source = defer(() => {
    const [next] = behaviours.splice(0, 1);
    if (next instanceof Error) return throwError(() => next);
    return next === 1
      ? concat(
          of(next),
          throwError(() => full),
        )
      : of(next);
  });
  source
    .pipe(keepTrying((error) => reported.push(String(error))))
    .subscribe((value) => came.push(Number(value)));
  await vi.runAllTimersAsync();
  expect(came).toEqual([1, 2]);
  expect(reported).toEqual([String(full), String(full)]);
});
