import { z } from "zod";
import type { Via } from "../event.ts";
import { isOwnType } from "./own.ts";

const CHANNELS = [
  "terminal",
  "page",
  "notice",
  "tracker",
  "program",
] as const satisfies readonly Via["channel"][];

const label = z.string().min(1).max(100);
const viaSchema = z.strictObject({
  channel: z.enum(CHANNELS),
  tty: label.optional(),
  program: label.optional(),
});

/** What is wrong with it, or undefined. */
export function viaFault(via: Via): string | undefined {
  if (viaSchema.safeParse(via).success) return undefined;
  return `via must be a channel (${CHANNELS.join(", ")}), with tty and program of 1 to 100 characters`;
}

type Payload = Readonly<Record<string, unknown>>;

/**
 * A payload as the log stores it. How an act came lies in it under a key that no payload of ours has, so that whatever keeps, proves,
 * exports or redacts a payload does the same to it (docs/decisions/0070-channels-in-payloads.md).
 */
export function withVia<Fields extends Payload>(payload: Fields, via: Via | undefined): Fields {
  return via === undefined ? payload : { ...payload, [KEY]: via };
}

/** A stored payload without it, and how the act came. Payloads of other programs' own types are theirs alone. */
export function withoutVia(
  type: string,
  payload: Payload,
): { readonly payload: Record<string, unknown>; readonly via: Via | undefined } {
  // Each event that is read goes through here, and few have one.
  if (payload[KEY] === undefined || isOwnType(type)) return { payload, via: undefined };
  const { [KEY]: found, ...rest } = payload;
  const via = viaSchema.safeParse(found).data;
  return { payload: via ? rest : payload, via };
}

const KEY = "via";

/** How it came, in words: `terminal pts/3, bash`; `program cron`; `page`. */
export function viaInWords({ channel, tty, program }: Via): string {
  if (tty === undefined) return program === undefined ? channel : `${channel} ${program}`;
  return program === undefined ? `${channel} ${tty}` : `${channel} ${tty}, ${program}`;
}

/** Who acted and, where it is known, how: `ada (page)`. */
export function byWhom({ actor, via }: { readonly actor: string; readonly via?: Via | undefined }): string {
  return via ? `${actor} (${viaInWords(via)})` : actor;
}
