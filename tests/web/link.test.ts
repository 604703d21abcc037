import { readAddress } from '../../web/src/state/address.js';
import { linkNotice } from '../../web/src/words/link.js';
import { expect, test } from 'vitest';
import { documentLink, linkTo, ownLinkTo } from '../../web/src/export/link.js';

const served = {
  href: 'https://example.org/page/?a=1#garbage',
  published: undefined,
};
const file = {
  href: 'file:///home/reader/standalone.html#v1,epochs=3',
  published: undefined,
};

test('link: a served page is linked with the run that is shown, whatever the address bar says', () => {
  expect(linkTo('#v1,epochs=3', served)).toBe('https://example.org/page/?a=1#v1,epochs=3');
  expect(linkTo('', served)).toBe('https://example.org/page/?a=1');
  expect(documentLink(served)).toBe(served.href);
});

test('link: a local file has none, since its path is the reader’s own', () => {
  expect(linkTo('#v1,epochs=3', file)).toBeUndefined();
  expect(documentLink(file)).toBeUndefined();
});

test('link: a local file of a page that is published is linked to it', () => {
  const copy = { ...file, published: 'https://example.org/' };
  expect(linkTo('#v1,epochs=3', copy)).toBe('https://example.org/#v1,epochs=3');
  expect(documentLink(copy)).toBeUndefined();
});

test('link: a copy of the page at a host of the reader’s own has none, nor is that host published', () => {
  const local = { href: 'http://127.0.0.1:4173/#v1', published: undefined };
  expect(linkTo('#v1,epochs=3', local)).toBeUndefined();
  expect(documentLink(local)).toBeUndefined();
  expect(linkTo('#v1', { ...local, published: 'http://localhost/' })).toBeUndefined();
  expect(linkTo('#v1', { ...local, published: 'https://example.org/' })).toBe(
    'https://example.org/#v1',
  );
});

test('link: what is copied works for others if it can, else where this copy of the page does', () => {
  expect(ownLinkTo('#v1,epochs=3', served)).toBe('https://example.org/page/?a=1#v1,epochs=3');
  expect(ownLinkTo('#v1', file)).toBe('file:///home/reader/standalone.html#v1');
  expect(ownLinkTo('#v1', { ...file, published: 'https://example.org/' })).toBe(
    'https://example.org/#v1',
  );
});

test('what of a link could not be read is named, and whether the run is its own', () => {
  const of = (hash: string) => {
    const { notes, run } = readAddress(hash);
    return linkNotice(run, notes);
  };
  expect(of('#v1,sampler=foo')).toBe(
    'Part of this link could not be read (sampler=foo). What you see is not the run in the link.',
  );
  expect(of('#v1,more=hidden')).toBe(
    'Part of this link could not be read (more=hidden). The run itself is complete.',
  );
  expect(of('#v7,sampler=poisson')).toBe(
    'This link could not be read (v7). What you see is not the run in the link.',
  );
});
