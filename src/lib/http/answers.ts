import type { ServerResponse } from "node:http";
import type { Server } from "node:net";
import { Pending } from "../pending.ts";

/** The answers of an HTTP server that are under way: from their request until they are written, or their client has gone. */
export function answersOf(server: Server): Pending {
  const answers = new Pending();
  server.on("request", (_, response: ServerResponse) => {
    void answers.add(new Promise((resolve) => response.once("close", resolve)));
  });
  return answers;
}
