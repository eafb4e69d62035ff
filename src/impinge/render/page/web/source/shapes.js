// Normals and edges of triangle meshes, in typed arrays: pages show millions of triangles.

const CREASE = Math.cos((35 * Math.PI) / 180);

// (3 per face) unit normals, zero for faces without area.
function faceNormals(vertices, faces) {
  const normals = new Float32Array(faces.length);
  for (let i = 0; i < faces.length; i += 3) {
    const a = 3 * faces[i], b = 3 * faces[i + 1], c = 3 * faces[i + 2];
    const ux = vertices[b] - vertices[a], uy = vertices[b + 1] - vertices[a + 1], uz = vertices[b + 2] - vertices[a + 2];
    const vx = vertices[c] - vertices[a], vy = vertices[c + 1] - vertices[a + 1], vz = vertices[c + 2] - vertices[a + 2];
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    const scale = 1 / (Math.sqrt(x * x + y * y + z * z) || 1);
    normals[i] = x * scale;
    normals[i + 1] = y * scale;
    normals[i + 2] = z * scale;
  }
  return normals;
}

// The corners at each vertex: those of vertex v are corner[start[v]] to corner[start[v + 1]].
function cornersByVertex(faces, count) {
  const start = new Uint32Array(count + 1);
  for (let i = 0; i < faces.length; i++) start[faces[i] + 1]++;
  for (let v = 0; v < count; v++) start[v + 1] += start[v];
  const next = start.slice(0, count);
  const corner = new Uint32Array(faces.length);
  for (let i = 0; i < faces.length; i++) corner[next[faces[i]]++] = i;
  return { start, corner };
}

function cornerAngle(vertices, faces, corner) {
  const first = corner - (corner % 3);
  const a = 3 * faces[corner], b = 3 * faces[first + ((corner + 1) % 3)], c = 3 * faces[first + ((corner + 2) % 3)];
  let along = 0, one = 0, two = 0;
  for (let k = 0; k < 3; k++) {
    const u = vertices[b + k] - vertices[a + k], v = vertices[c + k] - vertices[a + k];
    along += u * v;
    one += u * u;
    two += v * v;
  }
  const size = Math.sqrt(one * two);
  return size > 0 ? Math.acos(Math.min(1, Math.max(-1, along / size))) : 0;
}

// A rigid shape: corners with their own normals, and the creases and borders as segments.
export function creased(vertices, faces) {
  const flat = faceNormals(vertices, faces);
  const { start, corner } = cornersByVertex(faces, vertices.length / 3);
  const positions = new Float32Array(3 * faces.length);
  const normals = new Float32Array(3 * faces.length);
  // by angle: a fan of slivers on one side must not outvote the other side
  const angle = new Float32Array(faces.length);
  for (let i = 0; i < faces.length; i++) angle[i] = cornerAngle(vertices, faces, i);
  for (let i = 0; i < faces.length; i++) {
    const v = faces[i], own = i - (i % 3);
    let x = 0, y = 0, z = 0;
    for (let k = start[v]; k < start[v + 1]; k++) {
      const other = corner[k] - (corner[k] % 3);
      const like = flat[own] * flat[other] + flat[own + 1] * flat[other + 1] + flat[own + 2] * flat[other + 2];
      if (like >= CREASE || other === own) {
        const weight = angle[corner[k]];
        x += weight * flat[other];
        y += weight * flat[other + 1];
        z += weight * flat[other + 2];
      }
    }
    const scale = 1 / (Math.sqrt(x * x + y * y + z * z) || 1);
    positions.set(vertices.subarray(3 * v, 3 * v + 3), 3 * i);
    normals[3 * i] = x * scale;
    normals[3 * i + 1] = y * scale;
    normals[3 * i + 2] = z * scale;
  }
  return { positions, normals, edges: creases(vertices, faces, flat, start, corner) };
}

function creases(vertices, faces, flat, start, corner) {
  const ends = [];
  for (let i = 0; i < faces.length; i++) {
    const own = i - (i % 3);
    const a = faces[i], b = faces[own + ((i + 1) % 3)];
    let uses = 0, partner = -1, first = own;
    for (let k = start[a]; k < start[a + 1]; k++) {
      const face = corner[k] - (corner[k] % 3);
      if (faces[face] !== b && faces[face + 1] !== b && faces[face + 2] !== b) continue;
      uses++;
      first = Math.min(first, face);
      if (face !== own) partner = face;
    }
    // each edge once: by its first face
    if (first < own) continue;
    const like = partner < 0 ? -1 : flat[own] * flat[partner] + flat[own + 1] * flat[partner + 1] + flat[own + 2] * flat[partner + 2];
    if (uses !== 2 || like < CREASE) ends.push(a, b);
  }
  const edges = new Float32Array(3 * ends.length);
  ends.forEach((vertex, k) => edges.set(vertices.subarray(3 * vertex, 3 * vertex + 3), 3 * k));
  return edges;
}

// Smooth normals at the vertices of a shape that deforms, into an array that is there.
export function smooth(vertices, faces, normals) {
  normals.fill(0);
  for (let i = 0; i < faces.length; i += 3) {
    const a = 3 * faces[i], b = 3 * faces[i + 1], c = 3 * faces[i + 2];
    const ux = vertices[b] - vertices[a], uy = vertices[b + 1] - vertices[a + 1], uz = vertices[b + 2] - vertices[a + 2];
    const vx = vertices[c] - vertices[a], vy = vertices[c + 1] - vertices[a + 1], vz = vertices[c + 2] - vertices[a + 2];
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    normals[a] += x; normals[a + 1] += y; normals[a + 2] += z;
    normals[b] += x; normals[b + 1] += y; normals[b + 2] += z;
    normals[c] += x; normals[c + 1] += y; normals[c + 2] += z;
  }
  for (let i = 0; i < normals.length; i += 3) {
    const x = normals[i], y = normals[i + 1], z = normals[i + 2];
    const scale = 1 / (Math.sqrt(x * x + y * y + z * z) || 1);
    normals[i] = x * scale;
    normals[i + 1] = y * scale;
    normals[i + 2] = z * scale;
  }
}

// The corners (9 numbers each) of some faces.
export function triangles(vertices, faces, chosen) {
  const result = new Float32Array(9 * chosen.length);
  for (let k = 0; k < chosen.length; k++) {
    for (let corner = 0; corner < 3; corner++) {
      const v = 3 * faces[3 * chosen[k] + corner];
      const at = 9 * k + 3 * corner;
      result[at] = vertices[v];
      result[at + 1] = vertices[v + 1];
      result[at + 2] = vertices[v + 2];
    }
  }
  return result;
}
