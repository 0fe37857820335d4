// The replay of a session's sets, and their use as training clips.
import { post } from './api.js';
import { byId, el, keep, labelName, number, put, recall, say } from './common.js';
import { Replay } from './replay.js';

// Adds a column to the table of sets, with a button where the poses of a set are kept.
export function addReplays(session, isOperator) {
  if (!session.kept_poses) return;
  const [replay, outcome] = [new Replay(), el('p', { role: 'status' })];
  const person = el('input', { type: 'text', maxLength: 20, pattern: '[A-Za-z0-9_\\-]+', autocomplete: 'off',
    value: recall('set', { person: 'person-1' }).person });
  let chosen;
  const use = el('button', { type: 'button', onclick: async () => {
    use.disabled = true;
    await post(`sessions/${session.id}/sets/${chosen}/clip`, { person: person.value }).then(({ id, figures }) => {
      put(outcome, say('clip_made', { label: labelName(id.split('.')[0]), n: number(figures.seconds, 1) }));
      keep('set', { person: person.value });
    }, (failure) => put(outcome, failure.message));
    use.disabled = false;
  } }, say('use_as_clip'));
  if (isOperator) {
    replay.dialog.append(el('div', { className: 'controls' },
      el('label', { className: 'pick' }, el('span', {}, say('person')), person), use), outcome);
  }
  byId('sets').querySelectorAll('tr').forEach((row, n) => {
    const set = session.sets[n - 1];
    const kept = session.kept_poses.find(({ start }) => start === set?.start);
    const title = kept && `${labelName(set.label)} · ${say('set_n', { n: kept.number })}`;
    const play = () => {
      chosen = kept.number;
      put(outcome, '');
      replay.play(title, `sessions/${session.id}/poses?set=${chosen}`);
    };
    row.append(n ? el('td', {}, kept && el('button', { type: 'button', ariaLabel: `${say('replay')}: ${title}`,
      onclick: play }, say('replay')))
      : el('th', { scope: 'col' }, el('span', { className: 'hidden' }, say('replay'))));
  });
}
