// Types of the validators that `npm run generate` compiles. Do not edit compiled.cjs.

interface CompiledError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

interface CompiledValidator {
  (data: unknown): boolean;
  errors?: readonly CompiledError[] | null;
}

declare const compiled: { readonly manifest: CompiledValidator; readonly plan: CompiledValidator };
export = compiled;
