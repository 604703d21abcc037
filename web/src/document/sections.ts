/** Marks in the navigation the section that is read: the last one that begins in the upper third of the window. */
export function markSections(page: HTMLElement): void {
  const links = [...page.querySelectorAll<HTMLAnchorElement>('nav a[href^="#"]')];
  const headings = links.map((link) => document.getElementById(link.hash.slice(1)));
  const mark = () => {
    const read = headings.findLastIndex(
      (heading) => heading && heading.getBoundingClientRect().top < innerHeight / 3,
    );
    for (const [index, link] of links.entries()) {
      if (index === read) link.setAttribute('aria-current', 'location');
      else link.removeAttribute('aria-current');
    }
  };
  addEventListener('scroll', mark, { passive: true });
  addEventListener('resize', mark, { passive: true });
  mark();
}
