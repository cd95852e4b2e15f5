// destroy needs no value of a field: whose objects are deleted is all that it has to know. What is secret stays hidden without its value.

import { describe, expect, test } from 'vitest';
import { usePlace } from '../support/place.ts';

const SECRET = 'hidden.example.com';
const manifest = (stack: string, name: string) => `version: 1
stack: ${stack}
variables:
  host: { sensitive: true }
  hosts: { sensitive: true }
  secret: { sensitive: true }
  note: {}
  env: {}
https_edges:
  ${name}:
    description: "\${var.note}"
    hostports: ["\${var.host}:443"]
    routes:
      all:
        match_type: path_prefix
        match: /
        webhook_verification: { provider: github, secret: "\${var.secret}" }
tls_edges: { ${name}: { hostports: "\${var.hosts}" } }
`;
const VALUES = `host: ${SECRET}\nhosts: ["other-${SECRET}:443"]\nsecret: hook-secret-1\nnote: a note\nenv: prod\n`;
const FLEET = 'version: 1\nstacks: [{ name: shop, path: edgeform.yaml }, { name: blog, path: blog.yaml }]\n';

const place = usePlace({ 'edgeform.yaml': manifest('shop', 'site'), 'values.yaml': VALUES });
const { run, write } = place;
const given = ['--var-file', 'values.yaml', '--auto-approve'];
const left = () => ['https_edges', 'tls_edges'].flatMap((list) => place.emulator.objects(list));

describe('a stack', () => {
  test('is destroyed without the values of its fields, and no secret is shown', async () => {
    expect((await run('apply', ...given)).code).toBe(0);
    const { code, stdout, stderr } = await run('destroy', '--auto-approve');
    expect([code, stdout]).toEqual([0, expect.stringContaining('2 to delete')]);
    expect(`${stdout}${stderr}`).not.toContain(SECRET);
    expect(stdout).toContain('(sensitive)');
    expect(left()).toEqual([]);
  });

  test('is not destroyed without the values in its name', async () => {
    write(manifest('"shop-${var.env}"', 'site'));
    expect((await run('apply', ...given)).code).toBe(0);
    const asked = place.emulator.requests.length;
    const refused = await run('destroy', '--auto-approve');
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('variable env has no value')]);
    expect(place.emulator.requests).toHaveLength(asked);
    expect((await run('destroy', '--auto-approve', '--var', 'env=prod')).code).toBe(0);
    expect(left()).toEqual([]);
  });
});

describe('a fleet', () => {
  const importing = (stack: string) => `imports: { edge: { stack: ${stack}, address: tls_edges.site } }\n`;

  test('is destroyed without the values of fields', async () => {
    write(FLEET, 'edgeform.fleet.yaml');
    write(
      manifest('blog', 'blog').replaceAll('"${var.host', '"blog-${var.host').replace('tls_edges', 'tls_edges: {}\n#'),
      'blog.yaml',
    );
    expect((await run('fleet', 'apply', ...given)).code).toBe(0);
    const { code, stdout, stderr } = await run('fleet', 'destroy', '--auto-approve');
    expect([code, `${stdout}${stderr}`]).toEqual([0, expect.not.stringContaining(SECRET)]);
    expect(left()).toEqual([]);
  });

  test.each([
    ['what it imports', importing('"${var.env}"')],
    ['what it takes from others', 'moved: [{ from: { stack: "${var.env}" } }]\n'],
  ])('is not destroyed without the values that say %s', async (_, more) => {
    write(FLEET, 'edgeform.fleet.yaml');
    write(`version: 1\nstack: blog\nvariables: { env: {} }\n${more}`, 'blog.yaml');
    const refused = await run('fleet', 'destroy', '--auto-approve');
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('variable env has no value')]);
    expect(place.emulator.requests).toEqual([]);
  });
});

test('a file of values with a mistake gives nothing, and no default takes its place', async () => {
  write(
    'version: 1\nstack: "shop-${var.env}"\nvariables: { env: { default: prod } }\nfailover_backends: { a: { backends: [bkdhr_1] } }\n',
  );
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  // A template that was not filled in.
  write('env: "${CI_ENVIRONMENT}"\n', 'ci.yaml');
  for (const command of ['validate', 'plan', 'apply', 'drift', 'destroy']) {
    place.emulator.requests.length = 0;
    const { code, stderr, stdout } = await run(
      command,
      '--var-file',
      'ci.yaml',
      ...(/apply|destroy/.test(command) ? ['--auto-approve'] : []),
    );
    expect([command, code, `${stdout}${stderr}`]).toEqual([command, 4, expect.stringContaining('bad-expression')]);
    expect(place.emulator.requests).toEqual([]);
  }
  expect(place.emulator.objects('backends')).toHaveLength(1);
});
