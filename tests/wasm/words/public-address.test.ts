import { expect, test } from 'vitest';
import { isPublic } from '../../../wasm/words/public-address.js';

test.each([
  'https://example.org/epsilon/',
  'http://example.org',
  'https://honest.example.co.uk:8443/?a=1#v1',
  'https://8.8.8.8/',
  'https://172.15.0.1/',
  'https://172.32.0.1/',
  'https://100.63.0.1/',
  'https://[2001:db8::1]/',
  'https://local.example.org/',
  'https://10.example.org/',
])('address: others can open %s', (address) => {
  expect(isPublic(address)).toBe(true);
});

test.each([
  'http://localhost:4173/#v1',
  'http://localhost./',
  'http://page.localhost/',
  'http://LOCALHOST/',
  'http://127.0.0.1:8000/',
  'http://127.1/',
  'http://2130706433/',
  'http://0.0.0.0:8000/',
  'http://10.1.2.3/',
  'http://172.16.0.1/',
  'http://172.31.255.1/',
  'http://192.168.1.20/',
  'http://100.64.0.1/',
  'http://169.254.1.1/',
  'http://[::1]:4173/',
  'http://[::ffff:127.0.0.1]/',
  'http://[fd00::1]/',
  'http://[fe80::1]/',
  'http://intranet/',
  'http://printer.local/',
  'https://wiki.corp/',
  'https://nas.home.arpa/',
  'file:///home/reader/standalone.html',
  'blob:https://example.org/1',
  'about:srcdoc',
  'epsilon',
  '',
])('address: nobody else can open %s', (address) => {
  expect(isPublic(address)).toBe(false);
});
