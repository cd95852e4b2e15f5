// Warnings about values that are accepted and were probably meant otherwise.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { valueAt } from '../../core/value.ts';
import { doubtAbout, mayBeDoubtful } from '../../catalog/doubts.ts';
import { allFields, perTable } from '../../catalog/walk.ts';
import type { StackInput } from '../resources.ts';

const doubtfulFields = perTable((fields) =>
  allFields(fields).flatMap(({ field, path }) =>
    field.type === 'string' && mayBeDoubtful(field.form) ? [{ form: field.form, path: path.split('.') }] : [],
  ),
);

export function checkDoubts({ resources, sourceMap }: StackInput): Diagnostic[] {
  return resources.flatMap(({ resource, path, kind }) =>
    doubtfulFields(kind.fields).flatMap(({ form, path: inner }): Diagnostic[] => {
      const value = valueAt(resource.spec, inner);
      const doubt = typeof value === 'string' ? doubtAbout(form, value) : undefined;
      return doubt === undefined
        ? []
        : [sourceMap.warning('doubtful-value', [...path, ...inner], doubt, resource.address)];
    }),
  );
}
