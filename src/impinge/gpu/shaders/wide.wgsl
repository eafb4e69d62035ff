// Signed 64-bit integers as two words, low first; WGSL has none that every adapter knows.
alias Wide = vec2u;

fn wide_of(a: i32) -> Wide {
  return Wide(u32(a), u32(a >> 31u));
}

fn wide_add(a: Wide, b: Wide) -> Wide {
  let low = a.x + b.x;
  return Wide(low, a.y + b.y + u32(low < a.x));
}

fn wide_negated(a: Wide) -> Wide {
  return Wide(~a.x + 1u, ~a.y + u32(a.x == 0u));
}

fn wide_sub(a: Wide, b: Wide) -> Wide {
  return Wide(a.x - b.x, a.y - b.y - u32(a.x < b.x));
}

fn wide_is_negative(a: Wide) -> bool {
  return (a.y >> 31u) != 0u;
}

fn wide_is_zero(a: Wide) -> bool {
  return (a.x | a.y) == 0u;
}

fn wide_abs(a: Wide) -> Wide {
  return select(a, wide_negated(a), wide_is_negative(a));
}

// For 0 < by < 32.
fn wide_shifted_left(a: Wide, by: u32) -> Wide {
  return Wide(a.x << by, (a.y << by) | (a.x >> (32u - by)));
}

// All 64 bits of the product of two words.
fn wide_product(a: u32, b: u32) -> Wide {
  let a0 = a & 0xffffu;
  let a1 = a >> 16u;
  let b0 = b & 0xffffu;
  let b1 = b >> 16u;
  let low = a0 * b0;
  // none of these sums overflows: (2^16 - 1)^2 + 2 (2^16 - 1) = 2^32 - 1
  let first = a1 * b0 + (low >> 16u);
  let second = a0 * b1 + (first & 0xffffu);
  return Wide((second << 16u) | (low & 0xffffu), a1 * b1 + (first >> 16u) + (second >> 16u));
}

// Modulo 2^64, so exact whenever the product fits.
fn wide_mul(a: Wide, b: Wide) -> Wide {
  let low = wide_product(a.x, b.x);
  return Wide(low.x, low.y + a.x * b.y + a.y * b.x);
}

fn wide_times(a: i32, b: i32) -> Wide {
  return wide_mul(wide_of(a), wide_of(b));
}

// Of numbers without sign.
fn wide_is_below(a: Wide, b: Wide) -> bool {
  return a.y < b.y || (a.y == b.y && a.x < b.x);
}

// a / b towards zero, bit by bit; |b| < 2^63, b != 0.
fn wide_quotient(a: Wide, b: Wide) -> Wide {
  let divisor = wide_abs(b);
  var rest = Wide(0u, 0u);
  var bits = wide_abs(a);
  for (var i = 0u; i < 64u; i++) {
    rest = Wide((rest.x << 1u) | (bits.y >> 31u), (rest.y << 1u) | (rest.x >> 31u));
    bits = Wide(bits.x << 1u, (bits.y << 1u) | (bits.x >> 31u));
    if (!wide_is_below(rest, divisor)) {
      rest = wide_sub(rest, divisor);
      bits.x |= 1u;
    }
  }
  return select(bits, wide_negated(bits), wide_is_negative(a) != wide_is_negative(b));
}
