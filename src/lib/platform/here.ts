import { darwin } from "./darwin.ts";
import { linux } from "./linux.ts";
import type { Platform } from "./platform.ts";
import { windows } from "./windows.ts";

/** This system. A Unix that is neither is taken for macOS, whose ways are those of BSD. */
export function platform(): Platform {
  here ??= platformOf(process.platform);
  return here;
}

/** Replaces it, for tests; undefined: by the real one. */
export function usePlatform(other: Platform | undefined): void {
  here = other;
}

let here: Platform | undefined;

function platformOf(system: NodeJS.Platform): Platform {
  if (system === "win32") return windows();
  return system === "linux" ? linux() : darwin();
}
