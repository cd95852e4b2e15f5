// The plan JSON of Terraform, for policy rules and tools that read it.

import { drawTerraform, TERRAFORM_WORDS } from '../terraform/document.ts';
import type { Writer } from '../writer.ts';

export const format = {
  name: 'terraform-json',
  position: 110,
  isLog: false,
  draws: ['plan'],
  words: TERRAFORM_WORDS,
  draw: drawTerraform,
} as const satisfies Writer;
