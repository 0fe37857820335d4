// The replay of a session's sets, and their use as training clips.
import { post } from './api.js';
import { byId, el, keep, labelName, number, put, recall, say } from './common.js';
import { Replay } from './replay.js';

let replay, outcome, chosen;

// The dialog, which the operator can use to make a clip of the chosen set.
function makeReplay(session, isOperator) {
  [replay, outcome] = [new Replay(), el('p', { role: 'status' })];
  if (!isOperator) return;
  const person = el('input', { type: 'text', maxLength: 20, pattern: '[A-Za-z0-9_\\-]+', autocomplete: 'off',
    value: recall('set', { person: 'person-1' }).person });
  const use = el('button', { type: 'button', onclick: async () => {
    use.disabled = true;
    await post(`sessions/${session.id}/sets/${chosen}/clip`, { person: person.value }).then(({ id, figures }) => {
      put(outcome, say('clip_made', { label: labelName(id.split('.')[0]), n: number(figures.seconds, 1) }));
      keep('set', { person: person.value });
    }, (failure) => put(outcome, failure.message));
    use.disabled = false;
  } }, say('use_as_clip'));
  replay.dialog.append(el('div', { className: 'controls' },
    el('label', { className: 'pick' }, el('span', {}, say('person')), person), use), outcome);
}

// Adds a column to the table of sets, with a button where the poses of a set are kept.
export function addReplays(session, isOperator) {
  if (!session.kept_poses) return;
  if (!replay) makeReplay(session, isOperator);
  byId('sets').querySelectorAll('tr').forEach((row, n) => {
    const set = session.sets[n - 1];
    const isKept = session.kept_poses.includes(set?.number);
    const title = isKept && `${labelName(set.label)} · ${say('set_n', { n: set.number })}`;
    const play = () => {
      chosen = set.number;
      put(outcome, '');
      replay.play(title, `sessions/${session.id}/poses?set=${chosen}`);
    };
    row.append(n ? el('td', {}, isKept && el('button', { type: 'button', ariaLabel: `${say('replay')}: ${title}`,
      onclick: play }, say('replay')))
      : el('th', { scope: 'col' }, el('span', { className: 'hidden' }, say('replay'))));
  });
}
