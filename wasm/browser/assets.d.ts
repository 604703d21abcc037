declare module '*.wasm?url' {
  const url: string;
  export default url;
}

declare module '*.wasm?packed' {
  /** The file, gzipped, in base64. */
  const packed: string;
  export default packed;
}

declare module '*?worker&inline' {
  const InlineWorker: new () => Worker;
  export default InlineWorker;
}
