// Findings about children that somebody added to the stack's own objects.

import type { Match } from '../plan/match/match.ts';
import { summaryOf, type DescribedChild } from '../plan/foreign-children.ts';
import type { Change } from '../plan/plan.ts';
import { groupBy } from '../core/group.ts';
import { exposuresOfChild } from '../plan/door-exposures.ts';
import { finding, type Finding } from './finding.ts';

/** Children that were added to objects of the stack; the parent is the stack's already, not only about to be adopted. */
export function foreignChildFindings(foreign: readonly DescribedChild[], { ownership, snapshot }: Match): Finding[] {
  if (foreign.length === 0) return [];
  const liveById = new Map(snapshot.resources.map((live) => [live.id, live]));
  const inside = groupBy(snapshot.resources, ({ parentId }) => parentId);
  return foreign.flatMap((child) => {
    const live = liveById.get(child.live_id);
    const above = liveById.get(live?.parentId ?? '');
    if (live === undefined || above === undefined || !ownership.isOurs(above)) return [];
    const exposures = exposuresOfChild(live, inside.get(above.id) ?? [], child.address);
    const { address, kind, live_id, parent, mark, fix, adopt } = child;
    const changes = Object.entries(child.values).map(([path, before]): Change => {
      return { path, before, after: null, effect: 'update', cause: 'drift', sensitive: child.secrets.includes(path) };
    });
    const evidence = `in ${parent}: ${summaryOf(child)}${mark === undefined ? '' : `; ${mark}`}`;
    const content = { type: 'foreign-child', address, kind, live_id, parent, cause: 'drift' } as const;
    return [
      finding(
        {
          ...content,
          changes,
          evidence,
          adopt,
          ...(fix !== undefined && { fix }),
          ...(exposures.length > 0 && { exposures }),
        },
        { desired: { spec: {} }, live },
        mark,
      ),
    ];
  });
}
