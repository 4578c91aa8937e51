import { lazily } from "./lazily.tsx";
import { PlainText } from "./plain-text.tsx";

/** Untrusted markdown. The renderer is loaded when first needed; until then the text is shown as written. */
export const LazyMarkdown = lazily(
  async () => (await import("./markdown.tsx")).Markdown,
  ({ text }: { readonly text: string }) => <PlainText text={text} />,
);
