// Sound and speech: oscillators and the browser's own voice, no files. Browsers allow both only after a key or a click.
import { byId, keep, put, recall, say } from './common.js';
import { translated } from './sentences.js';
import { text } from './text.js';

const choice = recall('audio', { on: false, speech: false });
let audio;

export function play(notes, step, length) {
  if (!choice.on || audio?.state !== 'running') return;
  notes.forEach((frequency, n) => {
    const [oscillator, gain, at] = [audio.createOscillator(), audio.createGain(), audio.currentTime + n * step];
    oscillator.frequency.value = frequency;
    gain.gain.setValueAtTime(0.3, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + length);
    oscillator.connect(gain).connect(audio.destination);
    oscillator.start(at);
    oscillator.stop(at + length);
  });
}
export const playRep = () => play([880], 0, 0.12);
export const playSet = () => play([523, 659, 784], 0.16, 0.4);

// Says a cue. A newer one takes its place, because an old one no longer fits what somebody does.
export function cue(words) {
  play([392, 330], 0.14, 0.3);
  if (!choice.speech || !('speechSynthesis' in window)) return;
  speechSynthesis.cancel();
  const utterance = new SpeechSynthesisUtterance(words.replaceAll('°', say('degrees_spoken')).replaceAll('±', say('error_spoken')));
  utterance.lang = text.locale;
  speechSynthesis.speak(utterance);
}

// The newest number of cues of each workout, so that each cue is said once.
const said = new Map();
export function hear(workouts) {
  for (const { id, cue: words, cues } of workouts) {
    if (said.has(id) && cues > said.get(id) && words) cue(translated(words));
    said.set(id, cues);
  }
}

async function wake() {
  for (const [id, on, name] of [['sound', choice.on, 'sound'], ['speech', choice.speech, 'speech']]) {
    put(byId(id), say(`${name}_${on ? 'off' : 'on'}`));
    byId(id).setAttribute('aria-pressed', on);
  }
  if (!choice.on || navigator.userActivation?.hasBeenActive === false) return;
  audio ??= new AudioContext();
  await audio.resume().catch(() => {});
}

async function toggle(what) {
  choice[what] = !choice[what];
  keep('audio', choice);
  await wake();
  playRep();
}

// Makes the page's buttons `sound` and `speech` work, and the keys S and V.
export function openAudio() {
  byId('sound').addEventListener('click', () => toggle('on'));
  byId('speech').addEventListener('click', () => toggle('speech'));
  addEventListener('pointerup', wake);
  addEventListener('keydown', (event) => {
    const typing = ['INPUT', 'SELECT', 'TEXTAREA'].includes(event.target.tagName);
    const what = typing || event.ctrlKey || event.metaKey || event.altKey ? null : { s: 'on', v: 'speech' }[event.key];
    return what ? toggle(what) : wake();
  });
  wake();
}
