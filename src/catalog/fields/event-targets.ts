// Where event destinations send events (§2): three documented targets, and two whose fields are not shown.

import type { Fields, ObjectField } from '../field.ts';
import { assumed, documented, unspecified } from '../provenance.ts';
import { requiredText } from './common.ts';

const anyAuth = {
  type: 'object',
  exactlyOne: true,
  doc: 'How the service signs in: a role to assume, or access keys.',
  source: documented('§2'),
  fields: {
    role: {
      type: 'object',
      doc: 'A role that the service assumes.',
      source: documented('§2'),
      fields: { role_arn: requiredText('Resource name of the role.', 'arn:aws:iam::123456789012:role/events') },
    },
    creds: {
      type: 'object',
      doc: 'Long-term access keys.',
      source: documented('§2'),
      fields: {
        aws_access_key_id: requiredText('Access key id; an identifier, not a secret.', 'AKIAIOSFODNN7EXAMPLE'),
        aws_secret_access_key: {
          ...requiredText('Secret access key. The service may mask it when read (ADR-0009).', '${var.aws_secret}'),
          sensitive: true,
          read: 'masked',
        },
      },
    },
  },
} as const satisfies ObjectField;

const auth = { ...anyAuth, required: true } as const satisfies ObjectField;

/** An Amazon target, named after what it writes to. */
function amazon<const F extends Fields>(doc: string, arn: F) {
  return { type: 'object', doc, source: documented('§2'), fields: { auth, ...arn } } as const satisfies ObjectField;
}

function text(doc: string) {
  return { type: 'string', doc, source: assumed('ADR-0004') } as const;
}

const most = { type: 'integer', min: 0, default: 'service', source: assumed('ADR-0004') } as const;

const s3: ObjectField = {
  type: 'object',
  open: true,
  doc: 'An S3 bucket. Its fields are not specified; those named here are assumed and others are passed on.',
  source: unspecified('§2'),
  fields: {
    auth: { ...anyAuth, source: assumed('ADR-0004') },
    bucket_arn: text('Resource name of the bucket.'),
    object_prefix: text('Prefix of the objects.'),
    compression: {
      type: 'boolean',
      default: 'service',
      doc: 'Whether objects are compressed.',
      source: assumed('ADR-0004'),
    },
    max_file_size: { ...most, doc: 'Bytes per object.' },
    max_file_age: { ...most, doc: 'Seconds per object.' },
  },
};

const datadog: ObjectField = {
  type: 'object',
  open: true,
  doc: 'Datadog. Its fields are not specified; those named here are assumed and others are passed on.',
  source: unspecified('§2'),
  fields: {
    api_key: {
      type: 'string',
      sensitive: true,
      read: 'masked',
      doc: 'Datadog API key. The service may mask it when read (ADR-0009).',
      source: assumed('ADR-0004'),
      examples: ['${var.datadog_key}'],
    },
    ddtags: text('Tags, separated by commas.'),
    service: text('Service name.'),
    ddsite: text('Datadog site.'),
  },
};

export const eventTarget = {
  type: 'object',
  required: true,
  exactlyOne: true,
  fixedChoice: true,
  doc: 'Where events are sent: exactly one key. Choosing another kind of target later is a replacement (ADR-0004).',
  source: documented('§2'),
  fields: {
    kinesis: amazon('A Kinesis stream.', {
      stream_arn: requiredText('Resource name of the stream.', 'arn:aws:kinesis:eu-west-1:123456789012:stream/audit'),
    }),
    firehose: amazon('A Firehose delivery stream.', {
      delivery_stream_arn: requiredText(
        'Resource name of the delivery stream.',
        'arn:aws:firehose:eu-west-1:123456789012:deliverystream/audit',
      ),
    }),
    cloudwatch_logs: amazon('A CloudWatch log group.', {
      log_group_arn: requiredText(
        'Resource name of the log group.',
        'arn:aws:logs:eu-west-1:123456789012:log-group:audit',
      ),
    }),
    s3,
    datadog,
  },
} as const satisfies ObjectField;
