// Plans of one stack on an emulator, for tests of safety rules: what is refused, and what an apply leaves.

import { expect } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { PlanOptions } from '../../src/plan/plan-options.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { World } from './world.ts';

/** Objects that are always there, so that a manifest is never empty. */
const KEEP = { tls_edges: { k1: {}, k2: {}, k3: {} } };

export interface Planning {
  readonly planned: (content: JsonObject, options?: Partial<PlanOptions>) => Promise<Plan>;
  /** Applies what is not refused; every step is done, and nothing is left to do. */
  readonly done: (content: JsonObject, options?: Partial<PlanOptions>) => Promise<Plan>;
  /** Ids of a list. */
  readonly ids: (list: string) => string[];
  readonly object: (list: string, id: string) => JsonObject;
  /** Somebody else creates an object, and has its id. */
  readonly create: (path: string, body: JsonObject) => Promise<string>;
}

export function planningOn(world: World): Planning {
  const { emulator } = world;
  const stack = ({ tls_edges: edges, ...content }: JsonObject): JsonObject => ({
    version: 1,
    stack: 'shop',
    ...content,
    tls_edges: { ...KEEP.tls_edges, ...(edges as JsonObject | undefined) },
  });
  const planned: Planning['planned'] = (content, options) => world.plan(stack(content), options);
  return {
    planned,
    done: async (content, options) => {
      const { plan, results } = await world.apply(stack(content), options);
      expect([plan.refusals, plan.diagnostics, plan.blocked]).toEqual([[], [], []]);
      expect(results.filter((result) => result.status !== 'done')).toEqual([]);
      const after = await planned(content, options);
      expect([after.steps, after.refusals]).toEqual([[], []]);
      return plan;
    },
    ids: (list) => emulator.objects(list).map((object) => String(object['id'])),
    object: (list, id) => emulator.objects(list).find((object) => object['id'] === id) ?? {},
    create: async (path, body) => {
      const authorization = `Bearer ${emulator.apiKey}`;
      const headers = { authorization, 'service-version': '2', 'content-type': 'application/json' };
      const response = await fetch(emulator.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      const made = (await response.json()) as JsonObject;
      expect(response.status, JSON.stringify(made)).toBe(201);
      return String(made['id']);
    },
  };
}

export function rules(plan: Plan): string[] {
  return plan.refusals.map((refusal) => refusal.rule);
}

/** All that the refusals say. */
export function words(plan: Plan): string {
  return plan.refusals.map(({ message, fix = '' }) => `${message}; ${fix}`).join('\n');
}

export function allowing(...addresses: string[]): Partial<PlanOptions> {
  return { allowLoss: addresses };
}
