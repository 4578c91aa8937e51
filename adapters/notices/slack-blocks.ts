import { type Message, type Notice, type NoticeAct, oneLine, shorten } from "./core.ts";
import { agentLines, headline, plainLine, titleOf } from "./text.ts";

interface Block {
  readonly type: string;
  readonly text?: object;
  readonly elements?: readonly object[];
}

/**
 * A message in Slack's Block Kit. All texts are text elements of rich text, or plain text: no sign in them mentions anybody, forms a link
 * or ends a quotation. What an agent wrote stands in quotations.
 *
 * @param hasButtons whether somebody listens for them
 */
export function slackMessage(
  message: Message,
  hasButtons: boolean,
): { readonly text: string; readonly blocks: readonly Block[] } & Readonly<Record<string, unknown>> {
  const { notices } = message;
  const limit = notices.length === 1 ? TEXT_LIMIT : DIGEST_TEXT_LIMIT;
  const left = notices.length - NOTICE_LIMIT;
  return {
    // For notifications and screen readers; Slack reads marks in it.
    text: escaped(titleOf(message)),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: "header", text: plainText(titleOf(message)) },
      ...notices
        .slice(0, NOTICE_LIMIT)
        .flatMap((notice, index) => [
          { type: "rich_text", elements: richTextOf(notice, limit) },
          ...(hasButtons ? buttonsOf(notice, index) : []),
        ]),
      ...(left > 0 ? [{ type: "section", text: plainText(`${left} more: see the inbox.`) }] : []),
    ],
  };
}

/** A message has at most 50 blocks; of a digest all texts together must stay within its size. */
const NOTICE_LIMIT = 20;
const TEXT_LIMIT = 2_000;
const DIGEST_TEXT_LIMIT = 200;

/** In a text where Slack reads marks, these three begin all of them. */
export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const plainText = (text: string) => ({ type: "plain_text", text, emoji: false });

function richTextOf({ link, ...notice }: Notice, limit: number) {
  const { task, text, detail, options, at } = notice;
  return [
    section(bold(headline({ ...notice, link }))),
    ...(task ? quotation([task.title], limit) : []),
    ...(text === "" ? [] : [section(plain("Text:")), ...quotation([text], limit)]),
    ...(detail ? [section(plain("Details:")), ...quotation([detail], limit)] : []),
    ...(options.length > 0 ? [section(plain("Options:")), ...quotation(options.map(oneLine), limit)] : []),
    section(
      plain(`Recorded at ${at}. `),
      ...(link === null ? [] : [{ type: "link", url: link, text: "Open it" }]),
    ),
  ];
}

function quotation(texts: readonly string[], limit: number) {
  const parts = texts.map((text) => agentLines(text, limit));
  const lines = parts.flatMap(({ lines }) => lines).join("\n");
  return [
    // An empty text element is refused.
    { type: "rich_text_quote", elements: [plain(lines === "" ? " " : lines)] },
    ...(parts.some(({ isCut }) => isCut) ? [section(plain("Cut here: the rest is on the page."))] : []),
  ];
}

const plain = (text: string) => ({ type: "text", text });
const bold = (text: string) => ({ type: "text", text, style: { bold: true } });
const section = (...elements: readonly object[]) => ({ type: "rich_text_section", elements });

/** One for each act that needs no text; what needs one is done on the page. */
function buttonsOf({ acts }: Notice, index: number): Block[] {
  const elements = acts
    .filter(({ needsText, answer }) => !needsText && JSON.stringify(answer.body).length <= VALUE_LIMIT)
    .slice(0, BUTTON_LIMIT)
    .map((act, button) => ({
      type: "button",
      action_id: `act-${index}-${button}`,
      text: plainText(labelOf(act)),
      value: JSON.stringify(act.answer.body),
    }));
  return elements.length > 0 ? [{ type: "actions", elements }] : [];
}

const VALUE_LIMIT = 2_000;
const BUTTON_LIMIT = 25;

/** An option is an agent's words: it stands behind a word of ours. */
function labelOf({ label, answer }: NoticeAct): string {
  return answer.body.text === undefined ? label : shorten(`Answer: ${plainLine(label)}`, 75);
}
