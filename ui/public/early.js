// Runs before the first paint so that a dark window never flashes white. The settings themselves live in the
// database; what is read here is the copy that state/app.svelte.ts leaves behind under the name of state/storage.ts.
(() => {
  const data = document.querySelector('meta[name="data"]')?.content ?? '';
  let look = {};
  try {
    look = JSON.parse(localStorage.getItem(`orangery.${data}.look`) ?? '{}');
  } catch {
    // Storage may be switched off or damaged: the defaults hold.
  }
  const root = document.documentElement;
  if (look.theme === 'light' || look.theme === 'dark') root.dataset.theme = look.theme;
  if (look.density === 'comfortable') root.dataset.density = look.density;
  const language = look.language ?? (navigator.language.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en');
  root.lang = language === 'zh-CN' ? 'zh-CN' : 'en';
})();
