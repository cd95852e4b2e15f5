// The plan JSON of Terraform, for policy rules and tools that read it.

import { drawTerraform } from '../terraform/document.ts';
import type { Writer } from '../writer.ts';

export const format = {
  name: 'terraform-json',
  position: 110,
  isLog: false,
  draws: ['plan'],
  words:
    'action_reason actions address after after_sensitive after_unknown applyable before before_sensitive change complete create delete delete_because_no_resource_config deposed edgeform errored forget format_version id importing managed mode name no-op output_changes provider_name replace_because_cannot_update replace_paths resource_changes resource_drift type update'.split(
      ' ',
    ),
  draw: drawTerraform,
} as const satisfies Writer;
