/** The parts of a document that links are made from. */
interface Place {
  protocol: string;
  /** The document's whole address. */
  href: string;
  /** Where the page is published, if its build was told. */
  published: string | undefined;
}

const here = (): Place => ({
  protocol: location.protocol,
  href: location.href,
  published: document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href,
});

/** Without the hash, an address that others can open; a file's path is the reader's own and is no link. */
function pageOf({ protocol, href, published }: Place): string | undefined {
  return protocol === 'https:' || protocol === 'http:' ? href.replace(/#.*$/s, '') : published;
}

/**
 * The link that opens the state with this hash; undefined where the page is a local file that was not
 * published anywhere. It is made from the state: the address bar may hold a link that could not be read.
 */
export function linkTo(hash: string, place = here()): string | undefined {
  const page = pageOf(place);
  return page === undefined ? undefined : page + hash;
}

/** The document around an element; undefined where it is a local file. */
export function documentLink(place = here()): string | undefined {
  return pageOf({ ...place, published: undefined }) && place.href;
}
