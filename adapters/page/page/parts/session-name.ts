import { visible } from "../core.ts";

/** Alone, or as a loop names its sessions, with a letter before it. */
const UUID = /^([a-z]-)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A session's id as people read it: of a UUID the last eight digits, because the first are a time. */
export function sessionName(id: string): string {
  return UUID.test(id) ? id.slice(-8) : visible(id);
}
