import { lazily } from "./lazily.tsx";
import { PlainText } from "./plain-text.tsx";

/** Untrusted markdown, shown as written until the renderer is loaded. */
export const LazyMarkdown = lazily(
  async () => (await import("./markdown.tsx")).Markdown,
  ({ text }: { readonly text: string }) => <PlainText text={text} />,
);
