// A message of the server or of a file: a JSON header, then the arrays that it names.

const ARRAYS = { f4: Float32Array, u4: Uint32Array };

export function unpack(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const arrays = {};
  for (const [name, [kind, start, count]] of Object.entries(header.arrays)) {
    arrays[name] = new ARRAYS[kind](buffer, start, count);
  }
  return { ...header, arrays };
}

// The message inside a page: deflated, in base64.
export async function embedded(text) {
  const packed = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return unpack(await new Response(stream).arrayBuffer());
}
