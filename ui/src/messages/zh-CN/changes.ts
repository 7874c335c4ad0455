import type { changes as english } from '../en/changes';
import type { Like } from '../like';

export const changes: Like<typeof english> = {
  'review.operation.accepted': '已接受',
  'review.operation.rejected': '已拒绝',
  'review.operation.applied': '已应用',
  'review.operation.conflict': '冲突',
  'review.operation.failed': '失败',
  'review.undo': '撤销',
  'review.undone': (v) => `已撤销 ${v.count} 项。`,
  'review.undoBlocked': (v) => `之后${v.names}又有改动。请先比较再撤销。`,
  'review.reviewUndo': '审阅此撤销',
};
