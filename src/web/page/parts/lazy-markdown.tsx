import { lazily } from "./lazily.tsx";
import { Words } from "./words.tsx";

/** A text that somebody else wrote as markdown: what reads it comes when one is first shown, and until then it is shown as written. */
export const LazyMarkdown = lazily(
  async () => (await import("./markdown.tsx")).Markdown,
  ({ text }: { readonly text: string }) => <Words text={text} />,
);
