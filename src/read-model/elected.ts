import { SignOfLife } from "../lib/sign-of-life.ts";

/**
 * Holds an office that one process at a time has, of those that share a file system. If its holder ends or hangs, another one takes
 * over; a killed one leaves only the file, which is harmless.
 *
 * @param path the holder's heartbeat, replaced by the next one
 * @param begin starts the work, whenever this process becomes the holder
 * @param options.first_ms when it first tries to become it
 * @returns a call ends the work, and the office
 */
export function holdOffice(
  path: string,
  begin: () => { stop(): void },
  { first_ms = WATCH_MS }: { readonly first_ms?: number } = {},
): { stop(): void } {
  const sign = new SignOfLife(path);
  let work: { stop(): void } | undefined;
  let timer = setTimeout(look, first_ms);

  function look(): void {
    if (work ? sign.beat() : sign.isOthersSilent() && sign.beginOwn()) work ??= begin();
    else {
      work?.stop();
      work = undefined;
    }
    timer = setTimeout(look, work ? BEAT_MS : WATCH_MS);
  }

  return {
    stop() {
      clearTimeout(timer);
      work?.stop();
      sign.endOwn();
    },
  };
}

/** The holder's heartbeat is faster than the others' checks, so each check sees a new one. */
const BEAT_MS = 300;
const WATCH_MS = 500;
