import { z } from "zod";
import { Refusal } from "../../decisions/refusal.ts";
import { position } from "../../events/types/fields.ts";
import { cleanProject } from "../../replay/redaction/clean.ts";
import { redact as redactEvent } from "../../replay/redaction/redact.ts";
import { fail, pc } from "../../terminal/output.ts";
import { collect, EXIT, projectOptions, readModelPath } from "../command.ts";
import { defineCommand } from "../project-command.ts";
import { uncleanWords } from "../unclean-words.ts";

export const redact = defineCommand({
  input: z.strictObject({
    position,
    reason: z.string(),
    field: z.array(z.string()).optional(),
    actor: z.string(),
    wait: z.int().min(0),
  }),
  options: projectOptions,
  async run({ store }, { position, reason, field, actor, wait }, options) {
    const path = readModelPath(options);
    const wait_ms = wait * 1_000;
    try {
      const done = await redactEvent(store, path, { position, reason, fields: field }, { actor, wait_ms });
      return { ...done, position };
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "already_decided") throw error;
      // The earlier redaction may have been killed before everything was cleaned.
      const unclean = await cleanProject(store, path, wait_ms);
      const cleaned =
        unclean.length === 0 ? "What follows from the log was cleaned again." : uncleanWords(unclean);
      throw new Refusal(error.code, `${error.message} ${cleaned}`, error.about);
    }
  },
  command: {
    name: "redact",
    does: "remove a secret from an event: its texts go for ever, that and why stays in the log",
    takes: {
      position: ["<position>", "of the event; `signalbox log` shows it"],
      reason: ["--reason <text>", "why, without saying what; it stays in the log"],
      field: [
        "--field <path>",
        "this text alone, such as summary or options.1; repeatable. Absent: all texts",
        { parse: collect },
      ],
      actor: ["--actor <name>", "who decides, as the log names them", { absent: "human" }],
      wait: [
        "--wait <seconds>",
        "how long to wait for others that keep a file from being cleaned",
        { absent: 10 },
      ],
    },
    note: "Redacted once more, an event is refused, and the files are cleaned again.",
    example: '41 --reason "the token of the staging server" --field text',
    json: ({ position, redaction, fields, unclean, blanked, left, also }) => ({
      ...{ position, redaction: redaction.position, fields, blanked, also, left, unclean },
    }),
    says: ({ position, redaction, fields, blanked, left, also }) => [
      `${pc.green("✓")} Event ${position} redacted by event ${redaction.position}: ${fields.join(", ")}`,
      ...(blanked.length > 0 ? [`  written over in ${blanked.join(", ")}`] : []),
      ...(also.length > 0
        ? [`${pc.yellow("!")} These events say the same: ${also.join(", ")}. Redact them, too.`]
        : []),
      ...(left.length > 0 ? [`${pc.yellow("!")} It still stands in .ralph/: ${left.join(", ")}`] : []),
      pc.dim(
        "  Copies elsewhere are yours to find: backups, exports, git, terminals, the service that the secret opens.",
      ),
    ],
  },
  afterwards({ unclean }) {
    if (unclean.length > 0) fail(uncleanWords(unclean), "unclean", EXIT.unusable);
  },
});
