// What one run has done so far, as its later steps and the write gate see it.

import { expect, test } from 'vitest';
import { emptyHistory, noteCreation, noteDeletion } from '../../../src/apply/gate/run-history.ts';

test('an object that is deleted takes with it what the plan says, what this run created inside, and nothing else', () => {
  const history = emptyHistory();
  const create = (kind: string, id: string, parentId?: string) => {
    noteCreation(history, { kind, address: `address of ${id}` }, { id, parentId, at: 0 });
  };
  create('https_edge', 'edghts_1');
  create('https_edge_route', 'edghtsrt_1', 'edghts_1');
  create('https_edge_route', 'edghtsrt_2', 'edghts_2');
  const deletes = ['edghts_1', 'edghtsrt_9'].map((id) => ({ live_id: id, address: '', kind: '', values: {} }));
  noteDeletion(history, { address: 'https_edges.a', deletes }, 'edghts_1');
  expect([...history.deleted.keys()]).toEqual(['edghts_1', 'edghtsrt_9', 'edghtsrt_1']);
});
