// Draws the table of cells: a column for each cell, a row for each register. The extension sends it at each stop.
const page = acquireVsCodeApi();
const note = document.querySelector('#note');
const table = document.querySelector('table');

const element = (name, properties = {}, ...children) => {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...children);
  return created;
};

/** The class of a column: the current cell, the one that it attends to, or any other. */
const kindOf = (cell, { current, attends }) => (cell === current ? 'current' : cell === attends ? 'attended' : '');

const headOf = ({ cell }, shown) => {
  const roles = [cell === shown.current ? 'N' : '', cell === shown.attends ? 'n' : ''].join('');
  const button = element('button', { title: `Go to cell ${cell}`, onclick: () => page.postMessage({ goTo: cell }) }, `${cell}`);
  const head = element('th', { scope: 'col', className: kindOf(cell, shown) }, button, element('span', { className: 'role' }, roles));
  if (cell === shown.current) head.setAttribute('aria-current', 'true');
  return head;
};

const valueOf = ({ cell }, { value, after }, shown) => {
  const kind = kindOf(cell, shown);
  if (after === undefined) return element('td', { className: value === '∅' ? `${kind} null` : kind }, value);
  const parts = [element('span', { className: 'before' }, value), '→', element('span', { className: 'after' }, after)];
  return element('td', { className: kind, title: `The layer changes ${value} to ${after} in cell ${cell}` }, ...parts);
};

const noteOf = ({ cells, current, layer, attends, total, isChanged }) => {
  const notes = [];
  if (isChanged) notes.push('Changed run.');
  if (cells.length < total) notes.push(`Cells ${cells[0].cell} to ${cells.at(-1).cell} of ${total}.`);
  const attended = attends === null ? 'no cell' : attends === current ? 'itself' : `cell ${attends}`;
  if (layer !== null) notes.push(`Layer ${layer}: cell ${current} attends to ${attended}.`);
  return notes.join(' ');
};

window.addEventListener('message', ({ data: { table: shown } }) => {
  const heads = shown.cells.map((cell) => headOf(cell, shown));
  const rows = shown.registers.map((register, index) => {
    const values = shown.cells.map((cell) => valueOf(cell, cell.values[index], shown));
    return element('tr', {}, element('th', { scope: 'row' }, register), ...values);
  });
  const corner = element('th', { scope: 'row' }, 'cell');
  table.replaceChildren(element('thead', {}, element('tr', {}, corner, ...heads)), element('tbody', {}, ...rows));
  note.textContent = noteOf(shown);
  table.querySelector('.current')?.scrollIntoView({ block: 'nearest', inline: 'center' });
});

page.postMessage({ ready: true });
