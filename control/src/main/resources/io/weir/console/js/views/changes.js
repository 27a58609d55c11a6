// Changes: who changed which row, what it was before, and back again.
import {get} from '../api.js';
import {add, button, fill, h, link, name, words} from '../dom.js';
import {when} from '../format.js';
import {filters} from '../table.js';
import {changeDetail, changeTarget, changeText, differences, diffTable, RESTORABLE, restored, TABLES} from '../parts.js';

export function show(page) {
  const found = h('ol.lines#changes');
  const more = h('div');
  let shown = [];

  const which = filters([{name: 'table', label: 'What', choices: [['', 'everything'], ...Object.entries(TABLES).map(([table, text]) => [table, `${text}s`.replace(/ys$/, 'ies').replace(/hs$/, 'hes')])]}], () => { shown = []; panel.refresh(); });
  const read = (cursor, signal) => get('changes', {table: which.values().table, rowKey: which.values().table && page.query.get('rowKey'), limit: 50, cursor}, signal);
  const panel = page.panel({
    id: 'change-list', title: 'Newest first', events: RESTORABLE,
    read: signal => read(null, signal),
    content: [which.element, found, more],
    draw: data => {
      const last = shown[0]?.number;
      const isMore = last !== undefined && data.items.some(each => each.number === last);
      const added = isMore ? data.items.filter(each => each.number > last) : data.items;
      if (isMore) {
        shown.unshift(...added);
        found.prepend(...added.map(line));
        return;
      }
      shown = added;
      fill(found, shown.length > 0 ? shown.map(line) : h('li.empty', 'Nothing has changed.'));
      grow(data.next);
    },
  });

  function grow(next) {
    fill(more, next && page.more('Show more', more, async () => {
      const data = await read(next, page.signal);
      shown.push(...data.items);
      add(found, data.items.map(line));
      grow(data.next);
    }));
  }

  function line(change) {
    const [address, text] = changeTarget(change);
    const details = h('details', h('summary', 'Differences'));
    details.addEventListener('toggle', () => {
      if (details.open && details.childElementCount === 1) details.append(h('div.table-box', diffTable(differences(change.before ?? {}, change.after ?? {}))));
    });
    return h('li', {data: {change: change.number}}, h('div.spread',
      h('span', h('b', changeText(change)), ' ', address ? link(address, name(text)) : name(text), ' (', words(changeDetail(change)), ')', h('span.muted', ' by ', words(change.by || 'SQL'))), when(change.at)),
    h('div.spread.chart', details,
      page.canChange && change.after && RESTORABLE.includes(change.table) && button('Restore', () => restore(change), {kind: 'slim plain', data: {restore: change.number}})));
  }

  async function restore(change) {
    if (await restored(change)) panel.refresh();
  }

  page.ticket(() => shown.slice(0, 20).map(each => `${each.at} ${changeText(each)} ${changeTarget(each)[1]} ${changeDetail(each)} by ${each.by}`));
  add(page.root, [page.head('Changes', {sub: 'Every change of rules, costs and switches is kept for 400 days unless set otherwise, those of users for seven.'}), panel.element]);
}
