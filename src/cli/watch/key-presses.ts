import type { Readable } from "node:stream";
import { concat, concatMap, defer, EMPTY, fromEvent, map, type Observable, of, switchMap, timer } from "rxjs";
import { type Key, KeyReader } from "./keys.ts";

/** A terminal sends an escape sequence at once; an escape that nothing follows for so long is the key. */
const ESCAPE_MS = 50;

/** The keys that are pressed on a terminal in raw mode, as they come. */
export function keyPresses(input: Readable): Observable<Key> {
  return defer(() => {
    const reader = new KeyReader();
    const pieces = fromEvent(input, "data", (bytes: Buffer) => bytes);
    const late = () => (reader.waiting ? timer(ESCAPE_MS).pipe(map(() => reader.flush())) : EMPTY);
    return pieces
      .pipe(switchMap((bytes) => concat(of(reader.read(bytes)), defer(late))))
      .pipe(concatMap((keys) => keys));
  });
}
