/** Names that one machine or one network gives out, and no other knows: RFC 6761, 6762, 8375 and custom. */
const ownNames =
  /^(?:[^.:]*|.*\.(?:localhost|local|internal|intranet|lan|home|corp|private|test|home\.arpa))$/;

/** IPv4: this host, loopback, link-local, and what RFC 1918 and 6598 leave to each network. */
const ownNumbers =
  /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+$/;

/** IPv6: unspecified, loopback and mapped, unique local, link-local. */
const ownGroups = /^\[(?:::|f[cd]|fe[89ab])/;

/** Whether others can open an address: it is on the web, and not at a host of the reader's own. */
export function isPublic(address: string): boolean {
  try {
    const { protocol, hostname } = new URL(address);
    const host = hostname.replace(/\.$/, '');
    return (
      /^https?:$/.test(protocol) && ![ownNames, ownNumbers, ownGroups].some((own) => own.test(host))
    );
  } catch {
    return false;
  }
}
