import type { Page } from 'playwright-core';

/*
 * The page's controls, as the document has them: whatever can be typed, picked or switched. A choice is
 * as many controls as it has options. None is named here: a new one is found by being there.
 */

/** What each control says, by a name that it has in every copy of the page. */
export type Controls = Readonly<Record<string, string>>;

type Doing = { does: 'read' } | { does: 'change'; name: string };

/** Runs in the page: reads all controls that are in use under `scope`, or changes one. */
function inPage([scope, doing]: readonly [string, Doing]): Record<string, string> {
  type Control = HTMLInputElement | HTMLSelectElement;
  const root = document.querySelector('he-page')?.shadowRoot;
  const found = [...(root?.querySelectorAll<Control>('input, select, textarea') ?? [])];
  const inScope = (control: Control) =>
    scope === '' ? !control.closest('.panels-section') : control.closest(scope) !== null;
  // How a picture is saved is no part of what is asked.
  const inUse = (control: Control) =>
    inScope(control) &&
    !control.closest('.exports') &&
    !control.disabled &&
    control.checkVisibility();
  /** The first words of the label around a control; what it reads out may follow. */
  const labelOf = (control: Control) => {
    const label = control.closest('label');
    if (!label) return '';
    const texts = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode.textContent?.trim() ?? '';
      if (text !== '') return text;
    }
    return '';
  };
  const nameOf = (control: Control) =>
    control.id || control.name || (control.getAttribute('aria-label') ?? labelOf(control));
  const fire = (control: Control, ...kinds: string[]) => {
    for (const kind of kinds) control.dispatchEvent(new Event(kind, { bubbles: true }));
  };
  /** Another text, and likely another number: its last digit changed. */
  const otherText = (text: string) =>
    text === ''
      ? '2'
      : text.replace(/(\d)(?=\D*$)/, (digit) => (digit === '9' ? '8' : String(Number(digit) + 1)));

  const says: Record<string, string> = {};
  const say = (name: string, what: string, change: () => void) => {
    if (name === '' || Object.hasOwn(says, name)) throw new Error(`which control is “${name}”?`);
    says[name] = what;
    if (doing.does === 'change' && doing.name === name) change();
  };
  for (const control of found.filter(inUse)) {
    const name = nameOf(control);
    if (control instanceof HTMLSelectElement) {
      for (const option of control.options) {
        if (option.disabled) continue;
        say(`${name}=${option.value}`, String(option.selected), () => {
          control.value = option.value;
          fire(control, 'input', 'change');
        });
      }
    } else if (control.type === 'radio' || control.type === 'checkbox') {
      const named = control.type === 'radio' ? `${name}=${control.value}` : name;
      say(named, String(control.checked), () => {
        control.click();
      });
    } else {
      say(name, control.value, () => {
        control.value = otherText(control.value);
        fire(control, 'input', 'change');
      });
    }
  }
  return says;
}

/** What all controls under `scope` say; without one, those of the scenario and the answer. */
export const controlsOf = (page: Page, scope: string): Promise<Controls> =>
  page.evaluate(inPage, [scope, { does: 'read' }] as const);

/** Gives one control another value, as a reader would. */
export async function changeControl(page: Page, scope: string, name: string): Promise<void> {
  await page.evaluate(inPage, [scope, { does: 'change', name }] as const);
}
