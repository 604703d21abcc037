import { parentPort } from 'node:worker_threads';
import { createServer } from '../serve.js';

const port = parentPort;
if (!port) throw new Error('this file is a worker: it answers to the thread that started it');
const receive = createServer((reply) => port.postMessage(reply));
port.on('message', receive);
