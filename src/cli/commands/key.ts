import { dirname } from "node:path";
import { z } from "zod";
import { AuditError } from "../../history/audit/audit-error.ts";
import { makeKeyFile, readKeyFile } from "../../history/audit/key-file.ts";
import { readTree } from "../../history/audit/tree.ts";
import { LogError } from "../../lib/log-error.ts";
import { makePrivateFolder } from "../../lib/private-folder.ts";
import { pc } from "../../lib/terminal/output.ts";
import { isSeenByGit } from "../../workspace/git.ts";
import { auditedLog, keyPath } from "../making/audit-options.ts";
import { defineOutside } from "../making/project-command.ts";

const input = z.strictObject({ keyFile: z.string().optional() });
const takes = {
  keyFile: ["--key-file <path>", "the private key's file (default: in the project's state folder)"],
} as const;

/** A key is a file. */
const show = defineOutside({
  input,
  run({ keyFile }, options) {
    const path = keyPath({ ...options, keyFile });
    const signer = readKeyFile(path);
    if (signer) return { file: path, key: signer.verifierKey };
    throw new LogError(
      "disk",
      `There is no key at ${path}. Create one with \`signalbox key make\`, or name one with --key-file.`,
    );
  },
  command: {
    name: "show",
    isDefault: true,
    does: "print the public key, which others need to check heads",
    takes,
    example: "> signalbox.pub",
    says: ({ key }) => key,
  },
});

const make = defineOutside({
  input,
  async run({ keyFile }, options) {
    const path = keyPath({ ...options, keyFile });
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
    if (keyFile === undefined) makePrivateFolder(dirname(path));
    const { verifierKey } = makeKeyFile(path, origin);
    if (!options.json)
      process.stderr.write(
        `${pc.green("✓")} The private key is in ${path}; anyone who can read it can sign.\n`,
      );
    return { file: path, key: verifierKey };
  },
  command: {
    name: "make",
    does: "create a key for this log and print its public part; never overwrites a key",
    takes,
    example: "--key-file ~/.config/signalbox/shop.key",
    says: ({ key }) => key,
  },
});

export const keys = { name: "key", does: "show or create the key that signs tree heads", has: [show, make] };
