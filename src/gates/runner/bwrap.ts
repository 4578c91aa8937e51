import type { Place } from "./place.ts";

/**
 * Runs a shell in bubblewrap: the system read-only, with a separate network, process and device
 * namespace.
 */
export function bwrapArguments(
  { folder, writable, readOnly, hidden = [] }: Place,
  command: string,
): string[] {
  return [
    ...["--ro-bind", "/", "/"],
    ...["--dev", "/dev"],
    ...["--proc", "/proc"],
    ...readOnlyParts,
    ...["--tmpfs", "/tmp"],
    // After the mounts that could hide it.
    ...["--bind", writable, writable],
    ...(readOnly === undefined ? [] : ["--ro-bind", readOnly, readOnly]),
    ...hidden.flatMap((file) => ["--ro-bind", "/dev/null", file]),
    "--unshare-net",
    "--unshare-pid",
    "--unshare-ipc",
    "--die-with-parent",
    // Otherwise root could make the root writable again.
    ...["--cap-drop", "ALL"],
    ...["--chdir", folder],
    ...["--", "/bin/sh", "-c", "--", command],
  ];
}

/** Parts of `/proc` through which root could reach the kernel, even without capabilities. */
export const readOnlyParts: readonly string[] = ["sys", "sysrq-trigger", "irq", "bus"].flatMap((part) => {
  return ["--ro-bind-try", `/proc/${part}`, `/proc/${part}`];
});
