import { z } from "zod";
import { createFeature } from "../../../src/operations/features.ts";
import { addLearning } from "../../../src/operations/learnings.ts";
import { only, type Row } from "./row.ts";

const fields = {
  description: "Invoices and payments.",
  acronym: "BILL",
  architecture: "One service, one queue.",
  boundaries: "No tax returns.",
  dependencies: ["general"],
  knowledge_paths: ["docs/billing"],
  context_files: ["src/invoice.ts", "src/payment.ts"],
};
const fieldOptions = [
  ...["--description", "Invoices and payments.", "--acronym", "BILL"],
  ...[
    "--architecture",
    "One service, one queue.",
    "--boundaries",
    "No tax returns.",
    "--depends-on",
    "general",
  ],
  ...["--knowledge-path", "docs/billing"],
  ...["--context-file", "src/invoice.ts", "--context-file", "src/payment.ts"],
];

const billing = createFeature({ name: "billing", display_name: "Billing", ...fields });
const inShort = z.array(only("name", "display_name", "acronym", "description", "dependencies"));
const details = only("name", "display_name", ...Object.keys(fields), "learnings", "learnings_left_out");
const inFull = z
  .looseObject({ learnings: z.array(only("id", "text", "kind", "rationale", "confirmations")) })
  .transform((feature) => details.parse(feature));
const all = z.unknown();
/** The name that both answer with. */
const name = { answer: only("name"), printed: only("name") };

export const featureRows = {
  list_features: {
    given: [billing],
    command: ["feature", "list"],
    shows: {
      answer: z.looseObject({ features: inShort }).transform(({ features }) => features),
      printed: inShort,
    },
  },
  get_feature: {
    given: [billing, addLearning({ feature: "billing", text: "Amounts are in cents.", source: "human" })],
    call: { name: "billing" },
    command: ["feature", "show", "billing"],
    shows: { answer: inFull, printed: inFull },
  },
  create_feature: {
    call: { name: "billing", display_name: "Billing", ...fields },
    command: ["feature", "add", "billing", "--display-name", "Billing", ...fieldOptions],
    shows: name,
  },
  update_feature: {
    call: { name: "general", display_name: "All else", ...fields, dependencies: [] },
    command: [
      ...["feature", "set", "general", "--display-name", "All else", ...fieldOptions],
      ...["--depends-on", ""],
    ],
    shows: name,
  },
  delete_feature: {
    given: [billing],
    command: ["feature", "delete", "billing"],
    shows: { answer: all, printed: all },
  },
  append_feature_learning: {
    given: [addLearning({ feature: "general", text: "all times are in UTC", source: "human" })],
    call: {
      feature_name: "general",
      text: "All times are in UTC.",
      source: "auto",
      reason: "Servers are everywhere.",
      task_id: 7,
    },
    command: [
      ...["feature", "learn", "general", "All times are in UTC.", "--source", "auto"],
      ...["--reason", "Servers are everywhere.", "--task", "7"],
    ],
    shows: { answer: all, printed: all },
  },
  add_feature_context_file: {
    command: ["feature", "context-file", "general", "docs/architecture.md"],
    shows: { answer: all, printed: all },
  },
} satisfies Record<string, Row>;
