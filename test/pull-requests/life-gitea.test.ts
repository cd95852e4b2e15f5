// The stories that are the same on every forge, on Gitea.

import { servedStubs } from './served.ts';
import { actionsStage } from './stages.ts';
import { play } from './stories.ts';

play(actionsStage(await servedStubs(), { isGitea: true }));
