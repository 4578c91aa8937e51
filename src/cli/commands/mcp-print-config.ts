import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname } from "node:path";
import { ralphFolderOf } from "../../events/project-folder.ts";
import { SERVER_NAME } from "../../events/server-name.ts";
import { visible } from "../../events/visible.ts";
import { clientConfig, type ServerProcess } from "../../mcp/client-configs.ts";
import type { ClientName } from "../../mcp/client-names.ts";
import { clientServer } from "../../mcp/launching/client-server.ts";
import { printJson } from "../../terminal/output.ts";
import { type CommonOptions, guarded, readModelPath, withProject } from "../command.ts";

/** Prints what a client wants to stdout, so that it can be sent into a file, and where it belongs to stderr. */
export function printConfig(client: ClientName, options: CommonOptions): Promise<void> {
  return guarded(() =>
    // Opened, so that nobody is given the configuration of a project that is not there.
    withProject(options, async () => {
      const server = clientServer(readModelPath(options));
      const { file, content, replaced, note } = configOf(client, server, readModelPath(options));
      if (options.json) printJson({ client, file, content });
      else {
        process.stdout.write(content);
        say(`Save this as ${file}. If that file exists, add "${SERVER_NAME}" to its servers.`);
      }
      if (note !== undefined) say(note);
      if (!existsSync(server.env.RALPH_CONTEXT))
        say(`There is no ${server.env.RALPH_CONTEXT}. Create it with \`signalbox regenerate\`.`);
      for (const part of replaced)
        say(
          `${client} reads ${part} as a variable and may not find these files. Rename the folder, or use another client.`,
        );
    }),
  );
}

function configOf(client: ClientName, server: ServerProcess, path: string) {
  return clientConfig(client, server, {
    project: dirname(ralphFolderOf(path)),
    home: homedir(),
    platform: process.platform,
  });
}

function say(text: string): void {
  process.stderr.write(`signalbox: ${visible(text)}\n`);
}
