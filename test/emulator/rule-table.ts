// Tables of rules on input: each with a body that keeps the rule and a body that breaks it.

import { expect } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { send } from './support.ts';

export interface Row {
  readonly rule: string;
  readonly path: string;
  readonly good: () => JsonObject;
  readonly bad: () => Json;
}

export const ROLE = { role: { role_arn: 'arn:aws:iam::1:role/x' } };
export const CREDS = { creds: { aws_access_key_id: 'A', aws_secret_access_key: 'S' } };
export const FIREHOSE = { firehose: { auth: ROLE, delivery_stream_arn: 'arn:1' } };
export const KINESIS = { kinesis: { auth: ROLE, stream_arn: 'arn:1' } };

/** The good body is accepted, the bad one refused with a whole error body. */
export async function checkRow(emulator: Emulator, path: string, row: Row): Promise<void> {
  expect(await send(emulator, `POST ${path}`, row.good())).toMatchObject({ status: 201 });
  expect(await send(emulator, `POST ${path}`, row.bad())).toEqual({
    status: 400,
    body: { status_code: 400, error_code: expect.stringMatching(/^ERR_/), msg: expect.any(String), details: {} },
  });
}
