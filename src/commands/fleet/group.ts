// What the commands about fleets have in common.

export const group = { name: 'fleet', text: 'plan, apply and check many stacks' };
