export interface Step {
  readonly file?: string;
  readonly text?: string;
  readonly command?: string;
  readonly code?: number;
}
export function stepsOf(markdown: string): readonly Step[];
export function looseCommands(markdown: string): string | undefined;

export interface Fence {
  readonly language: string;
  /** The name in brackets after the language. */
  readonly file: string | undefined;
  readonly text: string;
}
export function fencesIn(markdown: string): { readonly fences: readonly Fence[]; readonly outside: string };
