// Plays a person's joints: those of a recorded clip, of a set, or of a question.
import { get } from './api.js';
import { el, labelName, put, say } from './common.js';
import { drawPose } from './skeleton.js';

// Plays the joints of a clip onto a canvas. One that repeats shows the end for a second, and begins again.
export class Player {
  constructor(stage, { repeats = false, changed = () => {} } = {}) {
    Object.assign(this, { stage, repeats, changed, speed: 1 });
  }

  // Plays a clip from its beginning; `null` empties the canvas.
  play(clip) {
    Object.assign(this, { clip, at: 0, playing: false });
    if (!clip) return drawPose(this.stage, null);
    this.stage.style.aspectRatio = `${clip.width} / ${clip.height}`;
    this.resume();
  }

  resume() {
    if (!this.clip) return;
    if (this.at >= this.clip.frames.length) this.at = 0;
    Object.assign(this, { playing: true, last: performance.now() });
    this.draw();
  }

  pause() {
    this.playing = false;
    this.changed();
  }

  draw() {
    cancelAnimationFrame(this.next);
    if (!this.clip || !this.playing) return;
    const { frames, width, height, rate } = this.clip;
    const now = performance.now();
    this.at += (now - this.last) / 1000 * rate * this.speed;
    this.last = now;
    // A clip's joints are those of the live page, in the same order.
    const joints = frames[Math.min(Math.floor(this.at), frames.length - 1)];
    drawPose(this.stage, { width, height, people: joints ? [{ prominent: true, joints }] : [] });
    if (!this.repeats) this.playing = this.at < frames.length;
    else if (this.at > frames.length + rate * this.speed) this.at = 0;
    this.changed();
    this.next = requestAnimationFrame(() => this.draw());
  }
}

export class Replay {
  constructor() {
    this.title = el('h2', { id: 'replay-title' });
    const stage = el('canvas', { role: 'img', 'aria-label': say('skeletons') });
    this.player = new Player(stage, { changed: () => this.showButton() });
    this.pause = el('button', { type: 'button', onclick: () => this.press() }, say('replay_pause'));
    this.dialog = el('dialog', { id: 'replay', className: 'wide', 'aria-labelledby': this.title.id }, this.title,
      el('div', { className: 'stage' }, stage), el('form', { method: 'dialog', className: 'controls' },
        this.pause, el('button', { autofocus: true }, say('close'))));
    this.dialog.addEventListener('close', () => this.player.play(null));
    document.body.append(this.dialog);
  }

  show({ id, label, person }) { return this.play(`${labelName(label)} · ${person}`, `clips/${id}/poses`); }

  async play(title, path) {
    put(this.title, title);
    this.player.play(null);
    this.dialog.showModal();
    try {
      const clip = await get(path, {}, 60);
      if (this.dialog.open) this.player.play(clip);
    } catch (failure) {
      put(this.title, failure.message);
    }
  }

  press() { return this.player.playing ? this.player.pause() : this.player.resume(); }

  showButton() {
    const { playing, at, clip } = this.player;
    put(this.pause, say(playing ? 'replay_pause' : at < clip.frames.length ? 'replay_play' : 'replay_again'));
  }
}
