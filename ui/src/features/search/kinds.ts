import type { FileKind } from '../../api/generated/commands';
import { t } from '../../messages/index.svelte';

/** A kind of file as people call it. */
export function kindName(kind: FileKind): string {
  switch (kind) {
    case 'markdown':
      return 'Markdown';
    case 'text':
      return t('search.kindText');
    case 'pdf':
      return 'PDF';
    case 'docx':
      return 'Word';
    case 'pptx':
      return 'PowerPoint';
    case 'table':
      return 'Excel, CSV';
    case 'epub':
      return 'EPUB';
    case 'html':
      return 'HTML';
    case 'image':
      return t('search.kindImage');
    case 'other':
      return t('search.kindOther');
  }
}
