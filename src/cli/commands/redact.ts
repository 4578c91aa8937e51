import { z } from "zod";
import { Refusal } from "../../decisions/refusal.ts";
import { position } from "../../events/types/fields.ts";
import { cleanProject } from "../../history/redaction/clean.ts";
import { redact as redactEvent } from "../../history/redaction/redact.ts";
import { fail, pc } from "../../lib/terminal/output.ts";
import { collect, EXIT, projectOptions, readModelPath } from "../making/command.ts";
import { defineCommand } from "../making/project-command.ts";
import { uncleanWords } from "../printing/unclean-words.ts";

export const redact = defineCommand({
  input: z.strictObject({
    position,
    reason: z.string(),
    field: z.array(z.string()).optional(),
    actor: z.string(),
    wait: z.int().min(0),
  }),
  options: projectOptions,
  async run({ store, actor, via }, { position, reason, field, wait }, options) {
    const path = readModelPath(options);
    const wait_ms = wait * 1_000;
    try {
      const done = await redactEvent(
        store,
        path,
        { position, reason, fields: field },
        { actor, via, wait_ms },
      );
      return { ...done, position };
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "already_decided") throw error;
      // The earlier redaction may have been killed before everything was cleaned.
      const unclean = await cleanProject(store, path, wait_ms);
      const cleaned = unclean.length === 0 ? "The derived files were cleaned again." : uncleanWords(unclean);
      throw new Refusal(error.code, `${error.message} ${cleaned}`, error.about);
    }
  },
  command: {
    name: "redact",
    does: "remove a secret from an event: deletes its texts for good; the log keeps the redaction and its reason",
    takes: {
      position: ["<position>", "the event's position; `signalbox log` shows it"],
      reason: ["--reason <text>", "the reason, without the secret; it stays in the log"],
      field: [
        "--field <path>",
        "only this text, e.g. options.1 (repeatable; default: all)",
        { parse: collect },
      ],
      actor: ["--actor <name>", "the actor's name in the log", { absent: "human" }],
      wait: ["--wait <seconds>", "how long to wait for processes that hold a file open", { absent: 10 }],
    },
    note: "Run it again to clean the files again; the event stays refused.",
    example: '41 --reason "the token of the staging server" --field text',
    json: ({ position, redaction, fields, unclean, blanked, left, also }) => ({
      ...{ position, redaction: redaction.position, fields, blanked, also, left, unclean },
    }),
    says: ({ position, redaction, fields, blanked, left, also }) => [
      `${pc.green("✓")} Event ${position} redacted by event ${redaction.position}: ${fields.join(", ")}`,
      ...(blanked.length > 0 ? [`  overwritten in ${blanked.join(", ")}`] : []),
      ...(also.length > 0
        ? [`${pc.yellow("!")} These events contain the same text: ${also.join(", ")}. Redact them, too.`]
        : []),
      ...(left.length > 0 ? [`${pc.yellow("!")} The text is still in .ralph/: ${left.join(", ")}`] : []),
      pc.dim(
        "  Copies elsewhere are yours to find: backups, exports, git, terminals, the service that the secret opens.",
      ),
    ],
  },
  afterwards({ unclean }) {
    if (unclean.length > 0) fail(uncleanWords(unclean), "unclean", EXIT.unusable);
  },
});
