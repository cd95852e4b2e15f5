export interface Step {
  readonly file?: string;
  readonly text?: string;
  readonly command?: string;
  readonly code?: number;
}
export function stepsOf(markdown: string): readonly Step[];
export function looseCommands(markdown: string): string | undefined;
