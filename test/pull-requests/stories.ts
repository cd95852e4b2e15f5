// The life of a change, played on the stage of any forge: from the review to the schedule, and what may go wrong on the way.

import { expect, test } from 'vitest';
import type { Ended, Files, Stage } from './stages.ts';
import { KEY, manifest, TOKEN } from './world.ts';

const of = (description: string): Files => ({ 'edgeform.yaml': manifest(description) });
const BUILT = { isBuilt: true };

const fleetOf = (description: string, blog = description): Files => ({
  'edgeform.fleet.yaml': `version: 1
stacks:
  - { name: shop, path: stacks/shop.yaml }
  - { name: blog, path: stacks/blog.yaml, wave: 2 }
`,
  'stacks/shop.yaml': manifest(description),
  'stacks/blog.yaml': manifest(blog).replace('stack: shop', 'stack: blog'),
});

/** The stories. Where a forge has something otherwise, the stage says what. */
export function play<Change>(stage: Stage<Change>): void {
  /** What the pipeline of a branch does beside its apply, where it plans again. */
  const beside = stage.findsPlans ? {} : { validate: 0, plan: 0 };
  const backend = () => stage.service().objects('backends')[0];
  const edit = (description: string) => {
    stage.service().mutate('backends', String(backend()?.['id']), { description });
  };
  const drifted = async (description: string, files: Files, how = {}) => {
    edit(description);
    return stage.onSchedule(files, how);
  };
  const applied = async (files: Files, how = {}) => {
    const change = stage.open();
    await stage.onChange(change, files, how);
    expectCodes(await stage.merge(change, files, how), { ...beside, apply: 0 });
    return change;
  };
  const about = () => `stack=shop service=${stage.service().url}/`;

  test('a change is reviewed, merged and applied, and refused when it is out of date', async () => {
    // Opened: validated, planned, and one comment.
    const first = stage.open();
    const opened = await stage.onChange(first, of('one'), BUILT);
    expectCodes(opened, { validate: 0, plan: 0 });
    const [before = '', ...others] = stage.comments(first, 'plan');
    expect(others).toEqual([]);
    expect(before).toMatch(/^<!-- edgeform:plan stack=shop service=http:\S+ result=pending [\s\S]*1 to create/);
    expect(before).toContain(`Plan of commit ${stage.head(first).slice(0, 12)}, made by [this `);

    // Pushed: the same comment, another plan.
    stage.push(first);
    await stage.onChange(first, of('two'));
    const [after = '', ...more] = stage.comments(first, 'plan');
    expect([more, after === before]).toEqual([[], false]);
    expect(after).toContain(`Plan of commit ${stage.head(first).slice(0, 12)}`);

    // Merged: exactly that plan, and nothing to say.
    expectCodes(await stage.merge(first, of('two'), BUILT), { ...beside, apply: 0 });
    expect([backend()?.['description'], stage.comments(first, 'report')]).toEqual(['two', []]);

    // Somebody changes the object after the plan was made: the apply is refused, and the change says why.
    const second = stage.open();
    await stage.onChange(second, of('three'));
    const byHand = () => {
      edit('by hand');
    };
    expectCodes(await stage.merge(second, of('three'), { before: byHand }), { ...beside, apply: 6 });
    expect(backend()?.['description']).toBe('by hand');
    expect(stage.comments(second, 'report')).toEqual([
      expect.stringMatching(/result=stale[\s\S]*exit code 6[\s\S]*out of date[\s\S]*failover_backends\.app/),
    ]);

    // What the report says is done: a new plan is read, and applied.
    const { change, ended } = await stage.again(second, of('three'));
    expectCodes(ended, { ...beside, apply: 0 });
    expect(backend()?.['description']).toBe('three');
    const reports = stage.comments(change, 'report');
    if (change === second) expect(reports).toEqual([expect.stringMatching(/result=done[\s\S]*Applied/)]);
    else expect(reports).toEqual([]);
  });

  test('of a fork, the manifest is read, and that is all', async () => {
    const foreign = stage.openFork();
    const checked = await stage.onChange(foreign, of('four'));
    expectCodes(checked, { validate: 0 });
    expect(checked.environments).not.toMatch(new RegExp(`${KEY}|${TOKEN}`));
    expect([stage.service().requests.length, stage.allComments(foreign)]).toEqual([0, []]);
  });

  test('a plan that a safety rule refuses is shown with the option that allows it, and nothing is applied', async () => {
    const addr = (region: string): Files => ({
      'edgeform.yaml': `version: 1\nstack: shop\nreserved_addrs: { db: { region: ${region} } }\n`,
    });
    await applied(addr('eu'));
    const change = stage.open();
    expect((await stage.onChange(change, addr('us'))).codes).toEqual({ validate: 0, plan: 5 });
    const [body = ''] = stage.comments(change, 'plan');
    expect(body).toMatch(/^<!-- edgeform:plan stack=shop service=\S+ result=refused /);
    expect(body).toMatch(/allow it with\*\* `--allow-\w+ reserved_addrs\.db`[\s\S]*A safety rule refuses this plan\./);
    const { codes } = await stage.merge(change, addr('us'));
    expect(codes).toEqual(stage.findsPlans ? { apply: 5 } : { validate: 0, plan: 5 });
    expect(stage.service().objects('reserved_addrs')).toMatchObject([{ region: 'eu' }]);
    const why = expect.stringMatching(/the last plan of pull request #\d+ is refused by a safety rule/) as string;
    expect(stage.comments(change, 'report')).toEqual(stage.findsPlans ? [why] : []);

    // With the option in the arguments of both jobs, the check is green.
    const [flag = ''] = /--allow-\w+ reserved_addrs\.db/.exec(body) ?? [];
    const how = { options: flag.replace(' ', '=') };
    expectCodes(await stage.onChange(stage.open(), addr('us'), how), { validate: 0, plan: 0 });
  });

  test('a plan that failed says so, and nothing is applied', async () => {
    const change = stage.open();
    expect((await stage.onChange(change, of('one'), { key: 'wrong' })).codes).toEqual({ validate: 0, plan: 1 });
    expect(stage.comments(change, 'plan')).toEqual([
      expect.stringMatching(/result=error -->\n\n\*\*The plan failed with exit code 1; there is nothing to apply/),
    ]);
    const { codes } = await stage.merge(change, of('one'), { key: 'wrong' });
    expect([codes['apply'] ?? codes['plan'], backend()]).toEqual([1, undefined]);
  });

  test('a change into another branch than the one that is applied says so, until its base is changed', async () => {
    const change = stage.open('next');
    expectCodes(await stage.onChange(change, of('one')), { validate: 0, plan: 0 });
    const applies = stage.findsPlans
      ? 'Merging applies nothing unless the workflow runs on pushes to `next`, too, which is not the default branch (`main`).'
      : 'Merging applies nothing: only what comes into `main` is applied.';
    expect(stage.comments(change, 'plan')).toEqual([expect.stringContaining(applies)]);
    stage.retarget(change, 'main');
    await stage.onChange(change, of('one'));
    expect(stage.comments(change, 'plan')).toEqual([expect.not.stringContaining('applies nothing')]);
    stage.retarget(change, '`::error::<b>');
    await stage.onChange(change, of('one'));
    expect(stage.comments(change, 'plan')).toEqual([
      expect.stringMatching(/Merging applies nothing(?:(?!::error).)*$/s),
    ]);
  });

  test.each([
    ['a stack', of, {}],
    ['a fleet', fleetOf, { fleet: true }],
  ])(
    'a change of %s that changes nothing is done while nothing is pending; what is was reviewed by nobody',
    async (_, files, how) => {
      await applied(files('one'), how);
      const [idle, late] = [stage.open(), stage.open()];
      expectCodes(await stage.onChange(idle, files('one'), how), { validate: 0, plan: 0 });
      expect(stage.comments(idle, 'plan')).toEqual([expect.stringContaining('result=clean')]);
      expectCodes(await stage.onChange(late, files('one'), how), { validate: 0, plan: 0 });

      // Another change was merged and applied since, so that the manifest is another one.
      await applied(files('two'), how);
      const done = await stage.merge(idle, files('two'), how);
      expectCodes(done, { ...beside, apply: 0 });
      expect(done.log).toMatch(/Nothing was applied: .* changes.*, and the service matches the manifest\./);
      expect(stage.comments(idle, 'report')).toEqual([]);

      const before = () => {
        edit('by hand');
      };
      const written = stage.service().requests.length;
      const ended = await stage.merge(late, files('two'), { ...how, before });
      expectCodes(ended, { ...beside, apply: 6 });
      expect(ended.log).toMatch(/Nothing was applied: .* changes.*, and nobody has reviewed the pending changes\./);
      expect(ended.log).toMatch(
        stage.findsPlans ? /git commit --allow-empty/ : /Run the plan job of this pipeline again/,
      );
      expect(stage.comments(late, 'report')).toEqual([
        expect.stringMatching(/result=stale[\s\S]*exit code 6[\s\S]*nobody has reviewed[\s\S]*by hand/),
      ]);
      const since = stage.service().requests.slice(written);
      expect([backend()?.['description'], since.filter(({ method }) => method !== 'GET')]).toEqual(['by hand', []]);
    },
  );

  test('of a wave in which nothing changes, the same is asked, and of no other', async () => {
    const how = { fleet: true, waves: true };
    const change = stage.open();
    await stage.onChange(change, fleetOf('one'), how);
    const waves = (codes: readonly number[]) => Object.fromEntries(codes.map((code, at) => [`apply-${at + 1}`, code]));
    expectCodes(await stage.merge(change, fleetOf('one'), how), { ...beside, ...waves([0, 0, 0]) });

    const [first, second] = [stage.open(), stage.open()];
    await stage.onChange(first, fleetOf('two', 'one'), how);
    const done = await stage.merge(first, fleetOf('two', 'one'), how);
    expectCodes(done, { ...beside, ...waves([0, 0, 0]) });
    expect(done.log).toMatch(/no stack of wave 2 had changes in .*, and the service matches the manifest/);

    await stage.onChange(second, fleetOf('three', 'one'), how);
    const byHand = () => {
      const blog = stage
        .service()
        .objects('backends')
        .find(({ description }) => description === 'one');
      if (blog !== undefined) stage.service().mutate('backends', String(blog['id']), { description: 'by hand' });
    };
    const ended = await stage.merge(second, fleetOf('three', 'one'), { ...how, before: byHand });
    expectCodes(ended, { ...beside, ...waves([0, 6]) });
    expect(ended.log).toMatch(/no stack of wave 2 had changes in .*, and nobody has reviewed the pending changes/);
    const said = stage
      .service()
      .objects('backends')
      .map(({ description }) => description);
    expect(new Set(said)).toEqual(new Set(['three', 'by hand']));
  });

  test('a merge that was never applied is named by the next one and told what to do, unless all of it is applied by then', async () => {
    const how = { fleet: true };
    await applied(fleetOf('one', 'one'), how);
    const [lost, next, last] = [stage.open(), stage.open(), stage.open()];
    const descriptions = () =>
      stage
        .service()
        .objects('backends')
        .map(({ description }) => description)
        .sort();
    const named = (change: Change) => stage.comments(change, 'report').filter((body) => body.includes('Never applied'));

    await stage.onChange(lost, fleetOf('two', 'one'), how);
    await stage.onChange(next, fleetOf('one', 'two'), how);
    stage.mergeOnly(lost, fleetOf('two', 'one'));
    const ended = await stage.merge(next, fleetOf('two', 'two'), how);
    expectCodes(ended, { ...beside, apply: 0 });
    // Where the pipeline of the branch plans again, the plan has both.
    expect(descriptions()).toEqual(stage.findsPlans ? ['one', 'two'] : ['two', 'two']);
    const warning = /::warning .*Merged before and never applied.*: pull request #\d+\..*git commit --allow-empty/;
    expect(warning.test(ended.log)).toBe(stage.findsPlans);
    const told = expect.stringMatching(/result=error[^]*Never applied[^]*git commit --allow-empty/) as string;
    expect([named(lost), stage.comments(next, 'report')]).toEqual([stage.findsPlans ? [told] : [], []]);

    // A change that is planned after it has it in its own plan.
    const later = stage.open();
    await stage.onChange(last, fleetOf('three', 'two'), how);
    stage.mergeOnly(last, fleetOf('three', 'two'));
    await stage.onChange(later, fleetOf('three', 'three'), how);
    const all = await stage.merge(later, fleetOf('three', 'three'), how);
    expectCodes(all, { ...beside, apply: 0 });
    expect([descriptions(), all.log.includes('never applied'), named(last)]).toEqual([['three', 'three'], false, []]);
  });

  test('a plan that is out of date because of a merge that was never applied names it', async () => {
    await applied(of('one'));
    const [lost, next] = [stage.open(), stage.open()];
    await stage.onChange(lost, of('two'));
    await stage.onChange(next, of('three'));
    stage.mergeOnly(lost, of('two'));
    const byHand = () => {
      edit('by hand');
    };
    expectCodes(await stage.merge(next, of('three'), { before: byHand }), { ...beside, apply: 6 });
    expect(stage.comments(next, 'report')).toEqual([
      stage.findsPlans
        ? expect.stringMatching(/exit code 6[^]*Merged before and never applied.*: pull request #\d+\./)
        : expect.not.stringContaining('never applied'),
    ]);
    expect(stage.comments(lost, 'report').length).toBe(stage.findsPlans ? 1 : 0);
  });

  test('the plan of a change knows what was applied before, also where the service does not list it', async () => {
    const how = { capabilities: '-https-edge-list' };
    const edge = (description: string): Files => ({
      'edgeform.yaml': `version: 1\nstack: shop\nhttps_edges: { site: { description: ${description}, hostports: ["www.example.com:443"] } }\n`,
    });
    await applied(edge('one'), how);
    const change = stage.open();
    expectCodes(await stage.onChange(change, edge('two'), how), { validate: 0, plan: 0 });
    expect(stage.comments(change, 'plan')).toEqual([expect.stringContaining('0 to create, 1 to update')]);
    expectCodes(await stage.merge(change, edge('two'), how), { ...beside, apply: 0 });
    expect(stage.service().objects('https_edges')).toMatchObject([{ description: 'two' }]);
  });

  const { queue } = stage;
  if (queue !== undefined)
    test.each([
      ['stack', of, {}],
      ['fleet', fleetOf, { fleet: true }],
    ])('what is queued of a %s is the plan that was reviewed, or it leaves the queue', async (_, files, how) => {
      const first = stage.open();
      const unread = await queue(first, files('one'), how);
      expectCodes(unread, { plan: 1 });
      expect(unread.log).toMatch(/::error .*reviewed by nobody: pull request #\d+ has no comment with a plan of stack/);
      await stage.onChange(first, files('one'), how);
      const [reviewed] = stage.comments(first, 'plan');
      // What has nothing to do with it may come and go.
      const { status } = await fetch(`${stage.service().url}/backends/failover`, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', 'service-version': '2' },
        body: '{"description":"by hand","backends":["bkdhr_1"]}',
      });
      expect(status).toBe(201);
      const same = await queue(first, files('one'), how);
      expectCodes(same, { plan: 0 });
      expect(same.log).toMatch(
        /::notice .*Already reviewed: merging pull request #\d+ applies the plan of its comment/,
      );
      expectCodes(await stage.merge(first, files('one'), how), { apply: 0 });

      // What was reviewed is another plan than what would be merged now, with what another change brings.
      const [second, third] = [stage.open(), stage.open()];
      await stage.onChange(second, files('two'), how);
      await stage.onChange(third, files('three'), how);
      expectCodes(await stage.merge(third, files('three'), how), { apply: 0 });
      const other = await queue(second, files('two'), how);
      expectCodes(other, { plan: 1 });
      expect(other.log).toMatch(
        /::error .*not the one that was reviewed: sha256:\w{64} was reviewed in pull request #\d+, and sha256:\w{64} would be merged\. Take the pull request out of the queue, update its branch/,
      );

      // What is done already is nothing to review.
      const done = await queue(second, files('three'), how);
      expectCodes(done, { plan: 0 });
      expect(done.log).toContain('Nothing is pending in what would be merged');
      expect(stage.comments(first, 'plan')).toEqual([reviewed]);
    });

  test('comments of others are left alone, and of ours there is one', async () => {
    const change = stage.open();
    const marker = `<!-- edgeform:plan ${about()} result=clean -->`;
    const theirs = [
      stage.say(change, 'another', `${marker}\nfine`),
      stage.say(change, 'another', '<!-- edgeform:plan stack=shop -->'),
      stage.say(change, 'us', 'without a marker'),
      stage.say(change, 'us', `quoted:\n${marker}`),
      stage.say(change, 'us', '<!-- edgeform:plan stack=shop-eu service=x result=clean -->\nanother stack'),
    ];
    const before = theirs.map((one) => one.body());
    const [older, old] = [1, 2].map(() => stage.say(change, 'us', `${marker}\nold`));
    const newest = stage.say(change, 'us', `${marker}\nnewer`);
    expectCodes(await stage.onChange(change, of('one')), { validate: 0, plan: 0 });
    expect(theirs.map((one) => [one.body(), one.isOutdated()])).toEqual(before.map((body) => [body, false]));
    expect([older, old, newest].map((one) => one?.isOutdated())).toEqual([true, true, false]);
    expect([newest.body(), stage.allComments(change).length]).toEqual([expect.stringContaining('1 to create'), 8]);
  });

  test('an apply whose step fails is told where it was merged, and the next one takes it back', async () => {
    const change = stage.open();
    await stage.onChange(change, of('one'));
    const failed = await stage.merge(change, of('one'), { optionsOfApply: '--events=-' });
    expectCodes(failed, { ...beside, apply: 1 });
    expect(backend()).toBeUndefined();
    expect(stage.comments(change, 'report')).toEqual([
      expect.stringMatching(/result=error [\s\S]*exit code 1[\s\S]*The step failed:\n\n {4}arguments: --events/),
    ]);
    expectCodes(await stage.merge(change, of('one')), { ...beside, apply: 0 });
    expect(stage.comments(change, 'report')).toEqual([expect.stringMatching(/result=done[\s\S]*Applied/)]);
  });

  test('drift has one issue, which is opened, kept up to date and closed', async () => {
    await applied(of('one'));
    expectCodes(await stage.onSchedule(of('one')), { drift: 0, propose: 0 });
    expect(stage.issues()).toEqual([]);

    expectCodes(await drifted('drifted once', of('one')), { drift: 2, propose: 0 });
    expect(stage.issues()).toMatchObject([{ title: 'Drift of stack shop', isOpen: true }]);
    const [{ body } = { body: '' }] = stage.issues();
    expect(body).toMatch(/^<!-- edgeform:drift stack=shop [\s\S]*drifted once/);
    await stage.onSchedule(of('one'));
    expect(stage.issues().map((issue) => issue.body)).toEqual([body]);
    await drifted('drifted twice', of('one'), BUILT);
    expect(stage.issues()).toMatchObject([{ isOpen: true, body: expect.stringContaining('drifted twice') as string }]);

    // Nobody could look: it stays as it is, and so does the proposal.
    const before = [stage.issues(), stage.proposals()];
    expect((await stage.onSchedule(of('one'), { key: 'wrong' })).codes).toMatchObject({ drift: 1 });
    expect([stage.issues(), stage.proposals()]).toEqual(before);

    expectCodes(await drifted('one', of('one')), { drift: 0, propose: 0 });
    expect(stage.issues()).toMatchObject([{ isOpen: false }]);
  });

  test('issues of others are left alone, and of ours there is one', async () => {
    await applied(of('one'));
    const marker = `<!-- edgeform:drift ${about()} result=drifted -->`;
    const theirs = stage.report('another', 'Drift of stack shop', `${marker}\n\nours`);
    const other = stage.report('us', 'Drift of stack shop', 'without a marker');
    const [first, second] = [1, 2].map(() => stage.report('us', '`$(id)` "\n::error::', `${marker}\nold`));
    await drifted('by hand', of('one'));
    expect([theirs().isOpen, theirs().body, other().isOpen, other().body]).toEqual([
      true,
      `${marker}\n\nours`,
      true,
      'without a marker',
    ]);
    expect([first?.().isOpen, second?.().isOpen, stage.issues().length]).toEqual([true, false, 4]);
    expect(first?.().body).toContain('by hand');
  });

  test('accepted drift has one proposal, which is opened, kept up to date and closed', async () => {
    await applied(of('one'));
    await stage.onSchedule(of('one'));
    expect([stage.proposals(), stage.branch()]).toEqual([[], undefined]);

    expectCodes(await drifted('by hand', of('one')), { drift: 2, propose: 0 });
    const [{ body } = { body: '' }] = stage.proposals();
    expect(stage.proposals()).toMatchObject([{ title: 'Accept the drift of stack shop', isOpen: true, base: 'main' }]);
    expect(body).toMatch(
      /^<!-- edgeform:accept stack=shop service=\S+ result=open fingerprint=sha256:[0-9a-f]{64} -->\n/,
    );
    expect(body).toContain(`This ${stage.request} writes what was changed outside into the manifest`);
    expect(body.includes('No workflow runs for it yet')).toBe(stage.findsPlans);
    expect(stage.branch()?.name).toMatch(/^edgeform\/drift-shop-[0-9a-f]{8}$/);
    expect(stage.branch()?.files).toEqual(of('by hand'));

    // The same drift: nothing is written but the issue, and the branch stays.
    const [written, sha] = [stage.writes().length, stage.branch()?.sha];
    await stage.onSchedule(of('one'));
    const since = stage.writes().slice(written);
    expect([since.filter((line) => !/issues\/\d+$/.test(line)), stage.branch()?.sha]).toEqual([[], sha]);

    await drifted('by another hand', of('one'));
    expect([stage.proposals().length, stage.branch()?.files]).toEqual([1, of('by another hand')]);
    await drifted('one', of('one'));
    expect([stage.proposals()[0]?.isOpen, stage.branch()]).toEqual([false, undefined]);
    expect(stage.proposals()[0]?.comments).toEqual([expect.stringMatching(/^The drift is gone, as .* Closed\.$/)]);

    // One that a person closed stays closed until the drift changes.
    await drifted('again', of('one'));
    stage.closeProposal();
    const again = await stage.onSchedule(of('one'));
    expect(again.log).toMatch(new RegExp(`${stage.request} [#!]\\d+ with the same changes was closed by a person`));
    expect(stage.proposals().map(({ isOpen }) => isOpen)).toEqual([false, false]);
    await drifted('once more', of('one'));
    expect(stage.proposals().map(({ isOpen }) => isOpen)).toEqual([false, false, true]);
  });

  test('a fleet has one comment, one apply of what changes, one issue and one proposal', async () => {
    const how = { fleet: true };
    const change = stage.open();
    expectCodes(await stage.onChange(change, fleetOf('one'), how), { validate: 0, plan: 0 });
    expect(stage.comments(change, 'plan')).toEqual([
      expect.stringMatching(/^<!-- edgeform:plan stack=acme service=\S+ result=pending fingerprint=[^]*\| .*blog/),
    ]);
    expectCodes(await stage.merge(change, fleetOf('one'), how), { ...beside, apply: 0 });
    const said = () =>
      stage
        .service()
        .objects('backends')
        .map(({ description }) => description);
    expect([said(), stage.comments(change, 'report')]).toEqual([['one', 'one'], []]);

    const idle = await applied(fleetOf('one'), how);
    expect(stage.comments(idle, 'plan')).toEqual([expect.stringContaining('result=clean')]);

    for (const { id } of stage.service().objects('backends'))
      stage.service().mutate('backends', String(id), { description: 'by hand' });
    expectCodes(await stage.onSchedule(fleetOf('one'), how), { drift: 2, propose: 0 });
    expect(stage.issues()).toMatchObject([{ title: 'Drift of fleet acme', isOpen: true }]);
    expect(stage.proposals()).toMatchObject([{ title: 'Accept the drift of fleet acme', isOpen: true }]);
    expect(stage.branch()?.files).toEqual(fleetOf('by hand'));
  });
}

function expectCodes({ codes, log }: Ended, expected: Readonly<Record<string, number>>): void {
  expect(codes, log).toEqual(expected);
}
