// Before each file of tests: what the process has learned of secrets by another file is no secret of this one.

import { knownSecrets } from '../../src/core/secrets/known.ts';

knownSecrets.clear();
