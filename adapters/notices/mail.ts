import { encodeWords } from "nodemailer/lib/mime-funcs";
import type { Message } from "./core.ts";
import { textOf, titleOf } from "./text.ts";

/**
 * A message as an e-mail (RFC 5322): plain text in base64, so that no line of it can be read as anything else. Its Message-ID follows
 * from the message's id; Auto-Submitted keeps out-of-office replies away (RFC 3834).
 *
 * @param addresses checked: without names and line breaks
 */
export function mailOf(
  message: Message,
  { from, to }: { readonly from: string; readonly to: readonly string[] },
  now = new Date(),
): string {
  const headers = [
    `From: signalbox <${from}>`,
    `To: ${to.join(",\r\n ")}`,
    `Subject: ${encodeWords(titleOf(message), "B", 52, true).replaceAll("?= =?", "?=\r\n =?")}`,
    `Date: ${now.toUTCString().replace("GMT", "+0000")}`,
    `Message-ID: <${message.id.replace(/[^\w.-]/g, "_")}@${from.slice(from.lastIndexOf("@") + 1)}>`,
    "Auto-Submitted: auto-generated",
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: base64",
  ];
  const text = textOf(message, TEXT_LIMIT_BYTES).replaceAll("\n", "\r\n");
  const lines =
    Buffer.from(text)
      .toString("base64")
      .match(/.{1,76}/g) ?? [];
  return [...headers, "", ...lines, ""].join("\r\n");
}

const TEXT_LIMIT_BYTES = 60_000;
