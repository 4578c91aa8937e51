import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname } from "node:path";
import { SERVER_NAME } from "../../events/server-name.ts";
import { platform } from "../../lib/platform/here.ts";
import { ralphFolderOf } from "../../lib/project-folder.ts";
import { printJson } from "../../lib/terminal/output.ts";
import { ToldError } from "../../lib/told-error.ts";
import { visible } from "../../lib/visible.ts";
import { clientConfig, knowsAddresses, type ServerProcess } from "../../mcp/client-configs.ts";
import type { ClientName } from "../../mcp/client-names.ts";
import { type Grant, makeToken } from "../../mcp/http/tokens.ts";
import { CLIENT_SESSION, clientServer } from "../../mcp/launching/client-server.ts";
import { addressOf } from "../../mcp/launching/mcp-config.ts";
import { type CommonOptions, guarded, readModelPath, withProject } from "../making/command.ts";
import { type Transport, urlFor } from "../making/transport.ts";

type Options = CommonOptions & Transport;

/** Prints what a client wants to stdout, so that it can be sent into a file, and where it belongs to stderr. */
export function printConfig(client: ClientName, options: Options): Promise<void> {
  return guarded(() =>
    // Opened, so that nobody is given the configuration of a project that is not there.
    withProject(options, async (project) => {
      const path = readModelPath(options);
      const url = urlFor(options, path);
      if (url !== undefined && !knowsAddresses(client)) throw new StartsServersError(client);
      const started = clientServer(path);
      const token = url === undefined ? undefined : await makeToken(project.log, path, grantTo(started));
      const server = url === undefined || !token ? started : addressOf(url, token.token);
      const { file, content, replaced, note } = clientConfig(client, server, {
        project: dirname(ralphFolderOf(path)),
        home: homedir(),
        platform: platform().system,
      });
      if (options.json) printJson({ client, file, content, ...(token && { token_file: token.file }) });
      else {
        process.stdout.write(content);
        say(`Save this as ${file}. If that file exists, add "${SERVER_NAME}" to its servers.`);
      }
      if (note !== undefined) say(note);
      if (token) say(`The token in it is new, and does not end by itself: remove ${token.file} to end it.`);
      if (!existsSync(started.env.RALPH_CONTEXT))
        say(`There is no ${started.env.RALPH_CONTEXT}. Create it with \`signalbox regenerate\`.`);
      for (const part of replaced)
        say(
          `${client} reads ${part} as a variable and may not find these files. Rename the folder, or use another client.`,
        );
    }),
  );
}

/** What a human's own client may do. */
function grantTo({ env }: ServerProcess): Grant {
  return { session: CLIENT_SESSION, variables: { ...env } };
}

/** The client knows no address of a server. */
class StartsServersError extends ToldError<"no_address"> {
  override readonly name = "StartsServersError";
  readonly fault = "usage";

  constructor(client: ClientName) {
    super(
      "no_address",
      `The configuration of ${client} holds only servers that it starts itself. Leave out --transport http.`,
    );
  }
}

function say(text: string): void {
  process.stderr.write(`signalbox: ${visible(text)}\n`);
}
