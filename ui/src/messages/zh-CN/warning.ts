import type { warning as en } from '../en/warning';
import type { Like } from '../like';

export const warning: Like<typeof en> = {};
