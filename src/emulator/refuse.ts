// Refusals of the emulator: status and message of a broken rule.

/** A request the service does not accept. */
export class Refuse extends Error {
  override readonly name = 'Refuse';
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, details: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** A rule of §7 or §8 that the body breaks. */
export function invalid(path: string, message: string): Refuse {
  return new Refuse(400, 'ERR_INVALID', `${path}: ${message}`, { path });
}
