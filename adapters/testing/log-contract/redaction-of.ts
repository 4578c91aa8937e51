import { type Draft, definitionOf, type EventLog, withoutTexts } from "../core.ts";

/** The redaction of all texts of the event at a position. @throws Error: there is none */
export async function redactionOf(log: EventLog, position: number): Promise<Draft<"event.redacted">> {
  const [event] = await log.read(position - 1, 1);
  const payload_hash = await log.payloadHash(position);
  if (!event || !payload_hash) throw new Error(`There is no event at ${position}.`);
  const { type, payload } = event;
  const schema_version = definitionOf(type)?.version ?? 0;
  const { kept } = withoutTexts(type, payload);
  return {
    type: "event.redacted",
    payload: { position, type, schema_version, reason: "a secret", payload_hash, kept },
    actor: "human",
  };
}
