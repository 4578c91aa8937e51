import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { interval, merge, Observable, share, switchMap, take, timer } from "rxjs";

/**
 * Emits when another process may have appended to a SQLite file in WAL mode.
 *
 * The file system reports a write to the `-wal` before the commit is readable, so each notice is
 * followed by a few more checks, a millisecond apart. Notices can get lost: a check every quarter of
 * a second covers that.
 */
export function watchForCommits(path: string): Observable<unknown> {
  const looksAfterNotice = noticesOf(`${path}-wal`).pipe(switchMap(() => timer(0, 1).pipe(take(8))));
  return merge(looksAfterNotice, interval(FALLBACK_MS)).pipe(share());
}

const FALLBACK_MS = 250;

/**
 * Emits when a file changes, appears, disappears or is replaced. Notices can get lost, and a folder
 * that cannot be watched gives none.
 *
 * @param persistent false: watching does not keep the process alive
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
      // Without a watcher (a system limit, a deleted folder) subscribers fall back to regular checks.
    }
    return () => watcher?.close();
  });
}
