import { readAddress } from '../../web/src/state/address.js';
import { linkNotice } from '../../web/src/words/link.js';
import { expect, test } from 'vitest';
import { documentLink, linkTo } from '../../web/src/export/link.js';

const served = {
  protocol: 'https:',
  href: 'https://example.org/page/?a=1#garbage',
  published: undefined,
};
const file = {
  protocol: 'file:',
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

test('what of a link could not be read is named, and whether the run is its own', () => {
  const of = (hash: string) => {
    const { notes, run } = readAddress(hash);
    return linkNotice(run, notes);
  };
  expect(of('#v1,sampler=foo')).toBe(
    'Part of this link could not be read (sampler=foo). This is not the run it described.',
  );
  expect(of('#v1,more=hidden')).toBe(
    'Part of this link could not be read (more=hidden). The run is the link’s.',
  );
  expect(of('#v7,sampler=poisson')).toBe(
    'This link could not be read (v7). This is not the run it described.',
  );
});
