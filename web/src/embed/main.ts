/*
 * The page of a frame on another's page: one element, its attributes in the address, as in
 * `embed.html#sampler=shuffle&noise-multiplier=0.8&view=compare`.
 */
import { HonestEpsilon as Element, type HonestEpsilon } from '../element/honest-epsilon.js';
import { unreadParts } from './address.js';
import type { FrameMessage } from './message.js';

const element: HonestEpsilon = document.createElement('honest-epsilon');
const notice = document.createElement('p');
notice.setAttribute('role', 'alert');

function readAddress(): void {
  const hash = location.hash.slice(1);
  const wanted = new URLSearchParams(hash);
  for (const name of Element.observedAttributes) {
    const value = wanted.get(name);
    if (value === null) element.removeAttribute(name);
    else element.setAttribute(name, value);
  }
  notice.textContent = unreadParts(hash, Element.observedAttributes);
  notice.hidden = notice.textContent === '';
}

/** Any page may embed the frame, and may know what it shows. */
function send(message: FrameMessage): void {
  if (parent !== window) parent.postMessage(message, '*');
}

readAddress();
addEventListener('hashchange', readAddress);
element.addEventListener('change', (event) =>
  send({ source: 'honest-epsilon', answer: (event as CustomEvent<FrameMessage['answer']>).detail }),
);
document.body.append(notice, element);
new ResizeObserver(() => {
  send({
    source: 'honest-epsilon',
    height: Math.ceil(document.body.getBoundingClientRect().height),
  });
}).observe(document.body);
