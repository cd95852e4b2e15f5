// The jobs for Kubernetes: valid by its own schemas, with no more rights than needed, and with variables that the program knows.

import { readdirSync, readFileSync } from 'node:fs';
import { CronJob, type ICronJob } from 'kubernetes-models/batch/v1/CronJob';
import { type IJob, Job } from 'kubernetes-models/batch/v1/Job';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readShard, shardNumber } from '../../src/fleet/select.ts';

const FOLDER = new URL('../../examples/fleet/kubernetes/', import.meta.url);
const documents = (name: string) =>
  parseAllDocuments(readFileSync(new URL(name, FOLDER), 'utf8')).map((one) => one.toJS() as object);
const MODELS = { CronJob, Job, PersistentVolumeClaim };

const [drift] = documents('drift.yaml') as [ICronJob];
const [apply] = documents('run/apply.yaml') as [IJob];
/** What `kubectl apply -f` reads of a folder: its own files, no subfolders. */
const APPLIED = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'));
const all = [...APPLIED, 'run/apply.yaml'].flatMap(documents) as { readonly kind: keyof typeof MODELS }[];

/** The commands of the documentation. */
const COMMANDS = readFileSync('docs/fleets.md', 'utf8');

test('the folder can be applied again and again: no Secret in it, and a name for everything', () => {
  const applied = APPLIED.flatMap(documents) as { readonly kind: string; readonly metadata: object }[];
  expect(applied.map(({ kind }) => kind).sort()).toEqual(['CronJob', 'PersistentVolumeClaim']);
  for (const { metadata } of applied) expect(Object.keys(metadata)).toEqual(['name']);
  expect(apply.metadata).toEqual({ generateName: 'edgeform-apply-' });
  expect(COMMANDS).toContain('kubectl apply -f examples/fleet/kubernetes/\n');
  expect(COMMANDS).toContain('kubectl create -f examples/fleet/kubernetes/run/apply.yaml\n');
});

const jobs = [
  ['drift', drift.spec?.jobTemplate.spec],
  ['apply', apply.spec],
] as const;

test.each(all.map((one) => [one.kind, one] as const))('%s is valid by the schemas of Kubernetes', (kind, one) => {
  new MODELS[kind](one as never).validate();
  expect(() => {
    new MODELS[kind]({ ...one, metadata: { name: 1 } } as never).validate();
  }).toThrow();
});

describe.each(jobs)('the pods of %s', (_, job) => {
  const pod = job?.template.spec;
  const [container] = pod?.containers ?? [];

  test('have no rights that they do not need', () => {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      restartPolicy: 'Never',
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(pod?.securityContext?.runAsUser).toBeGreaterThan(0);
    expect(container?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container?.resources).toMatchObject({ requests: { memory: '256Mi' }, limits: { memory: '512Mi' } });
    expect(container?.image).toMatch(/@sha256:[0-9a-f]{64}$/);
  });

  test('take credentials from secrets, and no secret from the file', () => {
    const secrets = new Map(container?.env?.map(({ name, valueFrom }) => [name, valueFrom?.secretKeyRef]));
    for (const name of ['EDGEFORM_BASE_URL', 'EDGEFORM_API_KEY']) {
      const { name: secret = '', key = '' } = secrets.get(name) ?? {};
      expect(COMMANDS).toMatch(new RegExp(`create secret generic ${secret} .*--from-(?:literal|file)=${key}=`));
    }
    expect(container?.args?.join(' ')).not.toMatch(/key|https?:/);
  });

  test('keep journals on the volume that both share', () => {
    expect(pod?.volumes?.map((one) => one.persistentVolumeClaim?.claimName)).toEqual(['edgeform-journals']);
    expect(container?.volumeMounts).toMatchObject([{ mountPath: `${container?.workingDir}/.edgeform` }]);
  });
});

test('the pods of the indexed job are all the shards of the fleet, each stack in one', () => {
  const { completions = 0, completionMode, template } = apply.spec ?? {};
  const shards = template?.spec?.containers[0]?.env?.find(({ name }) => name === 'EDGEFORM_SHARDS')?.value;
  expect([completionMode, String(completions)]).toEqual(['Indexed', shards]);
  const names = Array.from({ length: 100 }, (_, at) => `s${at}`);
  const taken = Array.from({ length: completions }, (_, at) => {
    const { value } = readShard('auto', { JOB_COMPLETION_INDEX: String(at), EDGEFORM_SHARDS: shards });
    return names.filter((name) => value && shardNumber(names, [], value.of)(name) === value.index);
  });
  expect(taken.flat().sort()).toEqual([...names].sort());
});
