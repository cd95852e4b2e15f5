// All stories, and after them every sentence that their plans say to people.

import { expect, test } from 'vitest';
import './hand-over.ts';
import './identity.ts';
import './imports.ts';
import './modules.ts';
import './reuse.ts';
import { sentencesTold } from './story.ts';

// The only file of the stories with words in it: a changed sentence changes it, and none of the stories.
test('each sentence of the plans is said once', async () => {
  await expect(`${sentencesTold().join('\n')}\n`).toMatchFileSnapshot('golden/sentences.txt');
});
