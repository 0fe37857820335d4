// The speed of each repetition of a workout's step: a bar beside the fastest of the first three, and how sure it is.
import { el, many, number, put, say } from './common.js';

// The parts of the view: bars, and the words beside them.
export function speedView() {
  const view = el('div', { className: 'speeds' }, el('div', { className: 'bars' }), el('p', { className: 'speed-words' }));
  view.firstChild.setAttribute('aria-hidden', 'true');
  return view;
}

// Bars begin at 40 %, so that a loss of a few percent is seen from across the room.
const height = (speed) => `${Math.max(4, Math.min((speed - 40) / 0.8, 100))}%`;

export function renderSpeeds(view, workout) {
  const speeds = workout?.phase === 'resting' ? [] : workout?.speeds_percent ?? [];
  view.hidden = !speeds.length;
  if (view.hidden) return;
  const [bars, words] = view.children;
  const least = 100 - (workout.stop_at_slower ?? 0);
  bars.replaceChildren(...speeds.map((speed) => {
    const bar = el('i', { className: speed < least ? 'slow' : '' });
    bar.style.setProperty('--share', height(speed));
    return bar;
  }));
  bars.style.setProperty('--line', height(least));
  put(words, say('speed_now', { n: number(speeds.at(-1)), error: number(workout.speed_error_percent) }));
}

// The repetitions that do not count: `2 no-reps`, or nothing.
export const noRepsOf = (workout) => (workout.no_reps ? many('no_reps', workout.no_reps) : '');
