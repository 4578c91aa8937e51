// @ts-check
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
// @ts-expect-error it has no types
import gifenc from "gifenc";
import { chromium } from "playwright-core";

/**
 * Records docs/page.gif, about a minute of the page on the demo's log while agents report: a task fails, a question comes
 * and is answered, the time bar goes back, the log. Needs a build and Chromium.
 */
const program = fileURLToPath(new URL("../bin/signalbox.js", import.meta.url));
const picture = fileURLToPath(new URL("../docs/page.gif", import.meta.url));
const FRAME_MS = 1_000;
const COLOURS = 48;

const folder = mkdtempSync(join(tmpdir(), "signalbox-record-"));
const project = join(folder, "demo");
const run = promisify(execFile);

/** @param {string[]} args of signalbox */
const signalbox = async (...args) =>
  (await run(process.execPath, [program, ...args], { cwd: args[0] === "demo" ? folder : project })).stdout;

/** @type {(() => unknown)[]} */
const endings = [() => rmSync(folder, { recursive: true, force: true })];
try {
  await signalbox("demo", project);
  writeFileSync(picture, await record(await serve()));
} finally {
  for (const end of endings.reverse()) await end();
}

/** @returns the address that the server prints */
async function serve() {
  const server = spawn(process.execPath, [program, "serve", "--port", "0"], {
    cwd: project,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(server, "exit");
  endings.push(() => {
    server.kill("SIGTERM");
    return ended;
  });
  for await (const line of createInterface({ input: server.stdout })) {
    const [address] = /http:\/\/\S+/.exec(line) ?? [];
    if (address) return address;
  }
  throw new Error("The server printed no address.");
}

/** @param {string} address */
async function record(address) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
  endings.push(() => browser.close());
  const size = { width: 1_280, height: 800 };
  const context = await browser.newContext({
    viewport: size,
    deviceScaleFactor: 0.75,
    reducedMotion: "reduce",
    colorScheme: "light",
  });
  const page = await context.newPage();
  const decoder = await context.newPage();
  await page.goto(address);
  await page.getByText(/^live · last event #/).waitFor();
  /** @type {Uint8Array[]} */
  const frames = [];
  /** @param {number} seconds of the picture */
  const film = async (seconds) => {
    for (let nth = 0; nth < seconds; nth++) {
      const began = Date.now();
      const png = (await page.screenshot()).toString("base64");
      frames.push(Buffer.from(String(await decoder.evaluate(pixelsOf(png))), "base64"));
      await setTimeout(Math.max(0, began + FRAME_MS - Date.now()));
    }
  };
  await play(page, film);
  return gifOf(frames, size.width * 0.75, size.height * 0.75);
}

/**
 * What is seen.
 *
 * @param {import("playwright-core").Page} page
 * @param {(seconds: number) => Promise<void>} film
 */
async function play(page, film) {
  /** @param {string} view */
  const openView = (view) =>
    page
      .getByRole("link", { name: new RegExp(`^${view}`) })
      .first()
      .click();
  /** @param {string} title @param {string} session */
  const begin = async (title, session) => {
    const { id } = JSON.parse(await signalbox("task", "add", title, "--priority", "critical", "--json"));
    await signalbox("session", "start", String(id), "--session", session, "--force");
  };
  /** @param {string} session @param {string[]} said */
  const say = (session, ...said) => signalbox("signal", ...said, "--session", session);

  await film(4);
  await begin("Export orders as CSV", "night-1");
  await film(4);
  await begin("Rotate the signing key", "night-2");
  await film(3);
  await say("night-1", "learned", "--text", "Orders are stored in UTC.", "--kind", "discovery");
  await film(3);
  await say("night-2", "stuck", "--reason", "The key server refuses the old key.");
  await signalbox("session", "end", "night-2", "--exit", "exited");
  await film(5);
  await say("night-1", "ask", "--question", "Separate the columns by commas or by tabs?", "--blocking");
  await signalbox("session", "end", "night-1", "--exit", "exited");
  await openView("Inbox");
  await film(3);
  await page.getByRole("link", { name: /Separate the columns/ }).click();
  await film(3);
  await page.getByLabel("Your own answer").fill("By tabs: the names have commas.");
  await film(3);
  await page.keyboard.press("Control+Enter");
  await film(4);
  await openView("Board");
  await film(3);
  await page.getByRole("button", { name: /^Time bar/ }).click();
  await film(2);
  const slider = page.getByRole("slider", { name: "Position in the log" });
  await slider.focus();
  for (let nth = 0; nth < 8; nth++) {
    await page.keyboard.press("PageDown");
    await film(1);
  }
  await film(2);
  await page.getByRole("button", { name: "Back to now" }).click();
  await film(2);
  await openView("Log");
  await film(3);
  await page.locator(".log-row").nth(3).click();
  await film(5);
}

/** A script that reads a picture's pixels, as base64. @param {string} png */
function pixelsOf(png) {
  return `(async () => {
    const image = await createImageBitmap(await (await fetch("data:image/png;base64,${png}")).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let text = "";
    for (let at = 0; at < data.length; at += 32768) text += String.fromCharCode(...data.subarray(at, at + 32768));
    return btoa(text);
  })()`;
}

/**
 * A frame holds only what changed; the colours are those of all frames together.
 *
 * @param {Uint8Array[]} frames RGBA
 * @param {number} width
 * @param {number} height
 */
function gifOf(frames, width, height) {
  const { GIFEncoder, quantize, applyPalette } = gifenc;
  const palette = quantize(Buffer.concat(frames.filter((_, nth) => nth % 6 === 0)), COLOURS);
  const transparentIndex = palette.length;
  palette.push([0, 0, 0]);
  const gif = GIFEncoder();
  /** @type {Uint8Array | undefined} */
  let before;
  for (const frame of frames) {
    /** @type {Uint8Array} */
    const indexes = applyPalette(frame, palette.slice(0, transparentIndex));
    const changed = indexes.map((index, at) => (before?.[at] === index ? transparentIndex : index));
    gif.writeFrame(changed, width, height, {
      ...(before === undefined ? { palette, repeat: 0 } : {}),
      delay: FRAME_MS,
      transparent: before !== undefined,
      transparentIndex,
      dispose: 1,
    });
    before = indexes;
  }
  gif.finish();
  return gif.bytes();
}
