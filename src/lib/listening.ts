import type { ListenOptions, Server } from "node:net";

/** Has a server listen. @param report told of its errors from then on; @throws Error from the system: it cannot listen there */
export function listening(
  server: Server,
  place: ListenOptions,
  report: (error: Error) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(place, () => {
      server.off("error", reject).on("error", report);
      resolve();
    });
  });
}
