// The login page: asks for the password and goes back to where the person came from.
import { post } from './api.js';
import { byId, keep, openPage, put, say } from './common.js';

openPage('login', true);
const form = byId('form');
const button = form.querySelector('button');

// Only an address of this node: `//host` and `/\host` would lead away.
function next() {
  const wanted = new URLSearchParams(location.search).get('next') ?? '/';
  return /^\/(?![/\\])/.test(wanted) && new URL(wanted, location).origin === location.origin ? wanted : '/';
}

async function enter(path, secret) {
  button.disabled = true;
  put(byId('failed'), '');
  put(button, say('signing_in'));
  try {
    const { role } = await post(path, secret);
    keep('login', { done: true });
    location.replace(role === 'wall' ? '/tv' : next());
  } catch (failure) {
    put(byId('failed'), failure.message);
    put(button, say('sign_in'));
    button.disabled = false;
    form.password.select();
  }
}

form.addEventListener('submit', () => enter('login', { password: form.password.value }));
// Until here the browser would send the form by itself, which leads nowhere.
button.disabled = false;

// A link with a token serves once: it leaves the address, so that nobody copies a dead one.
const token = new URLSearchParams(location.search).get('token');
if (location.pathname === '/enter' && token) {
  history.replaceState(null, '', '/login');
  enter('enter', { token });
}
