import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { ralphFolderOf } from "../../events/project-folder.ts";
import { visible } from "../../events/visible.ts";
import { clientConfig } from "../../mcp/client-configs.ts";
import type { ClientName } from "../../mcp/client-names.ts";
import { packagePath } from "../../package-root.ts";
import { SERVER_NAME } from "../../server-name.ts";
import { type CommonOptions, guarded, readModelPath, withProject } from "../command.ts";
import { printJson } from "../output.ts";

/** Prints what a client wants to stdout, so that it can be sent into a file, and where it belongs to stderr. */
export function printConfig(client: ClientName, options: CommonOptions): Promise<void> {
  return guarded(() =>
    // Opened, so that nobody is given the configuration of a project that is not there.
    withProject(options, async () => {
      const { file, content, replaced } = configOf(client, readModelPath(options));
      if (options.json) printJson({ client, file, content });
      else {
        process.stdout.write(content);
        say(`It belongs into ${file}; where there is one already, add "${SERVER_NAME}" to what it has.`);
      }
      for (const part of replaced)
        say(
          `${client} takes ${part} for a variable and may not find these files; rename the folder, or take another client.`,
        );
    }),
  );
}

function configOf(client: ClientName, path: string) {
  const folder = ralphFolderOf(path);
  const server = {
    command: process.execPath,
    args: [packagePath("bin/signalbox.js"), "mcp"],
    env: { RALPH_DB_PATH: path, RALPH_CONTEXT: join(folder, "mcp", "context.json") },
  };
  return clientConfig(client, server, {
    project: dirname(folder),
    home: homedir(),
    platform: process.platform,
  });
}

function say(text: string): void {
  process.stderr.write(`signalbox: ${visible(text)}\n`);
}
