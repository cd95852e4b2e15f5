// An object that is known by its id, whether or not a list shows it.

export interface Pin {
  readonly kind: string;
  readonly id: string;
  readonly address: string;
}
