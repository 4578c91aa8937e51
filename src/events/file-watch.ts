import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { interval, merge, Observable, share, switchMap, take, timer } from "rxjs";

/**
 * Emits when another process may have appended to a SQLite file in WAL mode.
 *
 * The file system tells of a write to the `-wal` before the commit can be read, so each notice is followed by a few
 * more looks, a millisecond apart. Where notices get lost, a look every quarter of a second remains.
 */
export function watchForCommits(path: string): Observable<unknown> {
  const looksAfterNotice = noticesOf(`${path}-wal`).pipe(switchMap(() => timer(0, 1).pipe(take(8))));
  return merge(looksAfterNotice, interval(FALLBACK_MS)).pipe(share());
}

const FALLBACK_MS = 250;

/**
 * Emits when the system tells of a change to a file, also of one that comes, goes or takes its place. Notices may get lost,
 * and where the folder cannot be watched there are none.
 *
 * @param persistent false: the process may end although it watches
 */
export function noticesOf(path: string, { persistent = true } = {}): Observable<void> {
  return new Observable((subscriber) => {
    let watcher: FSWatcher | undefined;
    try {
      watcher = watch(dirname(path), { persistent }, (_change, file) => {
        if (file === basename(path)) subscriber.next();
      });
      watcher.on("error", () => watcher?.close());
    } catch {
      // Without a watcher (a limit of the system, a folder that went away) whoever listens looks now and then.
    }
    return () => watcher?.close();
  });
}
