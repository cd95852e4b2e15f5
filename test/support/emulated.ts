// The emulator's own rules without its server, over a store; and an emulator made empty again.

import type { Capability } from '../../src/catalog/kind.ts';
import { kinds } from '../../src/catalog/kinds/index.ts';
import type { Core } from '../../src/emulator/http/answer.ts';
import type { Router } from '../../src/emulator/http/router.ts';
import { createRouter } from '../../src/emulator/http/router.ts';
import type { Emulator } from '../../src/emulator/http/server.ts';

const routers = new Map<string, Router>();

/** Routers are costly to build and hold nothing of a service. */
function routerWithout(disabled: readonly Capability[]): Router {
  const key = disabled.join();
  const made = routers.get(key) ?? createRouter(kinds, new Set(disabled));
  routers.set(key, made);
  return made;
}

interface CoreOptions extends Pick<Core, 'view' | 'now'> {
  readonly apiKey: string;
  readonly disabled?: readonly Capability[] | undefined;
  readonly pageSize?: number | undefined;
}

export function coreOf({ view, now, apiKey, disabled = [], pageSize = 100 }: CoreOptions): Core {
  return {
    view,
    access: {
      apiKey,
      holder: { owner: 'usr_me', admin: true },
      versionHeader: { name: 'Service-Version', value: '2' },
    },
    router: routerWithout(disabled),
    pages: { pageSize, limits: !disabled.includes('paging-limit') },
    now,
  };
}

/** Takes away all that it has. */
export function empty(emulator: Emulator): void {
  const lists = kinds.flatMap(({ parent, operations }) => (parent === undefined ? (operations.list?.key ?? []) : []));
  for (const key of lists) for (const { id } of emulator.objects(key)) emulator.remove(key, String(id));
}
