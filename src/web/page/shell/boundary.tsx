import { Component, type ComponentChildren } from "preact";
import { visible } from "../../../events/visible.ts";
import { queryClient } from "../answers.ts";

interface BoundaryProps {
  /** As a sentence begins: "This view". */
  readonly what: string;
  /** What it shows; of something else it is tried again. */
  readonly of: string;
  readonly children: ComponentChildren;
}

/** What cannot be drawn says so in its place, and the rest of the page goes on. */
export class Boundary extends Component<BoundaryProps, { readonly fault?: string | undefined }> {
  static override getDerivedStateFromError(error: unknown) {
    return { fault: visible(error instanceof Error ? error.message : String(error)) };
  }

  override componentDidUpdate(before: BoundaryProps) {
    if (before.of !== this.props.of) this.#tryAgain();
  }

  override render() {
    const { fault } = this.state;
    return fault === undefined ? (
      this.props.children
    ) : (
      <p class="fault" role="alert">
        {this.props.what} could not be shown: {fault}{" "}
        <button type="button" onClick={this.#tryAgain}>
          Try again
        </button>
      </p>
    );
  }

  readonly #tryAgain = () => {
    if (this.state.fault === undefined) return;
    // What it could not draw may have been an answer, which nobody would ask for anew.
    queryClient.removeQueries({ type: "inactive" });
    this.setState({ fault: undefined });
  };
}
