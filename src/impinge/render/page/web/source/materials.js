// The looks of surfaces, lines and dots.

import { Color, DoubleSide, GreaterDepth, LineBasicMaterial, MeshStandardMaterial, NormalBlending, ShaderMaterial } from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";

export const CLASH = new Color(0xdb212e);
export const TOUCH = new Color(0xe6860d);
export const NEAR = new Color(0x175ccc);

export function solid(colour) {
  return new MeshStandardMaterial({
    color: colour, roughness: 0.62, metalness: 0.04, side: DoubleSide,
    // edges and marked faces lie on the surface, and are seen
    polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
  });
}

// Glass: a thin skin is denser where it is seen edge on.
export function glass(colour, density) {
  return new ShaderMaterial({
    uniforms: { colour: { value: colour }, density: { value: density } },
    transparent: true, depthWrite: false, side: DoubleSide, blending: NormalBlending,
    vertexShader: `
      varying vec3 facing;
      varying vec3 eye;
      void main() {
        vec4 place = modelViewMatrix * vec4(position, 1.0);
        facing = normalMatrix * normal;
        eye = -place.xyz;
        gl_Position = projectionMatrix * place;
      }`,
    fragmentShader: `
      uniform vec3 colour;
      uniform float density;
      varying vec3 facing;
      varying vec3 eye;
      void main() {
        float edge = 1.0 - abs(dot(normalize(facing), normalize(eye)));
        gl_FragColor = vec4(colour, density * (0.35 + 2.2 * edge * edge));
        #include <colorspace_fragment>
      }`,
  });
}

export function edges() {
  return new LineBasicMaterial({ transparent: true });
}

export function marked(colour) {
  return new MeshStandardMaterial({
    color: colour, emissive: colour, emissiveIntensity: 0.28, roughness: 0.6, side: DoubleSide, flatShading: true,
    // deforming surfaces are not moved back, so these come nearer
    polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -1,
  });
}

// Faces of a part that is seen through hide nothing either.
export function tinted(colour) {
  const material = marked(colour);
  Object.assign(material, { transparent: true, opacity: 0.32, depthWrite: false });
  return material;
}

// What is left of an overlap behind a solid part.
export function hidden(colour) {
  const material = marked(colour);
  Object.assign(material, { transparent: true, opacity: 0.4, depthWrite: false, depthFunc: GreaterDepth });
  return material;
}

export function curve(colour, { hidden }) {
  return new LineMaterial({
    color: colour, linewidth: 2.4, transparent: true, opacity: hidden ? 0.5 : 1,
    depthTest: !hidden, depthWrite: false,
    // a line is no slope: only a constant brings it before the faces it lies on
    polygonOffset: true, polygonOffsetFactor: 0, polygonOffsetUnits: -1500,
  });
}

// Round dots of one size, however far away.
export function dots(colour, size) {
  return new ShaderMaterial({
    uniforms: { colour: { value: colour }, size: { value: size } },
    transparent: true, depthTest: false, depthWrite: false, blending: NormalBlending,
    vertexShader: `
      uniform float size;
      void main() {
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
        gl_PointSize = size;
      }`,
    fragmentShader: `
      uniform vec3 colour;
      void main() {
        float reach = length(gl_PointCoord - 0.5);
        gl_FragColor = vec4(colour, 1.0 - smoothstep(0.4, 0.5, reach));
        #include <colorspace_fragment>
      }`,
  });
}
