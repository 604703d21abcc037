// Linked into core_many as WebAssembly, where a trap raises no signal: names the bytes that made it.
process.on('exit', () => {
  const bytes = UTF8ToString(_bytes_under_way());
  if (bytes !== '') console.error(`trap: bytes ${bytes}`);
});
