// Outputs as far as they are known: what a report says is true, so it leaves out what waits for an object.

import type { Json } from '../base/json.ts';
import type { Value } from '../base/value.ts';
import { eachLeaf, Expression } from '../base/value.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { reference } from './placeholder.ts';

type Outputs = Readonly<Record<string, Json>>;

/** The outputs of a plan without those in which a reference has no value yet. */
export function knownOutputs({ outputs: declared }: Pick<Manifest, 'outputs'>, outputs: Outputs): Outputs {
  const isKnown = (name: string, value: Json) => {
    const text = JSON.stringify(value);
    return referencesIn(declared.get(name) ?? null).every((one) => !text.includes(JSON.stringify(one).slice(1, -1)));
  };
  return Object.fromEntries(Object.entries(outputs).filter(([name, value]) => isKnown(name, value)));
}

function referencesIn(value: Value): string[] {
  const found: string[] = [];
  eachLeaf(value, (leaf) => {
    if (!(leaf instanceof Expression)) return;
    for (const { address, attr } of leaf.references()) found.push(reference(address, attr));
  });
  return found;
}
