import {
  catchError,
  defer,
  EMPTY,
  type MonoTypeOperatorFunction,
  type Observable,
  retry,
  tap,
  throwError,
  timer,
} from "rxjs";
import { LogError } from "../lib/log-error.ts";
import { ReadModelError } from "./read-model-error.ts";

/**
 * Reports an Observable's error, such as a full disk or a lock, and resubscribes a second later. A
 * repeated error is reported once, until a value comes again. Permanent errors end it: a newer
 * program's tables, or a closed log, which is no fault and not reported.
 */
export function keepTrying<Value>(report: (error: unknown) => void): MonoTypeOperatorFunction<Value> {
  return (source) =>
    defer(() => {
      let reported = "";
      return source.pipe(
        tap({
          next: () => {
            reported = "";
          },
          error: (error) => {
            if (!isClosed(error) && reported !== String(error)) report(error);
            reported = String(error);
          },
        }),
        retry({ delay: whenToTryAgain }),
        catchError(() => EMPTY),
      );
    });
}

function whenToTryAgain(error: unknown): Observable<unknown> {
  const isFinal = isClosed(error) || (error instanceof ReadModelError && error.code === "newer_version");
  return isFinal ? throwError(() => error) : timer(1_000);
}

function isClosed(error: unknown): boolean {
  return error instanceof LogError && error.code === "closed";
}
