// What the commands that import have in common.

export const group = { name: 'import', text: 'write a manifest from the state of another tool' };
