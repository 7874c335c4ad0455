import type { Finding } from '../../api/generated/commands';
import type { KnowledgeBase } from '../../api/generated/KnowledgeBase';
import { describeWarning, t } from '../../messages/index.svelte';
import { app } from '../../state/app.svelte';

interface Told {
  title: string;
  sentence: string;
  /** As the check said it. */
  detail: string;
  remedy: string | null;
}

/** What a finding of the check means, in the reader's language; what it says itself is left as the detail. */
export function told({ name, ok, detail, remedy }: Finding): Told {
  switch (name) {
    case 'data':
      return { title: t('settings.find.data'), sentence: t('settings.find.dataText'), detail, remedy };
    case 'keyring':
      // When all is well there is no more to know.
      if (ok) return { title: t('settings.find.keyring'), sentence: t('settings.find.keyringText'), detail: '', remedy };
      return {
        title: t('settings.find.keyring'),
        sentence: t('settings.find.noKeyring'),
        detail,
        // The command of the one system whose keyring may not be installed.
        remedy: remedy?.includes('gnome-keyring') === true ? 'sudo apt install gnome-keyring' : null,
      };
    case 'knowledgeBase': {
      const kb = app.knowledgeBases.find((one) => detail.startsWith(`${one.name}: ${one.root}, `));
      if (kb === undefined) return { title: t('settings.find.knowledgeBase'), sentence: '', detail, remedy };
      return {
        title: t('settings.find.knowledgeBaseNamed', { name: kb.name }),
        sentence: ok ? t('settings.find.files', kb) : faultOf(kb),
        detail: kb.root,
        remedy: null,
      };
    }
    case 'pdf':
      return {
        title: t('settings.find.pdf'),
        sentence: ok ? t('settings.find.pdfText') : describeWarning({ code: 'pdfiumMissing', detail: brokenLibrary(detail) }),
        detail: '',
        remedy: null,
      };
    case 'index':
      return { title: t('settings.find.index'), sentence: t('settings.find.indexText'), detail, remedy: null };
    case 'permissions':
      return { title: t('settings.find.rules'), sentence: t('settings.find.brokenRules'), detail, remedy: null };
    default:
      return { title: name, sentence: '', detail, remedy };
  }
}

function faultOf(kb: KnowledgeBase): string {
  const [trouble] = kb.troubles;
  return kb.offline || trouble === undefined ? t('settings.find.offline') : describeWarning(trouble);
}

/** Which library of PDF cannot be loaded and why; nothing where there is none. */
function brokenLibrary(detail: string): string {
  const begin = 'PDFium cannot be loaded: ';
  return detail.startsWith(begin) ? detail.slice(begin.length) : '';
}
