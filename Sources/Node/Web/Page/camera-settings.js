// The cameras' settings: a list, and a dialog for one of them with what the node says about each value.
import { get, post } from './api.js';
import { announce, confirmed, el, expectRestart, options, put, say } from './common.js';
import { translated } from './sentences.js';

// The settings that are asked for, and those that are seldom needed.
const usual = ['name', 'id', 'source', 'width', 'height', 'rotate', 'mirror', 'enabled'];
const rare = ['exposure', 'gain', 'white_balance', 'power_line', 'overlaps'];
export class CameraSettings {
  constructor({ list, tools, status }) {
    Object.assign(this, { list, tools, status });
    this.add = el('button', { type: 'button', onclick: () => this.edit(this.cameras.length) }, say('add_camera'));
    tools.append(this.add);
  }

  async load() {
    try {
      const { cameras, ...rest } = await get('configuration/cameras');
      Object.assign(this, { cameras: cameras.map((settings) => ({ was: settings.id, settings })), rest });
      this.render();
    } catch (failure) {
      put(this.status, failure.message);
      this.add.hidden = true;
    }
  }

  render() {
    this.list.replaceChildren(...this.cameras.map(({ settings }, place) => el('li', {},
      el('span', { className: 'label' }, settings.name || settings.id),
      el('span', { className: 'soft' }, settings.source),
      el('button', { type: 'button', onclick: () => this.edit(place), ariaLabel: say('edit_camera', { name: settings.name || settings.id }) },
        say('edit')))));
  }

  edit(place) {
    const isNew = place === this.cameras.length;
    const settings = isNew ? this.rest.new : this.cameras[place].settings;
    const failed = el('p', { className: 'bad', role: 'alert' });
    const fields = [...usual, ...rare].map((name) => new Field(name, settings[name], this.rest.choices[name]));
    const part = (names) => fields.filter((field) => names.includes(field.name)).map((field) => field.element);
    const more = el('details', {}, el('summary', {}, say('more_settings')), el('div', { className: 'settings' }, part(rare)));
    const dialog = el('dialog', { id: 'camera-settings', 'aria-labelledby': 'camera-settings-title' },
      el('h2', { id: 'camera-settings-title' }, isNew ? say('add_camera') : say('edit_camera', { name: settings.name || settings.id })),
      el('form', { id: 'camera-form' }, el('div', { className: 'settings' }, part(usual)), more, failed,
        el('div', { className: 'controls' }, el('button', { className: 'primary' }, say('save')),
          el('button', { type: 'button', onclick: () => dialog.close() }, say('cancel')),
          isNew || this.cameras.length < 2 ? null
            : el('button', { type: 'button', className: 'danger', onclick: () => this.remove(place, dialog, failed) }, say('remove')))));
    dialog.querySelector('form').addEventListener('submit', async (event) => {
      event.preventDefault();
      const wish = Object.fromEntries(fields.map((field) => [field.name, field.value]));
      const cameras = [...this.cameras];
      cameras[place] = { ...isNew ? {} : { was: this.cameras[place].was }, settings: wish };
      const problems = await this.keep(cameras, dialog, failed, place);
      for (const field of fields) field.tell(problems.find((one) => one.camera === place && one.setting === field.name));
      if (problems.some((one) => rare.includes(one.setting))) more.open = true;
      fields.find((field) => field.isWrong)?.focus();
    });
    dialog.addEventListener('close', () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }

  async remove(place, dialog, failed) {
    const { name, id } = this.cameras[place].settings;
    if (!await confirmed(say('remove_camera', { name: name || id }), say('remove_camera_text'), say('remove'))) return;
    await this.keep(this.cameras.filter((_, other) => other !== place), dialog, failed);
  }

  // Sends the cameras. What concerns no field of the camera at `place` is shown below them.
  async keep(cameras, dialog, failed, place) {
    put(failed, '');
    try {
      const { problems, restarting, revision } = await post('configuration/cameras', { cameras, revision: this.rest.revision });
      if (problems.length) {
        const isField = ({ camera, setting }) => camera === place && [...usual, ...rare].includes(setting);
        put(failed, problems.filter((one) => !isField(one)).map(({ camera, setting, message }) =>
          [camera !== place && cameras[camera]?.settings.id, setting, translated(message)].filter(Boolean).join(': ')).join(' '));
        return problems;
      }
      this.rest.revision = revision;
      dialog.close();
      if (restarting) expectRestart();
      put(this.status, say(restarting ? 'areas_saved' : 'areas_same'));
      announce(this.status.textContent);
      // The node may be on its way to its next life; until then the list shows what was sent.
      this.cameras = cameras.map(({ settings }) => ({ was: settings.id, settings }));
      this.render();
      if (!restarting) await this.load();
    } catch (failure) {
      put(failed, failure.message);
    }
    return [];
  }
}

class Field {
  constructor(name, value, choices) {
    Object.assign(this, { name, isFlag: choices?.includes('true') });
    const id = 'setting-' + name;
    const about = { id, 'aria-describedby': id + '-told' };
    this.input = this.isFlag ? el('input', { ...about, type: 'checkbox', checked: value === 'true' })
      : choices ? el('select', about) : el('input', { ...about, type: 'text', value });
    if (choices) options(this.input, choices.map((one) => [one, one]), value);
    this.told = el('p', { id: id + '-told', className: 'bad' });
    this.element = el('div', { className: 'setting' }, el('label', { htmlFor: id }, say('camera_' + name)), this.input,
      el('p', { className: 'note' }, say('camera_' + name + '_hint')), this.told);
  }

  get value() { return this.isFlag ? String(this.input.checked) : this.input.value.trim(); }

  get isWrong() { return this.told.textContent !== ''; }

  focus() { this.input.focus(); }

  tell(problem) {
    put(this.told, problem ? translated(problem.message) : '');
    this.input.setAttribute('aria-invalid', String(Boolean(problem)));
  }
}
