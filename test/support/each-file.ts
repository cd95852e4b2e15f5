// Before each file of tests: what the process has learned of secrets by another file is no secret of this one.

import { clearSecrets } from '../../src/core/secrets/secret.ts';

clearSecrets();
