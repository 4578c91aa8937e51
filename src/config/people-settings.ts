import { z } from "zod";
import { isNameOfPerson } from "../events/actors.ts";
import { line, name } from "../events/types/fields.ts";
import { roles } from "./roles.ts";
import { secretSource } from "./secret-source.ts";

/** A person's name, as the log has it as actor. */
const personName = z.string().refine(isNameOfPerson, {
  error: "must be a person's name: 1 to 100 visible characters, and not agent, driver, program or signalbox",
});

const account = line.describe("The person's name there; what it writes there is this person's.");

const person = z.strictObject({
  role: z
    .enum(roles)
    .default("answer")
    .describe(
      "watch: see everything; answer: also answer questions and comment; decide: also approve gates and change tasks; own: also start, stop and pause loops.",
    ),
  login: line
    .optional()
    .describe("The e-mail address or subject by which the OpenID provider knows this person."),
  github: account.optional(),
  gitlab: account.optional(),
  slack: account.optional().describe("The person's member ID on Slack, such as U012AB3CD."),
  channels: z
    .array(name)
    .max(20)
    .default([])
    .describe("The channels of notices by which this person is told, by their names in notices.channels."),
});
export type Person = z.infer<typeof person>;

export const peopleSettings = z
  .record(personName, person)
  .default({})
  .describe("Who may use the panel and answer notices, by name.");

/** Login by OpenID Connect for `signalbox serve`. */
export const loginSettings = z
  .strictObject({
    issuer: z
      .url({ protocol: /^https?$/ })
      .describe("The provider's address, such as https://login.example."),
    client_id: line.describe("The client that the provider has for signalbox."),
    client_secret: secretSource.optional().describe("Its secret; absent for a public client."),
    claim: z
      .enum(["email", "sub"])
      .default("email")
      .describe("What people.*.login is compared with: the verified e-mail address, or the subject."),
  })
  .optional()
  .describe("The OpenID provider by which people log in to the panel.");
