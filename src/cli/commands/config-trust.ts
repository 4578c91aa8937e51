import type { Command } from "commander";
import { confirmConfig, type InspectedConfig, inspectConfig } from "../../config/confirmed.ts";
import { Refusal } from "../../decisions/refusal.ts";
import { pc, print, printJson } from "../../lib/terminal/output.ts";
import { changeLines, changesIn } from "../asking/confirm-config.ts";
import { type Confirming, requireHuman } from "../asking/require-human.ts";
import {
  type CommonOptions,
  guarded,
  projectOptions,
  readModelPath,
  withProject,
} from "../making/command.ts";

interface Options extends CommonOptions, Confirming {}

/** Written for commander: shows the changes and asks, before it answers. */
export function addConfigTrust(group: Command): void {
  projectOptions(
    group
      .command("trust")
      .description(
        "confirm the configuration, so that it may start agents and gates: shows its changes, then asks",
      )
      .option("--yes", "confirm it without asking")
      .option("--digest <sha256>", "confirm it without asking if the file has this SHA-256"),
  )
    .addHelpText("after", "\nExample:\n  signalbox config trust")
    .action((options: Options) =>
      guarded(() => withProject({ actor: "human", ...options }, () => trust(options))),
    );
}

async function trust(options: Options): Promise<void> {
  const inspected = inspectConfig(readModelPath(options));
  const { path, file, isConfirmed } = inspected;
  requireDigest(inspected, options.digest);
  const changes = isConfirmed ? undefined : changesIn(inspected);
  const say = options.json ? (line: string) => void process.stderr.write(`${line}\n`) : print;
  if (changes) {
    for (const line of changeLines(inspected)) say(line);
    await requireHuman(path, options, {
      question: "Confirm this configuration?",
      instead: "Review the changes, then add --yes, or --digest with the file's SHA-256.",
    });
    confirmConfig(inspected);
  }
  if (options.json)
    printJson({
      file: path,
      exists: file !== undefined,
      sha256: file?.sha256 ?? null,
      changed: changes !== undefined,
      since: changes?.since ?? "confirmed",
      changes: (changes?.changes ?? []).map(({ path: field, before = null, now = null }) => ({
        field,
        before,
        now,
      })),
    });
  else {
    print(`${pc.green("✓")} ${said(inspected)}`);
    if (file) print(pc.dim(`  sha256 ${file.sha256}`));
  }
}

function said({ path, file, isConfirmed }: InspectedConfig): string {
  if (!file) return isConfirmed ? `There is no ${path}; the defaults apply.` : "The defaults are confirmed.";
  return isConfirmed ? `${path} is confirmed already.` : `${path} is confirmed.`;
}

/** @throws Refusal `not_possible` */
function requireDigest({ path, file }: InspectedConfig, digest: string | undefined): void {
  if (digest === undefined || digest.toLowerCase() === file?.sha256) return;
  const is = file ? `has the SHA-256 ${file.sha256}` : "is not there";
  throw new Refusal("not_possible", `Nothing was confirmed: ${path} ${is}. Review it before you confirm it.`);
}
