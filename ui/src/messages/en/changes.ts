import { plural } from '../plural';

/** Of changes, where no review of them is in front. */
export const changes = {
  'review.operation.accepted': 'Accepted',
  'review.operation.rejected': 'Rejected',
  'review.operation.applied': 'Applied',
  'review.operation.conflict': 'Conflict',
  'review.operation.failed': 'Failed',
  'review.undo': 'Undo',
  'review.undone': (v: { count: number }) => `${plural(v.count, 'change')} taken back.`,
  'review.undoBlocked': (v: { names: string }) => `${v.names} changed after that. Compare before undoing.`,
  'review.reviewUndo': 'Review the undo',
};
