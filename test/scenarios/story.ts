// Stories told as text: manifests are applied, the world changes, and the facts of every plan and every request are written down.
// The golden file of a story is meant to be read from top to bottom.

import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { METADATA } from '../../src/catalog/fields/common.ts';
import type { Capability } from '../../src/catalog/kind.ts';
import { readMarker } from '../../src/resource/marker/marker-codec.ts';
import type { PlanOptions } from '../../src/plan/plan-options.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { World } from '../support/world.ts';
import { planLines } from '../support/plan-lines.ts';
import { planSentences } from '../support/plan-sentences.ts';
import { Overlaid, startWorld } from '../support/world.ts';

/** A manifest, or one with an overlay, both below `version` and `stack`. */
type Text = string | { readonly manifest: string; readonly overlay: string };

export interface Story {
  readonly world: World;
  /** Applies a manifest (YAML below `version` and `stack`) without writing it down; it must be done and stay done. */
  readonly given: (yaml: string, stack?: string) => Promise<void>;
  /** Writes down the manifest's plan. */
  readonly plan: (title: string, yaml: Text, options?: Partial<PlanOptions>) => Promise<Plan>;
  /** Writes down the plan, the requests that applying it sends, and the plan after it. */
  readonly apply: (title: string, yaml: Text, options?: Partial<PlanOptions>) => Promise<Plan>;
  /** Somebody else changes the object with that address; `null` unsets a field. */
  readonly outside: (listKey: string, address: string, patch: JsonObject) => void;
  /** Somebody else creates an object, straight at the service. */
  readonly post: (path: string, body: JsonObject) => Promise<void>;
  /** Somebody else deletes it. */
  readonly vanish: (listKey: string, address: string) => void;
  /** Id of the object with that address in its marker. */
  readonly id: (listKey: string, address: string) => string;
  readonly say: (text: string) => void;
}

export interface StoryOptions {
  readonly disabled?: readonly Capability[];
}

const told = new Set<string>();

/** What the plans of all stories so far say to people, each sentence once. */
export function sentencesTold(): string[] {
  return [...told].sort();
}

/** One story; its text is compared with `golden/NAME.txt`. */
export function story(name: string, tell: (story: Story) => Promise<void>, options: StoryOptions = {}): void {
  test(name, async () => {
    const world = await startWorld(options);
    const text: string[] = [];
    try {
      await tell(storyOn(world, text));
      const file = `./golden/${name.replaceAll(/[^a-z0-9]+/gi, '-').toLowerCase()}.txt`;
      await expect(`${text.join('\n\n')}\n`).toMatchFileSnapshot(file);
    } finally {
      await world.close();
    }
  });
}

function manifest(yaml: string, stack = 'shop'): string {
  return `version: 1\nstack: ${stack}\n${yaml}\n`;
}

function sourceOf(text: Text): string | Overlaid {
  return typeof text === 'string' ? manifest(text) : new Overlaid(manifest(text.manifest), text.overlay);
}

function written(text: Text): string[] {
  return typeof text === 'string' ? [text.trim()] : [text.manifest.trim(), '# laid over it', text.overlay.trim()];
}

function storyOn(world: World, text: string[]): Story {
  const factsOf = (plan: Plan) => {
    for (const sentence of planSentences(plan)) told.add(sentence);
    return planLines(plan);
  };
  const id = (listKey: string, address: string) => idOf(world, listKey, address);
  return {
    world,
    given: async (yaml, stack) => {
      const { results } = await world.apply(manifest(yaml, stack));
      expect(results.filter((result) => result.status !== 'done')).toEqual([]);
      expect((await world.plan(manifest(yaml, stack))).steps).toEqual([]);
    },
    plan: async (title, yaml, options) => {
      const plan = await world.plan(sourceOf(yaml), options);
      text.push(`## ${title}`, ...written(yaml), factsOf(plan));
      return plan;
    },
    apply: async (title, yaml, options) => {
      world.writes();
      const { plan, results } = await world.apply(sourceOf(yaml), options);
      text.push(`## ${title}`, ...written(yaml), factsOf(plan));
      text.push(`sent:\n${world.writes().map(requestLine).join('\n')}`);
      expect(results.filter((result) => result.status !== 'done')).toEqual([]);
      const again = await world.plan(sourceOf(yaml), options);
      text.push(`again, ${factsOf(again)}`);
      const errors = again.diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
      expect({ steps: again.steps, errors, refusals: again.refusals }).toEqual({ steps: [], errors: [], refusals: [] });
      return plan;
    },
    outside: (listKey, address, patch) => {
      world.emulator.mutate(listKey, id(listKey, address), patch);
      text.push(`## somebody changes ${address}: ${JSON.stringify(patch)}`);
    },
    post: async (path, body) => {
      const headers = { authorization: `Bearer ${world.emulator.apiKey}`, 'service-version': '2' };
      const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } };
      const answer = await fetch(`${world.emulator.url}${path}`, { ...init, body: JSON.stringify(body) });
      expect(answer.status).toBe(201);
      text.push(`## somebody creates ${JSON.stringify(body)} at ${path}`);
    },
    vanish: (listKey, address) => {
      world.emulator.remove(listKey, id(listKey, address));
      text.push(`## somebody deletes ${address}`);
    },
    id,
    say: (line) => text.push(line),
  };
}

function idOf(world: World, listKey: string, address: string): string {
  const found = world.emulator
    .objects(listKey)
    .find((object) => readMarker(String(object[METADATA] ?? '')).marker?.address === address);
  if (found === undefined) throw new Error(`nothing carries ${address}`);
  return String(found['id']);
}

/** Method, path and body; the marker is left out, the user's own metadata is not. */
function requestLine({ method, path, body }: { method: string; path: string; body?: unknown }): string {
  if (typeof body !== 'object' || body === null) return `  ${method} ${path}`;
  const { [METADATA]: metadata, ...rest } = body as JsonObject;
  const { user, marker } = readMarker(typeof metadata === 'string' ? metadata : '');
  const marked = metadata === undefined ? '' : marker === undefined ? ' - marker' : ' + marker';
  return `  ${method} ${path} ${JSON.stringify(user === '' ? rest : { ...rest, metadata: user })}${marked}`;
}
