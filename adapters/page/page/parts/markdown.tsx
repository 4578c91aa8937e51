import { Lexer, type Token, type Tokens } from "marked";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Marked } from "./marked.tsx";
import { readable } from "./readable.ts";
import "./markdown.css";

/**
 * Untrusted markdown as elements: no text becomes markup, no image is loaded, links show their host.
 * Text that would take long to parse, or that cannot be parsed, is shown as written (docs/panel.md).
 */
export function Markdown({ text }: { readonly text: string }) {
  const [isForced, setForced] = useState(false);
  const isHeavy = text.length > LENGTH_LIMIT || countMarks(text) > MARKS_LIMIT;
  const blocks = isHeavy && !isForced ? undefined : blocksOf(text);
  if (blocks) return <div class="markdown">{blocks.map((token) => block(token, 0))}</div>;
  return (
    <div class="markdown">
      <p class="plain">
        <Marked text={readable(text)} />
      </p>
      {isHeavy && !isForced && (
        <button type="button" onClick={() => setForced(true)}>
          Render anyway
        </button>
      )}
    </div>
  );
}

/** In characters. */
const LENGTH_LIMIT = 8_000;
/** The lexer takes time that grows with the square of these. */
const MARKS_LIMIT = 1_000;
/** Deeper nesting is shown as written. */
const DEPTH_LIMIT = 20;
const KEPT = 300;

/** A cache: the same rows are rendered again and again while scrolling. */
const known = new Map<string, readonly Token[] | undefined>();

/** @returns undefined if the lexer cannot read the text */
function blocksOf(text: string): readonly Token[] | undefined {
  if (known.has(text)) return known.get(text);
  if (known.size >= KEPT) known.clear();
  const tokens = lex(text);
  known.set(text, tokens);
  return tokens;
}

function lex(text: string): readonly Token[] | undefined {
  try {
    return new Lexer({ gfm: true }).lex(text);
  } catch {
    // Its stack overflows on thousands of nested quotes.
    return undefined;
  }
}

function countMarks(text: string): number {
  return text.length < MARKS_LIMIT ? 0 : (text.match(/[*_~[]/g)?.length ?? 0);
}

function block(token: Token, depth: number): ComponentChildren {
  if (depth > DEPTH_LIMIT)
    return (
      <p class="plain">
        <Marked text={readable(token.raw)} />
      </p>
    );
  // marked types its own tokens and those of extensions alike, so `type` does not narrow them.
  const known = token as MarkedToken;
  switch (known.type) {
    case "space":
    case "def":
      return null;
    case "paragraph":
      return <p>{inlines(known.tokens, depth)}</p>;
    case "text":
      return known.tokens ? inlines(known.tokens, depth) : <Marked text={readable(known.text)} />;
    case "heading":
      return <p class="heading">{inlines(known.tokens, depth)}</p>;
    case "code":
      return (
        <pre>
          <code>
            <Marked text={readable(known.text)} />
          </code>
        </pre>
      );
    case "blockquote":
      return <blockquote>{known.tokens.map((inner) => block(inner, depth + 1))}</blockquote>;
    case "list":
      return list(known, depth);
    case "table":
      return table(known, depth);
    case "hr":
      return <hr />;
    case "checkbox":
      return known.checked ? "☑ " : "☐ ";
    default:
      return isInline(known) ? (
        inline(known, depth)
      ) : (
        <p class="plain">
          <Marked text={readable(token.raw)} />
        </p>
      );
  }
}

type MarkedToken =
  | Tokens.Space
  | Tokens.Def
  | Tokens.Paragraph
  | Tokens.Text
  | Tokens.Heading
  | Tokens.Code
  | Tokens.Blockquote
  | Tokens.List
  | Tokens.Table
  | Tokens.Hr
  | Tokens.Checkbox
  | InlineToken;
type InlineToken =
  | Tokens.Strong
  | Tokens.Em
  | Tokens.Del
  | Tokens.Codespan
  | Tokens.Br
  | Tokens.Escape
  | Tokens.Image
  | Tokens.Link;

function isInline({ type }: MarkedToken): boolean {
  return ["strong", "em", "del", "codespan", "br", "escape", "image", "link"].includes(type);
}

function list({ ordered, start, items }: Tokens.List, depth: number): ComponentChildren {
  const entries = items.map(({ tokens }) => <li>{tokens.map((inner) => block(inner, depth + 1))}</li>);
  return ordered ? <ol start={start === "" ? 1 : start}>{entries}</ol> : <ul>{entries}</ul>;
}

function table({ header, rows }: Tokens.Table, depth: number): ComponentChildren {
  return (
    <table>
      <thead>
        <tr>
          {header.map(({ tokens }) => (
            <th>{inlines(tokens, depth)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr>
            {cells.map(({ tokens }) => (
              <td>{inlines(tokens, depth)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function inlines(tokens: readonly Token[] | undefined, depth: number): ComponentChildren {
  return tokens?.map((token) => inline(token, depth + 1));
}

function inline(token: Token, depth: number): ComponentChildren {
  if (depth > DEPTH_LIMIT) return <Marked text={readable(token.raw)} />;
  const known = token as InlineToken;
  switch (known.type) {
    case "strong":
      return <strong>{inlines(known.tokens, depth)}</strong>;
    case "em":
      return <em>{inlines(known.tokens, depth)}</em>;
    case "del":
      return <del>{inlines(known.tokens, depth)}</del>;
    case "codespan":
      return (
        <code>
          <Marked text={readable(known.text)} />
        </code>
      );
    case "br":
      return <br />;
    case "escape":
      return <Marked text={readable(known.text)} />;
    case "image":
      return `[image: ${readable(known.text || "no description")}]`;
    case "link":
      return <Link address={known.href} raw={known.raw} words={inlines(known.tokens, depth)} />;
    default:
      return "tokens" in token && token.tokens ? (
        inlines(token.tokens, depth)
      ) : (
        <Marked text={readable(token.raw)} />
      );
  }
}

/** An external link: shows its host and sends no referrer. Other schemes stay text. */
function Link(link: { readonly address: string; readonly raw: string; readonly words: ComponentChildren }) {
  const target = URL.canParse(link.address) ? new URL(link.address) : undefined;
  if (!target || !/^https?:$/.test(target.protocol)) return <>{readable(link.raw)}</>;
  return (
    <>
      <a href={target.href} target="_blank" rel="noreferrer noopener nofollow">
        {link.words}
      </a>
      <span class="muted"> ({target.host})</span>
    </>
  );
}
