import { QueryClientProvider } from "@tanstack/preact-query";
import { render } from "preact";
import { queryClient } from "./answers.ts";
import { listenForKeys } from "./keys.ts";
import { followLog } from "./live.ts";
import { Page } from "./shell/page.tsx";
import { applyTheme } from "./shell/theme.ts";
import "./style/tokens.css";
import "./style/base.css";

applyTheme();
listenForKeys();
followLog();
const root = document.getElementById("page");
if (root) {
  render(
    <QueryClientProvider client={queryClient}>
      <Page />
    </QueryClientProvider>,
    root,
  );
}
