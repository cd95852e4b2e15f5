// The rules of the write gate, one by one: a write that may be sent, and the smallest change that must stop it.

import { describe, expect, test } from 'vitest';
import type { ApiWrite, ReadClient } from '../../src/service/transport.ts';
import { ApiError } from '../../src/service/transport.ts';
import { createGate, GateViolation } from '../../src/apply/gate/gate.ts';
import type { GateScope, GatedWrite } from '../../src/apply/gate/gate-rules.ts';
import { ANSWER_RULES } from '../../src/apply/gate/answer-rules.ts';
import { WRITE_RULES } from '../../src/apply/gate/gate-rules.ts';
import { emptyHistory, noteCreation, noteWritten } from '../../src/apply/gate/run-history.ts';
import type { ObservedObject } from '../../src/apply/refresh-object.ts';
import { observedFrom } from '../../src/apply/refresh-object.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { kindByName } from '../../src/catalog/lookup.ts';
import { writeMarker } from '../../src/resource/marker/marker-codec.ts';
import { scopeOfStack, type OwnershipScope } from '../../src/resource/marker/ownership.ts';
import type { LiveResource, Marker } from '../../src/resource/snapshot.ts';
import type { Step } from '../../src/plan/plan.ts';
import { fingerprintFields } from '../../src/plan/fingerprint.ts';

const ADDR = kindByName('reserved_addr');
const EDGE = kindByName('https_edge');
const ROUTE = kindByName('https_edge_route');
const SESSION = kindByName('application_session');

const markerOf = (address: string, more: Partial<Marker> = {}): string =>
  writeMarker('', { v: 1, stack: 'shop', address, applied: {}, ...more });
const MARKER: Marker = { v: 1, stack: 'shop', address: 'reserved_addrs.db', applied: {} };
const addr = (id: string, metadata = markerOf('reserved_addrs.db'), more: JsonObject = {}): ObservedObject =>
  observedFrom(ADDR, { id, metadata, ...more }, undefined);
const route = (id: string, parent: string, address = 'https_edges.site.routes.r'): ObservedObject =>
  observedFrom(ROUTE, { id, edge_id: parent, metadata: markerOf(address) }, 'edghts_1');

function ownEdge(metadata = markerOf('https_edges.site')): ObservedObject {
  return observedFrom(EDGE, { id: 'edghts_1', hostports: [], metadata, routes: [] }, undefined);
}

function step(sight: ObservedObject | undefined, action: Step['action'] = 'update', more: Partial<Step> = {}): Step {
  const kind = sight === undefined ? ADDR : kindByName(sight.live.kind);
  return {
    id: 's1',
    action,
    address: 'reserved_addrs.db',
    kind: kind.name,
    live_id: sight?.live.id ?? null,
    reason: { code: 'not-in-manifest', text: '' },
    source: null,
    depends_on: [],
    precondition: null,
    ...(sight && {
      seen: fingerprintFields(kind, sight.live, {
        children: action === 'delete' ? sight.children.map(({ live }) => live) : [],
      }),
    }),
    changes: [],
    requests: [],
    ...more,
  };
}

const bare = { kind: ADDR, address: 'reserved_addrs.db', parentId: undefined } as const;
const ours = addr('ra_1');
const CREATE: GatedWrite = {
  ...bare,
  request: { method: 'POST', path: '/reserved_addrs', body: { metadata: markerOf('reserved_addrs.db') } },
  id: null,
  step: step(undefined, 'create'),
};
const UPDATE: GatedWrite = {
  ...bare,
  request: { method: 'PATCH', path: '/reserved_addrs/ra_1', body: {} },
  id: 'ra_1',
  step: step(ours),
  observed: ours,
};
const DELETE: GatedWrite = {
  ...UPDATE,
  users: [],
  request: { method: 'DELETE', path: '/reserved_addrs/ra_1' },
  step: step(ours, 'delete'),
};
const ROUTE_DELETE: GatedWrite = {
  request: { method: 'DELETE', path: '/edges/https/edghts_1/routes/edghtsrt_1' },
  kind: ROUTE,
  address: 'https_edges.site.routes.r',
  id: 'edghtsrt_1',
  parentId: 'edghts_1',
  step: step(route('edghtsrt_1', 'edghts_1'), 'delete', { address: 'https_edges.site.routes.r' }),
  observed: route('edghtsrt_1', 'edghts_1'),
  parent: ownEdge(),
};
const ROUTE_CREATE: GatedWrite = {
  ...ROUTE_DELETE,
  request: {
    method: 'POST',
    path: '/edges/https/edghts_1/routes',
    body: { metadata: markerOf('https_edges.site.routes.r') },
  },
  id: null,
  step: step(undefined, 'create', { address: 'https_edges.site.routes.r', kind: ROUTE.name }),
  observed: undefined,
};
const session = observedFrom(SESSION, { id: 'as_1' }, undefined);
const REVOKE: GatedWrite = {
  request: { method: 'DELETE', path: '/app/sessions/as_1' },
  kind: SESSION,
  address: 'as_1',
  id: 'as_1',
  parentId: undefined,
  step: { ...step(undefined, 'delete', { kind: SESSION.name }), live_id: 'as_1' },
  observed: session,
};
const edge = (routes: JsonObject[]): ObservedObject =>
  observedFrom(EDGE, { id: 'edghts_1', metadata: markerOf('https_edges.site'), routes }, undefined);
const inside = (metadata: string): JsonObject => ({ id: 'edghtsrt_1', edge_id: 'edghts_1', metadata });
function imported(more: JsonObject = {}, address = 'reserved_addrs.net'): LiveResource {
  return addr('ra_9', markerOf(address, { stack: 'network' }), { addr: 'a:1', ...more }).live;
}
const BY_MARKER = { address: 'imports.net', attrs: ['addr'], isByMarker: true, before: imported() };
/** A creation that carries the value of an import, which is so by now. */
const importing = (now: LiveResource | undefined, isByMarker = true): GatedWrite => ({
  ...CREATE,
  step: { ...CREATE.step, imports: ['imports.net'] },
  imports: [{ ...BY_MARKER, isByMarker, now }],
});
const IMPORTING = importing(imported());
const OWN_ROUTE = markerOf('https_edges.site.routes.r');
const edgeDelete = (routes: JsonObject[]): GatedWrite => ({
  request: { method: 'DELETE', path: '/edges/https/edghts_1' },
  kind: EDGE,
  address: 'https_edges.site',
  id: 'edghts_1',
  parentId: undefined,
  step: step(edge(routes), 'delete', { address: 'https_edges.site' }),
  observed: edge(routes),
});

function scopeOf(more: Partial<GateScope> = {}): GateScope {
  const history = emptyHistory();
  const made = { id: 'ra_new', parentId: undefined, at: 0 };
  noteCreation(history, { kind: ADDR.name, address: 'reserved_addrs.db' }, made);
  const known = new Set(['ra_1', 'ra_known']);
  const live = new Map([['edghts_1', edge([]).live]]);
  return { ownershipScope: scopeOfStack('shop'), live, known, history, ...more };
}

function refusing(write: GatedWrite, scope = scopeOf()): string[] {
  return WRITE_RULES.filter((rule) => rule.check(write, scope) !== undefined).map((rule) => rule.name);
}

/** Name of the rule that stops the write, or undefined when it is sent. */
async function stoppedBy(write: GatedWrite, scope = scopeOf()): Promise<string | undefined> {
  const sent: ApiWrite[] = [];
  const gate = createGate(
    clientOf(() => void sent.push(write.request)),
    scope,
  );
  try {
    await gate.send(write, seeing(write));
  } catch (error) {
    if (error instanceof GateViolation) return error.rule;
    if (!(error instanceof ApiError)) throw error;
  }
  expect(sent).toHaveLength(1);
  return undefined;
}

const NOTHING_THERE: ReadClient = {
  list: () => Promise.resolve({ items: [], requests: 1, shifted: false }),
  get: () => Promise.resolve(undefined),
};

/** A client that checks as the real one does, and answers so. */
function clientOf(answer: () => unknown) {
  return {
    write: async ({ check }: ApiWrite) => {
      await check?.(NOTHING_THERE);
      return answer() as Json;
    },
  };
}

/** The look at the objects of a write finds what the write has. */
const seeing =
  ({ observed, parent, users, imports }: GatedWrite) =>
  () =>
    Promise.resolve({ observed, parent, users, imports });

const foreign = addr('ra_1', markerOf('reserved_addrs.db', { stack: 'other' }));
const bareAddr = addr('ra_1', 'mine');
const misplaced = addr('ra_1', markerOf('tls_edges.db'));
const broken = addr('ra_1', '{"edgeform":{}}');
const taking = { address: 'reserved_addrs.db', lifecycle: { pin: { id: 'ra_1' } } };
const guarded = addr('ra_1', markerOf('reserved_addrs.db', { protect: true }));
const edited = addr('ra_1', markerOf('reserved_addrs.db'), { description: 'edited' });

/** This run wrote these fields, and an answer showed the object then. */
function writtenHere(fields: readonly string[], left: readonly (ObservedObject | undefined)[], id = 'ra_1'): GateScope {
  const scope = scopeOf();
  for (const then of left) noteWritten(scope.history, id, fields, then?.live);
  return scope;
}

/** A route without an owner, in an edge whose block is exclusive or not. */
const strayRoute = observedFrom(ROUTE, { id: 'edghtsrt_1', edge_id: 'edghts_1', metadata: 'a note' }, 'edghts_1');
const EXPULSION: GatedWrite = {
  ...ROUTE_DELETE,
  address: 'https_edges.site.routes.edghtsrt_1',
  step: step(strayRoute, 'delete', { address: 'https_edges.site.routes.edghtsrt_1', foreign_child: true }),
  observed: strayRoute,
};
const blockOfEdge = (exclusive: boolean, address = 'https_edges.site', adopt?: string) =>
  scopeOf({
    ownershipScope: {
      ...scopeOfStack('shop'),
      resources: [{ address, lifecycle: { pin: adopt === undefined ? undefined : { id: adopt }, exclusive } }],
    },
  });
const takenRoute = observedFrom(
  ROUTE,
  { id: 'edghtsrt_1', edge_id: 'edghts_1', metadata: markerOf('https_edges.x.routes.r', { stack: 'other' }) },
  'edghts_1',
);
const copiedRoute = observedFrom(
  ROUTE,
  { id: 'edghtsrt_1', edge_id: 'edghts_1', metadata: markerOf('https_edges.x.routes.r') },
  'edghts_1',
);
const unclearRoute = observedFrom(
  ROUTE,
  { id: 'edghtsrt_1', edge_id: 'edghts_1', metadata: 'edgeform/v1 {' },
  'edghts_1',
);
const expelling = (observed: ObservedObject): GatedWrite => ({
  ...EXPULSION,
  observed,
  step: step(observed, 'delete', { address: EXPULSION.address, foreign_child: true }),
});

const otherEdge: ObservedObject = { ...ownEdge(), live: { ...ownEdge().live, id: 'edghts_2' } };
const takenEdge = ownEdge(markerOf('https_edges.site', { stack: 'other' }));

/** This run created the edge, or took its marker off. */
function withHistory(what: 'created' | 'released'): GateScope {
  const scope = scopeOf();
  const made = { id: 'edghts_1', parentId: undefined, at: 0 };
  if (what === 'released') scope.history.released.add('edghts_1');
  else noteCreation(scope.history, { kind: EDGE.name, address: 'https_edges.site' }, made);
  return scope;
}

/** What may be sent; then rule by rule what is stopped, each as close to the former as can be. */
const ALLOWED: readonly (readonly [string, GatedWrite, GateScope?])[] = [
  ['a creation', CREATE],
  ['an update', UPDATE],
  ['a deletion', DELETE],
  ['a value of an import that is as it was', IMPORTING],
  ['a value of an import that is otherwise changed', importing(imported({ description: 'edited' }))],
  ['an import by id whose marker is another one by now', importing(imported({}, 'reserved_addrs.other'), false)],
  ['a deletion inside an object', ROUTE_DELETE],
  ['a creation inside an object', ROUTE_CREATE],
  ['a creation inside what this run created', { ...ROUTE_CREATE, parent: undefined }, withHistory('created')],
  [
    'an adoption inside what is about to be adopted',
    { ...ROUTE_CREATE, parent: ownEdge('') },
    scopeOf({ live: new Map([['edghts_1', ownEdge('').live]]) }),
  ],
  [
    'an adoption inside what has the marker of another address, and is about to be adopted',
    { ...ROUTE_CREATE, parent: ownEdge(markerOf('tls_edges.x')) },
    scopeOf({ live: new Map([['edghts_1', ownEdge(markerOf('tls_edges.x')).live]]) }),
  ],
  ['a deletion of what nobody owns in an exclusive edge', EXPULSION, blockOfEdge(true)],
  [
    'a deletion of what nobody owns in an edge that an exclusive block names by its id',
    EXPULSION,
    blockOfEdge(true, 'https_edges.shop', 'edghts_1'),
  ],
  ['a release inside what this run released', { ...ROUTE_DELETE, parent: takenEdge }, withHistory('released')],
  ['the removal of a part', { ...UPDATE, request: { method: 'DELETE', path: '/reserved_addrs/ra_1/part' } }],
  ['the removal of a part of a protected object', partOfProtected()],
  ['an adoption', { ...UPDATE, observed: bareAddr, step: step(bareAddr, 'adopt') }],
  [
    'a replacement of what nobody owns',
    { ...DELETE, observed: bareAddr, step: step(bareAddr, 'replace', { phase: 'delete' }) },
  ],
  [
    'a replacement of what has the marker of another kind',
    { ...DELETE, observed: misplaced, step: step(misplaced, 'replace', { phase: 'delete' }) },
  ],
  [
    'what has the marker of another kind, and gives a value up',
    { ...UPDATE, observed: misplaced, step: step(misplaced, 'update', { phase: 'detach' }) },
  ],
  [
    'an adoption of what has a broken marker',
    { ...UPDATE, observed: broken, step: step(broken, 'adopt') },
    scopeOf({ ownershipScope: { ...scopeOfStack('shop'), resources: [taking] } }),
  ],
  [
    'a move from another stack',
    { ...UPDATE, observed: foreign, step: step(foreign, 'adopt') },
    scopeOf({ ownershipScope: movingTo('reserved_addrs.db') }),
  ],
  [
    'a second update, where the first one is as this run left it',
    { ...UPDATE, observed: edited },
    writtenHere(['description'], [edited]),
  ],
  ['a second update, where a read is behind', UPDATE, writtenHere(['description'], [edited])],
  [
    'a third update, where a read is behind the second one',
    { ...UPDATE, observed: edited },
    writtenHere(['description'], [edited, addr('ra_1', undefined, { description: 'later' })]),
  ],
  [
    'a third update, where a read before the second one was behind',
    { ...UPDATE, observed: edited },
    writtenHere(['description'], [edited, ours]),
  ],
  [
    'a second update, where the answer to the first one did not show all of it',
    { ...UPDATE, observed: edited },
    writtenHere(['description'], [addr('ra_1')]),
  ],
  [
    'a second update, where no answer showed the first one',
    { ...UPDATE, observed: edited },
    writtenHere(['description'], [undefined]),
  ],
  ['an update of what this run created', { ...UPDATE, ...createdHere(), step: step(undefined, 'create') }],
  ['the deletion of an edge with a route of ours', edgeDelete([inside(markerOf('https_edges.site.routes.r'))])],
  [
    'the deletion of an edge whose route this run wrote meanwhile',
    { ...edgeDelete([inside(OWN_ROUTE)]), observed: edge([{ ...inside(OWN_ROUTE), description: 'edited' }]) },
    writtenHere(['description'], [undefined], 'edghtsrt_1'),
  ],
  ['a marker that is written anew', withText(UPDATE, writeMarker('note', MARKER))],
  ['a release', { ...withText(UPDATE, 'note'), step: step(ours, 'release') }],
  ['the end of a session', REVOKE],
];

/** Objects of another stack come to the address. */
function movingTo(to: string): OwnershipScope {
  const ends = { from: 'reserved_addrs.db', to };
  const block = { address: to, lifecycle: { pin: undefined } };
  return { ...scopeOfStack('shop'), transfers: [{ stack: 'other', ends }], resources: [block] };
}

function partOfProtected(): GatedWrite {
  const request = { method: 'DELETE', path: '/reserved_addrs/ra_1/part' } as const;
  return { ...UPDATE, request, observed: guarded, step: step(guarded) };
}

function createdHere(): Pick<GatedWrite, 'id' | 'observed' | 'request'> {
  return {
    id: 'ra_new',
    observed: addr('ra_new', ''),
    request: { method: 'PATCH', path: '/reserved_addrs/ra_new', body: {} },
  };
}

const STOPPED: readonly (readonly [rule: string, what: string, write: GatedWrite, scope?: GateScope])[] = [
  ['path-of-object', 'another object', { ...UPDATE, request: { method: 'PATCH', path: '/reserved_addrs/ra_2' } }],
  [
    'path-of-object',
    'a deletion of another object',
    { ...DELETE, request: { method: 'DELETE', path: '/reserved_addrs/ra_2' } },
  ],
  ['path-of-object', 'an update below', { ...UPDATE, request: { method: 'PATCH', path: '/reserved_addrs/ra_1/x' } }],
  ['path-of-object', 'a creation of what exists', { ...UPDATE, request: { method: 'POST', path: '/reserved_addrs' } }],
  ['read-first', 'never read', { ...UPDATE, observed: undefined }],
  ['read-first', 'another was read', { ...UPDATE, observed: addr('ra_2') }],
  ['in-its-place', 'moved to another parent', { ...ROUTE_DELETE, observed: route('edghtsrt_1', 'edghts_2') }],
  ['inside-ours', 'a creation in an edge that was not read', { ...ROUTE_CREATE, parent: undefined }],
  ['inside-ours', 'a creation in an edge in place of which another was read', { ...ROUTE_CREATE, parent: otherEdge }],
  ['inside-ours', 'a creation in an edge that another stack took', { ...ROUTE_CREATE, parent: takenEdge }],
  ['inside-ours', 'a deletion in an edge that another stack took', { ...ROUTE_DELETE, parent: takenEdge }],
  [
    'inside-ours',
    'a creation in an edge that another stack had before',
    { ...ROUTE_CREATE, parent: takenEdge },
    scopeOf({ live: new Map([['edghts_1', takenEdge.live]]) }),
  ],
  ['inside-ours', 'a creation in an edge without a marker', { ...ROUTE_CREATE, parent: ownEdge('') }],
  ['ours', 'without a marker', { ...DELETE, observed: bareAddr, step: step(bareAddr, 'delete') }],
  ['ours', 'of another stack', { ...UPDATE, observed: foreign, step: step(foreign) }],
  ['ours', 'of another stack, adopted', { ...UPDATE, observed: foreign, step: step(foreign, 'adopt') }],
  [
    'ours',
    'of another stack, moved to another address',
    { ...UPDATE, observed: foreign, step: step(foreign, 'adopt') },
    scopeOf({ ownershipScope: movingTo('reserved_addrs.web') }),
  ],
  [
    'ours',
    'of another stack, moved here and deleted',
    { ...DELETE, observed: foreign, step: step(foreign, 'delete') },
    scopeOf({ ownershipScope: movingTo('reserved_addrs.db') }),
  ],
  ['ours', 'a broken marker, adopted by no block', { ...UPDATE, observed: broken, step: step(broken, 'adopt') }],
  ['ours', 'a marker of another kind', { ...DELETE, observed: misplaced, step: step(misplaced, 'delete') }],
  ['ours', 'what nobody owns, in an edge that is not exclusive', EXPULSION, blockOfEdge(false)],
  ['ours', 'what nobody owns, in an edge that no block asks for', EXPULSION],
  [
    'ours',
    'what nobody owns, in an exclusive edge that is not adopted yet',
    { ...EXPULSION, parent: ownEdge('') },
    { ...blockOfEdge(true, 'https_edges.site', 'edghts_1'), live: new Map([['edghts_1', ownEdge('').live]]) },
  ],
  [
    'ours',
    'what nobody owns, in an exclusive edge, by a deletion for another reason',
    { ...EXPULSION, step: step(strayRoute, 'delete', { address: EXPULSION.address }) },
    blockOfEdge(true),
  ],
  ['ours', 'what nobody owns, where another edge is exclusive', EXPULSION, blockOfEdge(true, 'https_edges.x')],
  ['ours', 'what another stack owns, in an exclusive edge', expelling(takenRoute), blockOfEdge(true)],
  ['ours', 'what has a copied marker, in an exclusive edge', expelling(copiedRoute), blockOfEdge(true)],
  ['ours', 'what has an unreadable marker, in an exclusive edge', expelling(unclearRoute), blockOfEdge(true)],
  [
    'ours',
    'what nobody owns in an exclusive edge, by a step that does not delete it',
    { ...EXPULSION, step: step(strayRoute, 'release', { address: EXPULSION.address }) },
    blockOfEdge(true),
  ],
  ['ours', 'in an edge nobody owns', ROUTE_DELETE, scopeOf({ live: new Map() })],
  ['as-planned', 'a step about another', { ...UPDATE, step: { ...step(ours), live_id: 'ra_2' } }],
  ['not-moved', 'changed meanwhile', { ...UPDATE, observed: edited }],
  [
    'not-moved',
    'changed meanwhile in what this run did not write',
    { ...UPDATE, observed: edited },
    writtenHere(['metadata'], [ours]),
  ],
  [
    'not-moved',
    'changed again after this run wrote it',
    { ...UPDATE, observed: addr('ra_1', undefined, { description: 'again' }) },
    writtenHere(['description'], [edited]),
  ],
  [
    'not-moved',
    'changed after this run created it',
    {
      ...UPDATE,
      ...createdHere(),
      observed: addr('ra_new', undefined, { description: 'again' }),
      step: step(undefined, 'create'),
    },
    writtenHere(['description'], [addr('ra_new', undefined, { description: 'new' })], 'ra_new'),
  ],
  [
    'not-moved',
    'a deletion whose route was changed meanwhile',
    { ...edgeDelete([inside(OWN_ROUTE)]), observed: edge([{ ...inside(OWN_ROUTE), description: 'edited' }]) },
  ],
  [
    'not-moved',
    'a deletion that a new route would go with',
    { ...edgeDelete([]), observed: edge([inside(OWN_ROUTE)]) },
  ],
  ['not-protected', 'protected by its marker', { ...DELETE, observed: guarded, step: step(guarded, 'delete') }],
  [
    'not-protected',
    'a protected route inside',
    edgeDelete([inside(markerOf('https_edges.site.routes.r', { protect: true }))]),
  ],
  ['nothing-foreign-inside', 'a route of nobody', edgeDelete([inside('')])],
  [
    'nothing-foreign-inside',
    'a route with a copied marker',
    edgeDelete([inside(markerOf('https_edges.other.routes.r'))]),
  ],
  ['nothing-foreign-inside', 'a route with a broken marker', edgeDelete([inside('{"edgeform":{}}')])],
  [
    'nothing-foreign-inside',
    'a route of others',
    edgeDelete([inside(markerOf('https_edges.x.routes.r', { stack: 'x' }))]),
  ],
  ['not-in-use', 'a deletion of what was not asked about', { ...DELETE, users: undefined }],
  [
    'not-in-use',
    'a deletion of what another object uses by now',
    { ...DELETE, users: [{ user: ownEdge().live, use: { what: 'still refers to it', key: 'id ra_1' } }] },
  ],
  ['imports-as-planned', 'a value of an import that was not read', { ...IMPORTING, imports: [] }],
  ['imports-as-planned', 'a value of an import that is gone', importing(undefined)],
  ['imports-as-planned', 'a value of an import that is another one by now', importing(imported({ addr: 'b:2' }))],
  ['imports-as-planned', 'an import whose marker is that of another', importing(imported({}, 'reserved_addrs.other'))],
  ['readable-marker', 'metadata without a marker', withText(CREATE, 'note')],
  ['readable-marker', 'a marker that is no JSON any more', withText(CREATE, markerOf('reserved_addrs.db').slice(1))],
  ['readable-marker', 'a second marker', withText(UPDATE, `${markerOf('reserved_addrs.db')}\nedgeform/v1 {}`)],
  ['readable-marker', 'the marker of another address', withText(UPDATE, markerOf('reserved_addrs.x'))],
  ['readable-marker', 'the marker of another stack', withText(UPDATE, markerOf('reserved_addrs.db', { stack: 'x' }))],
];

function withText(write: GatedWrite, metadata: string): GatedWrite {
  return { ...write, request: { ...write.request, body: { metadata } } };
}

test('what was read before the look counts for nothing', async () => {
  const gate = createGate(
    clientOf(() => ({ id: 'ra_1' })),
    scopeOf(),
  );
  const read = (look: GatedWrite) => gate.send(UPDATE, seeing(look));
  await expect(read(UPDATE)).resolves.toEqual({ id: 'ra_1' });
  await expect(read({ ...UPDATE, observed: edited })).rejects.toMatchObject({ rule: 'not-moved' });
  await expect(gate.send(UPDATE)).rejects.toMatchObject({ rule: 'read-first' });
});

describe('a write that may be sent', () => {
  test.each(ALLOWED.map(([what, write, scope]) => ({ what, write, scope })))('$what', async ({ write, scope }) => {
    expect(await stoppedBy(write, scope)).toBeUndefined();
  });
});

describe('a write that is stopped', () => {
  const rows = STOPPED.map(([rule, what, write, scope]) => ({ rule, what, write, scope }));
  test.each(rows)('by $rule alone: $what', async ({ rule, write, scope }) => {
    expect(await stoppedBy(write, scope)).toBe(rule);
    expect(refusing(write, scope)).toEqual([rule]);
  });

  test('every rule has its case', () => {
    expect([...new Set(STOPPED.map(([rule]) => rule))].sort()).toEqual(WRITE_RULES.map((rule) => rule.name).sort());
  });
});

const BELIEVED: readonly (readonly [string, GatedWrite, Json])[] = [
  ['a new object', CREATE, { id: 'ra_2', metadata: markerOf('reserved_addrs.db') }],
  ['a new object without its metadata', CREATE, { id: 'ra_2' }],
  ['an updated object', UPDATE, { id: 'ra_1' }],
  ['nothing after a deletion', DELETE, null],
];
const DOUBTED: readonly (readonly [rule: string, what: string, write: GatedWrite, body: Json])[] = [
  ['empty-after-delete', 'an object', DELETE, { id: 'ra_1' }],
  ['about-the-object', 'another object', UPDATE, { id: 'ra_2' }],
  ['about-the-object', 'nothing', UPDATE, {}],
  ['new-id', 'no id', CREATE, {}],
  ['new-id', 'an id of another kind', CREATE, { id: 'edghts_1' }],
  ['new-id', 'an id that was there before', CREATE, { id: 'ra_known' }],
  ['new-id', 'an id that this run created before', CREATE, { id: 'ra_new' }],
  ['own-marker', 'a marker of another address', CREATE, { id: 'ra_2', metadata: markerOf('reserved_addrs.x') }],
  [
    'own-marker',
    'a marker of another stack',
    CREATE,
    { id: 'ra_2', metadata: markerOf('reserved_addrs.db', { stack: 'x' }) },
  ],
  [
    'own-marker',
    'the marker of another run',
    CREATE,
    { id: 'ra_2', metadata: markerOf('reserved_addrs.db', { created_by: 'x' }) },
  ],
];

const answered = (write: GatedWrite, body: Json) =>
  createGate(
    clientOf(() => body),
    scopeOf(),
  ).send(write, seeing(write));

describe('an answer', () => {
  test.each(BELIEVED)('is believed: %s', async (_, write, body) => {
    expect(await answered(write, body)).toEqual(body);
  });

  test.each(DOUBTED)('is unclear by %s alone: %s', async (rule, _, write, body) => {
    await expect(answered(write, body)).rejects.toMatchObject({ known: 'unusable', code: 'api-not-understood' });
    const firing = ANSWER_RULES.filter((one) => one.check({ write, body }, scopeOf()) !== undefined);
    expect(firing.map((one) => one.name)).toEqual([rule]);
  });

  test('every rule has its case', () => {
    expect([...new Set(DOUBTED.map(([rule]) => rule))].sort()).toEqual(ANSWER_RULES.map((rule) => rule.name).sort());
  });
});
