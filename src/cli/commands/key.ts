import { dirname } from "node:path";
import type { Command } from "commander";
import { AuditError } from "../../history/audit/audit-error.ts";
import { makeKeyFile, readKeyFile } from "../../history/audit/key-file.ts";
import { readTree } from "../../history/audit/tree.ts";
import { LogError } from "../../lib/log-error.ts";
import { makePrivateFolder } from "../../lib/private-folder.ts";
import { pc, print, printJson } from "../../lib/terminal/output.ts";
import { isSeenByGit } from "../../workspace/git.ts";
import { auditedLog, keyPath, type SigningOptions } from "../making/audit-options.ts";
import { guarded, projectOptions } from "../making/command.ts";

export function addKey(program: Command): void {
  const group = program.command("key").description("show or create the key that signs tree heads");
  const withFile = (command: Command) =>
    projectOptions(command).option(
      "--key-file <path>",
      "the private key's file (default: in the project's state folder)",
    );
  withFile(
    group
      .command("show", { isDefault: true })
      .description("print the public key, which others need to check heads"),
  )
    .addHelpText("after", "\nExample:\n  signalbox key show > signalbox.pub")
    .action((options: SigningOptions) => guarded(async () => show(options)));
  withFile(
    group
      .command("make")
      .description("create a key for this log and print its public part; never overwrites a key"),
  )
    .addHelpText("after", "\nExample:\n  signalbox key make --key-file ~/.config/signalbox/shop.key")
    .action((options: SigningOptions) => guarded(() => make(options)));
}

function show(options: SigningOptions): void {
  const path = keyPath(options);
  const signer = readKeyFile(path);
  if (!signer) {
    throw new LogError(
      "disk",
      `There is no key at ${path}. Create one with \`signalbox key make\`, or name one with --key-file.`,
    );
  }
  if (options.json) printJson({ file: path, key: signer.verifierKey });
  else print(signer.verifierKey);
}

async function make(options: SigningOptions): Promise<void> {
  const path = keyPath(options);
  const { origin, events } = await readTree(await auditedLog(options));
  if (events === 0)
    throw new AuditError(
      "no_such_position",
      "The log has no events yet, so a key cannot be named after it. Add a task first.",
    );
  if (await isSeenByGit(path)) {
    throw new AuditError(
      "key_in_git",
      `Git would commit ${path}, and everyone with the repository could sign. Add it to .gitignore, or choose a file outside the repository with --key-file.`,
    );
  }
  if (options.keyFile === undefined) makePrivateFolder(dirname(path));
  const { verifierKey } = makeKeyFile(path, origin);
  if (options.json) printJson({ file: path, key: verifierKey });
  else {
    print(verifierKey);
    process.stderr.write(
      `${pc.green("✓")} The private key is in ${path}; anyone who can read it can sign.\n`,
    );
  }
}
