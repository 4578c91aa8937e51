/** A path that an agent in a sandbox sees, always at the place that it has outside. */
export interface Mount {
  readonly path: string;
  /** `hide`: an empty folder is there instead. */
  readonly how: "read" | "write" | "hide";
}

/** In the order in which they can be made: what lies in another comes after it; of one path the last counts. */
export function inOrder(mounts: readonly Mount[]): Mount[] {
  const depth = ({ path }: Mount) => path.split("/").filter((part) => part !== "").length;
  return [...new Map(mounts.map((mount) => [mount.path, mount])).values()].sort(
    (a, b) => depth(a) - depth(b),
  );
}
