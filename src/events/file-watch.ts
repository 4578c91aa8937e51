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
  const looksAfterNotice = notices(path).pipe(switchMap(() => timer(0, 1).pipe(take(8))));
  return merge(looksAfterNotice, interval(FALLBACK_MS)).pipe(share());
}

const FALLBACK_MS = 250;

function notices(path: string): Observable<void> {
  const wal = `${basename(path)}-wal`;
  return new Observable((subscriber) => {
    let watcher: FSWatcher | undefined;
    try {
      watcher = watch(dirname(path), (_change, file) => {
        if (file === wal) subscriber.next();
      });
      watcher.on("error", () => watcher?.close());
    } catch {
      // Without a watcher (a limit of the system, a folder that went away) the fallback still looks.
    }
    return () => watcher?.close();
  });
}
