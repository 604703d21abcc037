import { isPublic } from '../../../wasm/words/public-address.js';

interface Place {
  href: string;
  /** Where the page is published, if its build was told. */
  published: string | undefined;
}

const here = (): Place => ({
  href: location.href,
  published: document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href,
});

const withoutHash = (address: string) => address.replace(/#.*$/s, '');

/** Where others find the page. Nobody else can open a file's path, nor a host of the reader's own. */
const publicPage = ({ href, published }: Place): string | undefined =>
  [href, published]
    .filter((address) => address !== undefined)
    .map(withoutHash)
    .find(isPublic);

/**
 * The link that opens the state with this hash for anybody; undefined where this copy of the page has no
 * public address. It is made from the state: the address bar may hold a link that could not be read.
 */
export function linkTo(hash: string, place = here()): string | undefined {
  const page = publicPage(place);
  return page === undefined ? undefined : page + hash;
}

/** The link to copy: for anybody if there is one, else for whoever has this copy of the page. */
export const ownLinkTo = (hash: string, place = here()): string =>
  linkTo(hash, place) ?? withoutHash(place.href) + hash;

/** The document around an element; undefined where others cannot open it. */
export const documentLink = ({ href } = here()): string | undefined =>
  isPublic(href) ? href : undefined;
