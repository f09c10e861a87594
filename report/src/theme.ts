// Light and dark: what the system says, until the reader says otherwise.

import { el } from './dom';

export function themeButton(changed: () => void): HTMLElement {
  const system = matchMedia('(prefers-color-scheme: dark)');
  let own: string | null = null;
  const button = el('button', { type: 'button', class: 'theme', click: () => {
    own = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    apply();
  } });
  function apply() {
    const theme = own ?? (system.matches ? 'dark' : 'light');
    document.documentElement.dataset.theme = theme;
    button.textContent = theme === 'dark' ? 'Light' : 'Dark';
    button.setAttribute('aria-label', `Switch to ${theme === 'dark' ? 'light' : 'dark'} colours`);
    changed();
  }
  system.addEventListener('change', apply);
  apply();
  return button;
}
