// The stories that are the same on every forge, on GitLab.

import { servedStubs } from './served.ts';
import { gitlabStage } from './stages.ts';
import { play } from './stories.ts';

play(gitlabStage(await servedStubs()));
