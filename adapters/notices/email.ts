import { once } from "node:events";
import { encodeWords } from "nodemailer/lib/mime-funcs";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { SMTPConnectionSendInfo } from "nodemailer/lib/smtp-connection";
import type { Message } from "./core.ts";
import {
  type Channel,
  ChannelError,
  type ChannelSettingsOf,
  ConfigError,
  errorMessage,
  maskSecrets,
  shorten,
} from "./core.ts";
import { plainLine, textOf, titleOf } from "./text.ts";

type EmailSettings = ChannelSettingsOf<"email">;

/**
 * Sends each message as an e-mail in plain text, by SMTP. A repeated message has the same Message-ID, by which mail programs tell it.
 *
 * @param place the channel's place in the configuration, for errors
 * @throws ConfigError: an address cannot be used, or there is a user without a password
 */
export function emailChannel(
  settings: EmailSettings,
  password: string | undefined,
  place: string,
  { tls = {}, limit_ms = LIMIT_MS }: EmailSurroundings = {},
): Channel {
  checkAddresses(settings, place);
  if ((settings.user === undefined) !== (password === undefined)) {
    throw new ConfigError(`${place} needs both "user" and "password", or neither.`);
  }
  return {
    async send(message, signal) {
      const { default: Connection } = await import("nodemailer/lib/smtp-connection");
      const connection = new Connection({
        host: settings.host,
        port: settings.port,
        secure: settings.tls === "implicit",
        requireTLS: settings.tls === "starttls",
        ignoreTLS: settings.tls === "none",
        tls: { minVersion: "TLSv1.2", ...tls },
        dnsTimeout: limit_ms,
        connectionTimeout: limit_ms,
        greetingTimeout: limit_ms,
        socketTimeout: limit_ms,
        // Nothing is waited for once the answer is there.
        socketCloseTimeout: 0,
      });
      const limit = AbortSignal.timeout(3 * limit_ms);
      const stop = AbortSignal.any([signal, limit]);
      try {
        await Promise.race([
          deliver(connection, settings, password, mailOf(message, settings)),
          aborted(stop),
        ]);
      } catch (cause) {
        if (cause instanceof ChannelError) throw cause;
        if (signal.aborted) throw new ChannelError(`Sending to ${settings.host} was stopped.`, { cause });
        if (limit.aborted) throw new ChannelError(`${settings.host} is too slow.`, { cause });
        throw failureOf(cause, settings.host, password);
      } finally {
        connection.close();
      }
    },
  };
}

interface EmailSurroundings {
  readonly tls?: { readonly ca?: string };
  /** For each step: the connection, the greeting, an answer. */
  readonly limit_ms?: number;
}

const LIMIT_MS = 10_000;

function checkAddresses({ from, to }: EmailSettings, place: string): void {
  const wrong = [from, ...to].find((address) => !ADDRESS.test(address));
  if (wrong === undefined) return;
  throw new ConfigError(
    `${place} has ${JSON.stringify(wrong)} as an address. Write only the address, such as box@example.org.`,
  );
}

/** Nothing that could end a command or a header, or begin another address. */
const ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9.-]+$/;

async function aborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, "abort");
  throw signal.reason;
}

async function deliver(
  connection: SMTPConnection,
  { host, user, from, to }: EmailSettings,
  password: string | undefined,
  mail: string,
): Promise<void> {
  const failed = new Promise<never>((_, reject) => {
    connection.on("error", reject);
    connection.once("end", () => reject(new Error("the connection was closed")));
  });
  failed.catch(() => {});
  function step<Result>(start: (done: (error: Error | null, result?: Result) => void) => void) {
    const told = new Promise<Result | undefined>((resolve, reject) =>
      start((error, result) => (error ? reject(error) : resolve(result))),
    );
    return Promise.race([failed, told]);
  }
  await step((done) => connection.connect((error) => done(error ?? null)));
  if (user !== undefined && password !== undefined) {
    await step((done) => connection.login({ credentials: { user, pass: password } }, done));
  }
  const result = await step<SMTPConnectionSendInfo>((done) =>
    connection.send({ from, to: [...to], size: Buffer.byteLength(mail) }, mail, done),
  );
  const [refusal] = result?.rejectedErrors ?? [];
  if (!refusal) return;
  throw new ChannelError(
    `${host} took the message for ${to.length - (result?.rejected?.length ?? 0)} of ${to.length} recipients: ${wordsOf(refusal, password)}.`,
    // Everybody gets it again then; each mail program knows it by its Message-ID.
    { isFinal: result?.rejectedErrors?.every(({ responseCode = 0 }) => responseCode >= 500) ?? true },
  );
}

/** A status of 5xx is final (RFC 5321 §4.2.1). What never came to a status is tried again, and so is TLS: somebody may stand between. */
function failureOf(error: unknown, host: string, password: string | undefined): ChannelError {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
  const words = wordsOf(error, password);
  if (code === "ETLS" && responseCode > 0) {
    return new ChannelError(
      `${host} offers no STARTTLS (${words}). Nothing was sent to it. Set "tls" and "port" as the server has them.`,
      { cause: error },
    );
  }
  return new ChannelError(`${host} ${responseCode > 0 ? "answered" : "cannot be used"}: ${words}.`, {
    isFinal: responseCode >= 500,
    cause: error,
  });
}

function wordsOf(error: unknown, password: string | undefined): string {
  const { response } = error as { response?: string };
  const words = maskSecrets(response ?? errorMessage(error), password === undefined ? [] : [password]);
  return shorten(plainLine(words), 200).replace(/\.$/, "");
}

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
