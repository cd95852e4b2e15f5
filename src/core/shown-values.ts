// What a service showed in place of values that were sent to it, by the name of their field (record 0088).

/** By field, digests of the value that was sent and of the one that was shown. */
export type ShownValues = ReadonlyMap<string, string>;

interface LaterWrite {
  /** Names of the fields that it sent. */
  readonly sent: Pick<ReadonlySet<string>, 'has'>;
  readonly shown: ShownValues;
}

/** Of each field what was shown after the last write of it: a value that was taken forgets what was shown before. */
export function afterWrite(before: ShownValues | undefined, { sent, shown }: LaterWrite): ShownValues {
  const others = [...(before ?? [])].filter(([field]) => !sent.has(field));
  return new Map([...others, ...shown]);
}
