// Says on every page that the history was made up. The node adds this script where that is so.
import { el, say } from './common.js';

document.body.append(el('p', { id: 'made-up', role: 'note' }, say('made_up')));
