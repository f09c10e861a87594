// Elements from code. Text goes in as text nodes only, so data can never become markup.

type Child = Node | string | null | undefined | false;
type Properties = Record<string, string | number | boolean | ((e: any) => void)>;

function filled<T extends Element>(e: T, properties: Properties, children: Child[]): T {
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === 'function') e.addEventListener(key, value);
    else if (value === true) e.setAttribute(key, '');
    else if (value !== false) e.setAttribute(key, String(value));
  }
  for (const child of children) if (child) e.append(child);
  return e;
}

export function el<K extends keyof HTMLElementTagNameMap>(
    tag: K, properties: Properties = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  return filled(document.createElement(tag), properties, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
    tag: K, properties: Properties = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', tag), properties, children);
}

// A name from the data: its direction of writing stays its own.
export const name = (text: string): HTMLElement => el('bdi', {}, text);

export const percent = (share: number, digits = 1): string => (100 * share).toFixed(digits) + ' %';

export const calm = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
