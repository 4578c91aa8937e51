import { Component, type ComponentChildren } from "preact";
import { queryClient } from "../answers.ts";
import { errorMessage, visible } from "../core.ts";
import { State } from "../parts/states.tsx";

interface BoundaryProps {
  /** The subject of the error message: "This view". */
  readonly what: string;
  /** A key for the content: when it changes, the content is tried again. */
  readonly of: string;
  readonly children: ComponentChildren;
}

/** An error boundary: a part that fails shows its error, and the rest of the page keeps working. */
export class Boundary extends Component<BoundaryProps, { readonly fault?: string | undefined }> {
  static override getDerivedStateFromError(error: unknown) {
    return { fault: visible(errorMessage(error)) };
  }

  override componentDidUpdate(before: BoundaryProps) {
    if (before.of !== this.props.of) this.#tryAgain();
  }

  override render() {
    const { fault } = this.state;
    return fault === undefined ? (
      this.props.children
    ) : (
      <State look="fault" role="alert">
        {this.props.what} could not be shown: {fault}{" "}
        <button type="button" onClick={this.#tryAgain}>
          Try again
        </button>
      </State>
    );
  }

  readonly #tryAgain = () => {
    if (this.state.fault === undefined) return;
    // The cause may be a cached answer, which would not be requested again.
    queryClient.removeQueries({ type: "inactive" });
    this.setState({ fault: undefined });
  };
}
