// The emulator's own rules without its server, over a store.

import type { Capability } from '../../src/catalog/kind.ts';
import { kinds } from '../../src/catalog/kinds/index.ts';
import type { Core } from '../../src/emulator/http/answer.ts';
import type { Router } from '../../src/emulator/http/router.ts';
import { createRouter } from '../../src/emulator/http/router.ts';

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
