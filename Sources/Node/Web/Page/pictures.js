// A camera's pictures under the skeleton, where the node allows them and the operator asks for them.
import { getBlob, post } from './api.js';
import { byId, clock, put, say } from './common.js';

const every = 500;
const [image, button, left, told] = ['picture', 'show-pictures', 'pictures-left', 'pictures-told'].map(byId);
// The camera that is shown, and the end on this browser's clock.
let [camera, end] = [null, 0];

const path = (more) => `cameras/${encodeURIComponent(camera)}/${more}`;

async function start(chosen) {
  camera = chosen;
  try {
    const { seconds } = await post(path('pictures'), {});
    if (camera !== chosen) return;
    end = Date.now() + 1000 * seconds;
    put(told, say('pictures_who'));
    put(button, say('pictures_stop'));
    follow(chosen);
  } catch (failure) {
    finish(failure.message);
  }
}

async function follow(chosen) {
  while (camera === chosen && Date.now() < end) {
    put(left, clock(end - Date.now()));
    try {
      const picture = document.hidden ? null : await getBlob(path('picture'));
      if (picture && camera === chosen) show(URL.createObjectURL(picture));
    } catch (failure) {
      // The first picture takes a moment.
      if (camera === chosen && failure.status !== 404) return finish(failure.message);
    }
    await new Promise((done) => setTimeout(done, every));
  }
  if (camera === chosen) finish(say('pictures_over'));
}

function show(address) {
  URL.revokeObjectURL(image.src);
  image.src = address;
  image.hidden = !address;
}

function finish(words = say('pictures_who')) {
  camera = null;
  show('');
  put(left, '');
  put(told, words);
  put(button, say('pictures_show'));
}

// Ends the pictures; the node ends them, too, when the page is left.
export function stopPictures() {
  if (!camera) return;
  post(path('pictures/stop'), {}).catch(() => { /* they end by themselves */ });
  finish();
}

export function offerPictures(select) {
  byId('pictures').hidden = false;
  finish();
  button.addEventListener('click', () => (camera ? stopPictures() : start(select.value)));
  addEventListener('pagehide', stopPictures);
}
