import type { Project } from "../../api/project.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { openHttpSessions } from "../../mcp/http/http-sessions.ts";
import { type ServerPlace, tellServer } from "../../mcp/http/server-file.ts";
import { warn } from "../making/command.ts";

/** What answers agents at `/mcp` of a server of this process. */
export function serveAgents({ store }: Project, readModelPath: string) {
  const sessions = openHttpSessions({ ...store, mayLag: false }, readModelPath, (error) =>
    warn(errorMessage(error)),
  );
  let told: { remove(): void } | undefined;
  return {
    answer: sessions.answer,
    /** Says where it is, for who launches sessions. */
    tell(place: ServerPlace): void {
      told = tellServer(readModelPath, place);
    },
    /** Sessions are left once their calls are answered. */
    async close(): Promise<void> {
      told?.remove();
      await sessions.close();
    },
  };
}
