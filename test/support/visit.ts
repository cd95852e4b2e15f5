// A walk through a syntax tree.

import ts from 'typescript-api';

/** The node and all below it, in the order of the text. */
export function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => {
    visit(child, see);
  });
}
