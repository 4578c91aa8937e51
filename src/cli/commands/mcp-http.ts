import type { Project } from "../../api/project.ts";
import { listenHttp } from "../../lib/http/listen.ts";
import { pc, print, printJson } from "../../lib/terminal/output.ts";
import { refuse } from "../../mcp/http/refuse.ts";
import { type CommonOptions, folderOf, guarded, readModelPath, withProject } from "../making/command.ts";
import { listenAsAsked, type ServerOptions } from "../making/server-options.ts";
import { serveAgents } from "../running/serve-agents.ts";
import { stopped } from "../running/stopped.ts";

type Options = CommonOptions & ServerOptions;

/** Serves the tools of all sessions over HTTP, each to the holder of its token, until a signal ends it. */
export function serveHttp(options: Options): Promise<void> {
  return guarded(() => withProject(options, (project) => serve(project, options)));
}

async function serve(project: Project, options: Options): Promise<void> {
  const agents = serveAgents(project, readModelPath(options));
  const server = await listenAsAsked(options, (place) =>
    listenHttp(place, (own) => (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/mcp") return agents.answer(request, own);
      return refuse(404, `There is no ${pathname}. Use /mcp.`);
    }),
  );
  const [origin = ""] = server.printed;
  agents.tell({ origin, local: server.local });
  const url = `${origin}/mcp`;
  if (options.json) printJson({ url, port: server.port });
  else {
    print(`The tools of ${folderOf(options)} over HTTP:\n\n  ${pc.cyan(url)}\n`);
    print(
      pc.dim(
        "`signalbox launch RECIPE --task ID --transport http` makes a session's token. Ctrl-C stops the server.",
      ),
    );
  }
  await stopped();
  await agents.close();
  await server.close();
}
