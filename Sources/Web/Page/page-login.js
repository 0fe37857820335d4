// The login page: asks for the password and goes back to where the person came from.
import { post } from './api.js';
import { keep, openPage, put, say } from './common.js';

openPage('login', true);
const form = document.getElementById('form');
const failed = document.getElementById('failed');

// Only an address of this node: `//host` and `/\host` would lead away.
function next() {
  const wanted = new URLSearchParams(location.search).get('next') ?? '/';
  return /^\/(?![/\\])/.test(wanted) && new URL(wanted, location).origin === location.origin ? wanted : '/';
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const button = form.querySelector('button');
  button.disabled = true;
  put(failed, '');
  put(button, say('signing_in'));
  try {
    await post('login', { password: form.password.value });
    keep('login', { done: true });
    location.replace(next());
  } catch (failure) {
    put(failed, failure.message);
    put(button, say('sign_in'));
    button.disabled = false;
    form.password.select();
  }
});
