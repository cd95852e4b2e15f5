// What the commands about policies have in common.

export const group = { name: 'policy', text: 'check and test policies' };
