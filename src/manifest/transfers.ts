// The entries of `moved` that name another stack: which objects each takes. Whether they exist is not known here.

import type { ProblemText, SourceRange } from '../core/diagnostic.ts';
import { isList, isObject, type Json, type JsonObject } from '../core/json.ts';
import type { Transfer } from '../resource/marker/transfers.ts';
import type { ExpandContext } from './values/convert-value.ts';
import { expandName } from './values/expand-name.ts';

/** A transfer and its place in the document. */
export interface LocatedTransfer extends Transfer {
  readonly path: readonly string[];
  readonly range: SourceRange;
}

/** Reads every transfer that is known as a whole; wrong ones are reported. `own` is the manifest's stack, if it is known. */
export function readTransfers(
  { moved }: JsonObject,
  own: string | undefined,
  context: ExpandContext,
): LocatedTransfer[] {
  const entries = isList(moved) ? moved : [];
  return entries.flatMap((entry, index) => {
    const path = ['moved', String(index)];
    if (!isTransfer(entry) || !context.unknownValues.isWhole(path)) return [];
    const { from, to } = entry;
    const stack = stackOf(textOf(from['stack']), path, own, context);
    const problem = incompleteEnds(from, to);
    if (problem !== undefined) context.diagnostics.push(context.sourceMap.error('bad-move', path, problem));
    if (stack === undefined || problem !== undefined) return [];
    const ends = to === undefined ? undefined : { from: textOf(from['address']), to: textOf(to) };
    return [{ stack, ends, path, range: context.sourceMap.value(path) }];
  });
}

interface TransferEntry {
  readonly from: JsonObject;
  readonly to?: Json;
}

function isTransfer(entry: Json): entry is TransferEntry & JsonObject {
  return isObject(entry) && isObject(entry['from']);
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The stack that is named; its text as it is while a variable of it has no value, because the manifest is only inspected then. */
function stackOf(
  text: string,
  path: readonly string[],
  own: string | undefined,
  context: ExpandContext,
): string | undefined {
  const at = [...path, 'from', 'stack'];
  const stack = expandName(text, at, context, true);
  if (stack === undefined) return context.unknownValues.has(at) ? undefined : text;
  if (stack !== own) return stack;
  const words = { message: `${stack} is this very stack`, fix: 'write `from: ADDRESS` for a rename within the stack' };
  context.diagnostics.push(context.sourceMap.error('bad-move', at, words));
  return undefined;
}

/** An address goes with the address that it gets; without either, the whole stack is meant. */
function incompleteEnds(from: JsonObject, to: Json | undefined): ProblemText | undefined {
  if ((from['address'] === undefined) === (to === undefined)) return undefined;
  const [given, lacking] = to === undefined ? ['from.address', 'to'] : ['to', 'from.address'];
  const message = `the entry has \`${given}\` but no \`${lacking}\``;
  return { message, fix: `add \`${lacking}\`, or remove \`${given}\` to take everything that the stack owns` };
}
