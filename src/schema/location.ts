// One value, and the part of a schema that describes it.

import { isList, isObject, type Json, type JsonObject, type Path } from '../core/json.ts';
import { FORM } from './hints.ts';

export interface SchemaLocation {
  readonly path: Path;
  readonly schema: JsonObject;
  readonly value: Json | undefined;
  /** The block around the value, and the schema of the block. */
  readonly parent: { readonly schema: JsonObject; readonly value: Json | undefined };
  /** The source text of the value, if it is a scalar. */
  readonly text: string;
  /** What messages call the whole document. */
  readonly called: string;
}

/** The types of the schema as it has them: text among them may be that of a variable alone. */
export function allTypesOf({ type }: JsonObject): string[] {
  return (isList(type) ? type : [type]).map(String).filter((one) => one !== 'null');
}

/**
 * Numbers, booleans and lists may be given as variables, which are text of no other form; messages should suggest neither such text
 * nor `null`.
 */
export function typesOf(schema: JsonObject): string[] {
  const all = allTypesOf(schema);
  const hasText = schema['pattern'] === undefined || schema[FORM] !== undefined || all.length === 1;
  return hasText ? all : all.filter((one) => one !== 'string');
}

export function requiredIn({ required }: JsonObject): string[] {
  return isList(required) ? required.map(String) : [];
}

/** The schema of a block of which exactly one key is chosen. */
export function isChoice({ allOf }: JsonObject): boolean {
  return isList(allOf) && allOf.some((one) => isObject(one) && one['maxProperties'] === 1);
}
