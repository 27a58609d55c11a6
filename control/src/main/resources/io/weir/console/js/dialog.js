// Dialogs: a question, a text to copy, the keys.
import {add, button, h} from './dom.js';

let number = 0;

/**
 * Opens a dialog. Resolves with what `close` was given, or undefined if it was dismissed, or if somebody went to another
 * page and it doesn't stay there.
 */
export function openDialog(title, {content = [], actions = null, id = null, broad = false, stays = false} = {}) {
  const titleId = `dialog-${++number}`;
  const element = h('dialog', {id, class: broad ? 'broad' : null, data: stays ? {stays: ''} : null, 'aria-labelledby': titleId}, h('h2', {id: titleId}, title));
  const before = document.activeElement;
  return new Promise(resolve => {
    let result;
    const close = value => { result = value; element.close(); };
    add(element, typeof content === 'function' ? content(close) : content);
    const row = actions === null ? [button('Close', () => close())] : actions(close);
    if (row.length > 0) element.append(h('div.actions', row));
    element.addEventListener('close', () => {
      element.remove();
      if (before?.isConnected) before.focus();
      resolve(result);
    });
    document.body.append(element);
    element.showModal();
    element.querySelector('[autofocus]')?.focus();
  });
}

/** Closes the dialogs of a page that is left. */
export function closeDialogs() {
  for (const each of document.querySelectorAll('dialog[open]:not([data-stays])')) each.close();
}

/** Asks before something is done. Resolves with true if it may be. */
export async function confirm(title, content, action, {danger = false, id = 'confirm'} = {}) {
  return await openDialog(title, {
    id, content,
    actions: close => [
      button('Cancel', () => close(false), {id: `${id}-cancel`}),
      button(action, () => close(true), {kind: danger ? 'primary danger' : 'primary', id: `${id}-yes`}),
    ],
  }) === true;
}
