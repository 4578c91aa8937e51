import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { expect, onTestFinished, test } from "vitest";
import { emailChannel, mailOf } from "../../../adapters/notices/email.ts";
import { openChannel } from "../../../adapters/notices/index.ts";
import type { ChannelSettingsOf } from "../../../src/config/notice-settings.ts";
import { message, never } from "./given.ts";

/** A mail server on this machine; closed after the test. */
async function givenMailServer(options: SMTPServerOptions = {}) {
  const mails: { readonly from: string; readonly to: string[]; readonly text: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: 1,
    async onData(stream, { envelope }, done) {
      const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
      mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), text: await text(stream) });
      done();
    },
    ...options,
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise((resolve) => server.close(resolve)));
  // A server on a TCP port has an address of this type.
  return { port: (server.server.address() as AddressInfo).port, mails };
}

const settings = (port: number, more: Partial<ChannelSettingsOf<"email">> = {}) => ({
  kind: "email" as const,
  host: "localhost",
  port,
  tls: "none" as const,
  from: "box@example.org",
  to: ["ann@example.org", "bob@example.org"],
  ...more,
});

const refusal = (code: number, words: string) => Object.assign(new Error(words), { responseCode: code });

test("a message is delivered once to all, as plain text that names itself automatic", async () => {
  const { port, mails } = await givenMailServer();
  const channel = await openChannel("mail", settings(port));
  const sent = message({ project: "shöp", text: "a\n.\nSubject: x" });
  await channel.send(sent, never());
  await channel.send(sent, never());
  expect(mails.map(({ from, to }) => ({ from, to }))).toEqual(
    Array(2).fill({ from: "box@example.org", to: ["ann@example.org", "bob@example.org"] }),
  );
  const [head = "", body = ""] = mails[0]?.text.split("\r\n\r\n") ?? [];
  expect(head.replace(/^Date: .*\r\n/m, "").split("\r\n")).toEqual([
    "From: signalbox <box@example.org>",
    "To: ann@example.org,",
    " bob@example.org",
    "Subject: =?UTF-8?B?W3Now7ZwXSBBIHF1ZXN0aW9uIGJsb2NrcyBhIHRh?=",
    " =?UTF-8?B?c2sgKHRhc2sgMTIp?=",
    "Message-ID: <0194-a@example.org>",
    "Auto-Submitted: auto-generated",
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: base64",
  ]);
  expect(Buffer.from(body, "base64").toString()).toContain("\r\n> a\r\n> .\r\n> Subject: x\r\n");
  expect(mails[1]?.text).toContain("Message-ID: <0194-a@example.org>");
});

test("nothing in a message adds a header", () => {
  const evil = "x\r\nBcc: eve@evil.example\r\n\r\nhello\u2028Bcc: eve";
  const mail = mailOf(
    { ...message({ project: evil, text: evil, task: { id: 1, title: evil } }), id: `a>${evil}` },
    { from: "box@example.org", to: ["ann@example.org"] },
  );
  const [head = ""] = mail.split("\r\n\r\n");
  expect(head.match(/^[A-Za-z-]+(?=:)/gm)).toEqual([
    ...["From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted"],
    ...["MIME-Version", "Content-Type", "Content-Transfer-Encoding"],
  ]);
  expect(head).not.toMatch(/[^\r]\n|\r[^\n]/);
});

test("a user is known by the password, and a wrong one is refused for good without being told", async () => {
  const { port, mails } = await givenMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, done) =>
      password === "pass-right" ? done(null, { user: username }) : done(new Error(`no ${password}`)),
  });
  const open = (password: string) =>
    openChannel("mail", settings(port, { user: "box", password: { env: "PW" } }), { PW: password });
  await (await open("pass-right")).send(message(), never());
  expect(mails).toHaveLength(1);
  await expect((await open("pass-wrong")).send(message(), never())).rejects.toMatchObject({
    isFinal: true,
    message: "localhost answered: 535 no [masked].",
  });
});

test.each([
  [450, false],
  [451, false],
  [550, true],
  [554, true],
])("after %i to the message it is final: %s", async (code, isFinal) => {
  const { port } = await givenMailServer({
    onData: (stream, _, done) => stream.resume().on("end", () => done(refusal(code, "Not now"))),
  });
  const attempt = (await openChannel("mail", settings(port))).send(message(), never());
  await expect(attempt).rejects.toMatchObject({
    isFinal,
    message: expect.stringMatching(new RegExp(`^localhost answered: ${code} .*Not now\\.$`)),
  });
});

test("recipients who are all refused for now are tried again; one of two is told as it is", async () => {
  const refusing = (refused: readonly string[], code: number) =>
    givenMailServer({
      onRcptTo: ({ address }, _, done) =>
        refused.includes(address) ? done(refusal(code, `no ${address}`)) : done(),
    });
  const greylisting = await refusing(["ann@example.org", "bob@example.org"], 450);
  await expect(
    (await openChannel("mail", settings(greylisting.port))).send(message(), never()),
  ).rejects.toMatchObject({ isFinal: false });
  const half = await refusing(["bob@example.org"], 550);
  await expect(
    (await openChannel("mail", settings(half.port))).send(message(), never()),
  ).rejects.toMatchObject({
    isFinal: true,
    message: expect.stringContaining("took the message for 1 of 2 recipients: 550"),
  });
  expect(half.mails.map(({ to }) => to)).toEqual([["ann@example.org"]]);
});

test("a server without STARTTLS gets neither the password nor the message", async () => {
  const { port, mails } = await givenMailServer();
  const channel = emailChannel(settings(port, { tls: "starttls", user: "box" }), "secret-password", "mail");
  await expect(channel.send(message(), never())).rejects.toMatchObject({
    isFinal: false,
    message: expect.stringMatching(/^localhost offers no STARTTLS \(500 .*\)\. Nothing was sent to it\./),
  });
  expect(mails).toEqual([]);
});

test.each(["implicit", "starttls"] as const)(
  "a certificate that nobody vouches for is refused, with TLS %s",
  async (tls) => {
    const { port, mails } = await givenMailServer({ secure: tls === "implicit", disabledCommands: [] });
    const channel = await openChannel("mail", settings(port, { tls }));
    await expect(channel.send(message(), never())).rejects.toMatchObject({
      isFinal: false,
      message: expect.stringMatching(/^localhost cannot be used: .*certificate/),
    });
    expect(mails).toEqual([]);
  },
);

test("a server that takes long to greet is given up on", async () => {
  const server = createServer(() => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  // A server on a TCP port has an address of this type.
  const { port } = server.address() as AddressInfo;
  const channel = emailChannel(settings(port), undefined, "mail", { limit_ms: 50 });
  await expect(channel.send(message(), never())).rejects.toMatchObject({
    isFinal: false,
    message: expect.stringMatching(/^localhost (cannot be used: .*|is too slow)\.$/),
  });
});

test("a server that never answers the message is given up on, and an aborted message ends at once", async () => {
  let stop: (() => void) | undefined;
  const { port } = await givenMailServer({
    onData: (stream) => stream.resume().on("end", () => stop?.()),
  });
  const slow = emailChannel(settings(port), undefined, "mail", { limit_ms: 50 });
  await expect(slow.send(message(), never())).rejects.toMatchObject({ isFinal: false });
  const controller = new AbortController();
  stop = () => controller.abort();
  const channel = emailChannel(settings(port), undefined, "mail");
  await expect(channel.send(message(), controller.signal)).rejects.toThrow("localhost was stopped");
});

test.each([
  [{ from: "Box <box@example.org>" }, 'has "Box <box@example.org>" as an address. Write only the address'],
  [{ to: ["ann@example.org, eve@evil.example"] }, "as an address"],
  [{ to: ["ann@example.org>\r\nRCPT TO:<eve@evil.example"] }, "as an address"],
  [{ user: "box" }, 'notices.channels.mail needs both "user" and "password", or neither.'],
])("settings that cannot be used are refused before anything is sent: %o", async (more, words) => {
  await expect(openChannel("mail", settings(25, more))).rejects.toThrow(words);
});
