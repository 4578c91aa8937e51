import { Observable } from "rxjs";

/** Gives the reason once a signal is aborted; nothing for none. */
export function abortOf(signal: AbortSignal | undefined): Observable<string> {
  return new Observable((subscriber) => {
    const abort = () => subscriber.next(String(signal?.reason));
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort);
    return () => signal?.removeEventListener("abort", abort);
  });
}
