// Plays a recorded clip in a dialog.
import { get } from './api.js';
import { byId, labelName, put, say } from './common.js';
import { drawPose } from './skeleton.js';

// A clip's joints are those of the live page, in the same order.
const pose = ({ width, height }, joints) => ({ width, height, people: joints ? [{ prominent: true, joints }] : [] });

export class Replay {
  constructor() {
    [this.dialog, this.stage, this.pause] = ['replay', 'replay-stage', 'replay-pause'].map(byId);
    this.dialog.addEventListener('close', () => (this.clip = null));
    this.pause.addEventListener('click', () => this.press());
  }

  async show({ id, label, person }) {
    put(byId('replay-title'), `${labelName(label)} · ${person}`);
    drawPose(this.stage, null);
    this.dialog.showModal();
    try {
      const clip = await get(`clips/${id}/poses`);
      if (!this.dialog.open) return;
      this.stage.style.aspectRatio = `${clip.width} / ${clip.height}`;
      Object.assign(this, { clip, at: 0, playing: true, last: performance.now() });
      this.draw();
    } catch (failure) {
      put(byId('replay-title'), failure.message);
    }
  }

  press() {
    if (!this.clip) return;
    if (this.at >= this.clip.frames.length) this.at = 0;
    Object.assign(this, { playing: !this.playing, last: performance.now() });
    if (this.playing) this.draw();
    else put(this.pause, say('replay_play'));
  }

  draw() {
    if (!this.clip || !this.playing) return;
    const now = performance.now();
    this.at += (now - this.last) / 1000 * this.clip.rate;
    this.last = now;
    const { frames } = this.clip;
    drawPose(this.stage, pose(this.clip, frames[Math.min(Math.floor(this.at), frames.length - 1)]));
    this.playing = this.at < frames.length;
    put(this.pause, say(this.playing ? 'replay_pause' : 'replay_again'));
    requestAnimationFrame(() => this.draw());
  }
}
