import { createServer } from '../serve.js';

const receive = createServer((reply) => self.postMessage(reply));
self.addEventListener('message', (event: MessageEvent<unknown>) => receive(event.data));
