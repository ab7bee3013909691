// What the page takes for granted: the elements that it finds are HTML, and so is what events come from.

interface Element {
  readonly dataset: DOMStringMap;
  hidden: boolean;
  readonly offsetHeight: number;
  tabIndex: number;
  focus(options?: FocusOptions): void;
}

interface EventTarget {
  readonly dataset: DOMStringMap;
  closest(selectors: string): Element | null;
  setPointerCapture(pointer: number): void;
}

// The catalogues of words, which the server makes of `words/*.json`.
declare module "*/words/de.js" {
  const catalogue: { words: Record<string, string>; messages: Record<string, string> };
  export default catalogue;
}
declare module "*/words/en.js" {
  const catalogue: { words: Record<string, string>; messages: Record<string, string> };
  export default catalogue;
}
