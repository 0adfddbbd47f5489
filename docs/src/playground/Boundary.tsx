/**
 * @file An error boundary: if a part cannot be drawn, its place shows the reason, and the reader's program stays.
 * @original
 */
import { Component, type ReactNode } from "react";

interface BoundaryProps {
  readonly children: ReactNode;
  /** `The recording`: what is said not to be showable. */
  readonly what: string;
}

export class Boundary extends Component<BoundaryProps, { readonly problem: string | null }> {
  override state = { problem: null };

  static getDerivedStateFromError(error: unknown): { problem: string } {
    return { problem: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    const { problem } = this.state;
    if (problem === null) return this.props.children;
    return (
      <p className="pg-note" role="alert">
        {this.props.what} cannot be shown: {problem}
      </p>
    );
  }
}
