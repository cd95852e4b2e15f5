/** What there is before the first step of a document. */
export interface Setup {
  /** Folder of the repository that is copied. */
  readonly copy?: string;
  readonly to?: string;
  readonly files?: Readonly<Record<string, string>>;
}

/** By the document's path from the root. */
export const SETUPS: Readonly<Record<string, Setup | undefined>>;
export const FIRST: string;
