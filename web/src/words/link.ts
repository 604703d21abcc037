import type { Kept } from '../state/address.js';

/** Stands above what could not be read of a link, by how much of its run is shown. */
export const linkNotices: Readonly<Record<Kept, string>> = {
  whole: 'A part of this link could not be read. The run below is the link’s.',
  part: 'The run below is not the one this link describes: a part of the link could not be read, and the usual value stands in its place.',
  none: 'The run below is not the one this link describes: the link could not be read, and the usual run is shown.',
};
